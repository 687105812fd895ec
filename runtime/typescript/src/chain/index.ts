/**
 * Progress chaining: an operation as a chain of service calls that resumes where it was left.
 *
 * The framework that the CloudFormation CLI user guide describes in "Progress chaining, stabilization, and callback
 * pattern", for TypeScript:
 *
 *     const chain = chainOf(call);
 *     return chain.initiate('create-stream', kinesis)
 *       .request((model) => ({ StreamName: model.Name, ShardCount: model.ShardCount }))
 *       .call((request, client) => client.send(new CreateStreamCommand(request)))
 *       .stabilize((step) => isActive(step.client, step.model))
 *       .progress()
 *       .andThen(() => setTags(chain, kinesis))
 *       .andThen(() => read(call));
 *
 * Each time CloudFormation calls the handler again, the chain runs from the top: steps whose call was made answer from
 * the callback context, and the first unfinished one continues. Service errors are translated and throttling is waited
 * out. The semantics, the delays' figures and the state's form are those of the Python library.
 */

export { CONTEXT_LIMIT_BYTES, Chain, chainOf } from './chain.js';
export type { ChainOptions } from './chain.js';
export { Blended, CappedExponential, Constant, Delay, Exponential, MultipleOf, ShiftBy } from './delays.js';
export { Retry } from './errors.js';
export { Progress } from './progress.js';
export type { Next } from './progress.js';
export { Called, Initiated, Requested, Step } from './stages.js';
export { Timing } from './timing.js';
