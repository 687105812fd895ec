/** The chain of service calls that an operation is made of, resumed where it was left. */

import { createHash } from 'node:crypto';

import { InternalFailure } from '../exceptions.js';
import { NotJsonError, isObject, toWire } from '../json.js';
import type { Json, JsonObject, LambdaContext, ProgressEvent } from '../protocol.js';
import type { ResourceCall } from '../resource.js';
import type { Delay } from './delays.js';
import { exhaustedEvent } from './errors.js';
import { Progress, canContinue, leave } from './progress.js';
import { DEFAULT_DELAY, Initiated } from './stages.js';
import type { Called, Finish, Step } from './stages.js';
import { expectWithin, loadStates } from './state.js';
import type { StepState } from './state.js';
import { Timing } from './timing.js';

// No published text gives the service's limit; this is far below what a Lambda request can hold, and ample for ids.
export const CONTEXT_LIMIT_BYTES = 32 * 1024;

/** How a chain behaves. */
export interface ChainOptions {
  /** The request's clientRequestToken, for `tokenFor`. */
  token?: string;
  /**
   * End the invocation after every service call, so that nothing made is forgotten even if the process dies right
   * after; costs a re-invocation a call.
   */
  checkpoint?: boolean;
  /** The most bytes that the callback context may have as JSON. */
  contextLimit?: number;
  /** The context object of the Lambda invocation, for the time that is left. */
  lambda?: LambdaContext;
  /** The clocks; replaceable for tests. */
  timing?: Timing;
}

/** The steps of one operation on one model; every event carries the model. */
export class Chain<M extends object> {
  readonly model: M;
  readonly context: JsonObject;
  /** What is remembered of a step. */
  readonly state: (name: string) => StepState;
  readonly #options: ChainOptions;
  readonly #timing: Timing;
  readonly #names = new Set<string>();

  /** `callbackContext` is the handler's; the chain keeps its state in it, beside the handler's own. */
  constructor(model: M, callbackContext: JsonObject, options: ChainOptions = {}) {
    this.model = model;
    this.context = callbackContext;
    this.state = loadStates(callbackContext);
    this.#options = options;
    this.#timing = options.timing ?? new Timing({ remaining: () => remainingSeconds(options.lambda) });
  }

  /** Begin a step; its name identifies it across invocations and must be unique in the operation. */
  initiate<C>(name: string, client: C): Initiated<M, C> {
    if (this.#names.has(name)) {
      throw new InternalFailure(`two steps of the chain are named '${name}'; what one remembers would end the other`);
    }
    this.#names.add(name);
    return new Initiated(this, name, client);
  }

  /** A step that calls nothing and ends when `isReady` returns true. */
  waitFor<C>(
    name: string,
    client: C,
    isReady: (step: Step<M, C, null, null>) => boolean | PromiseLike<boolean>,
    options: { delay?: Delay } = {},
  ): Progress<M> {
    const nothing = this.initiate(name, client)
      .request(() => null)
      .call(() => null);
    nothing.mutates = false;
    return nothing
      .stabilize(isReady)
      .backoff(options.delay ?? DEFAULT_DELAY)
      .progress();
  }

  /** An idempotency token for a step's request: the same in every attempt of this operation, a UUID in form. */
  tokenFor(name: string): string {
    const digest = createHash('sha256')
      .update(`${this.#options.token ?? ''}/${name}`)
      .digest('hex');
    return [digest.slice(0, 8), digest.slice(8, 12), digest.slice(12, 16), digest.slice(16, 20), digest.slice(20, 32)].join('-');
  }

  /** Continue at once, or, with a delay, when called again. The first `andThen` can follow it. */
  progress(delaySeconds = 0): Progress<M> {
    return new Progress(Promise.resolve(this.inProgress(delaySeconds)));
  }

  /** The event that `progress` is of. */
  inProgress(callbackDelaySeconds = 0, message = ''): ProgressEvent<M> {
    return {
      status: 'IN_PROGRESS',
      message,
      callbackContext: this.context,
      callbackDelaySeconds,
      resourceModel: this.model,
    };
  }

  /** Run a step until it is done, fails, or has to wait for longer than this invocation should. */
  run<C, R, S>(called: Called<M, C, R, S>, finish: Finish<M, C, R, S>): Progress<M> {
    return new Progress(this.#run(called, finish));
  }

  async #run<C, R, S>(called: Called<M, C, R, S>, finish: Finish<M, C, R, S>): Promise<ProgressEvent<M>> {
    for (;;) {
      let error: { thrown: unknown } | undefined;
      let event: ProgressEvent | undefined;
      try {
        event = await this.#advance(called, finish);
      } catch (thrown) {
        error = { thrown };
        event = await called.judge(thrown);
      }
      event ??= await this.#wait(called, error);
      if (event !== undefined) return this.#checked(event as ProgressEvent<M>);
    }
  }

  /** Do what is left of a step; undefined when it is not yet done. */
  async #advance<C, R, S>(
    called: Called<M, C, R, S>,
    finish: Finish<M, C, R, S>,
  ): Promise<ProgressEvent<M> | undefined> {
    const { step } = called;
    if (!step.state.called) {
      step.state.recordResponse(kept(called, await called.make(step.request, step.client)));
      if (this.#options.checkpoint === true && called.mutates) return leave(this.inProgress());
    }
    step.response = step.state.response as S;
    if (called.isStable !== undefined && !step.state.stable) {
      if (!(await called.isStable(step))) return undefined;
      step.state.recordStable();
    }
    return finish(step);
  }

  /** Wait for the next attempt: here if short (undefined), else by being called again; or give up. */
  async #wait<C, R, S>(
    called: Called<M, C, R, S>,
    error: { thrown: unknown } | undefined,
  ): Promise<ProgressEvent | undefined> {
    const { name, state } = called.step;
    const { attempt, elapsed } = state.countAttempt(this.#timing.clock());
    const seconds = called.delay.seconds(attempt);
    if (seconds === undefined || elapsed + seconds > called.delay.horizon) {
      return exhaustedEvent(name, error, attempt, elapsed);
    }
    if (seconds < 1 && this.#timing.mayWait(seconds)) {
      await this.#timing.sleep(seconds);
      return undefined;
    }
    return this.inProgress(Math.max(1, Math.ceil(seconds)), `${name}: waiting, attempt ${attempt}`);
  }

  #checked(event: ProgressEvent<M>): ProgressEvent<M> {
    if (event.status === 'IN_PROGRESS' && !canContinue(event)) {
      expectWithin(this.context, this.#options.contextLimit ?? CONTEXT_LIMIT_BYTES);
    }
    return event;
  }
}

/** The chain for a handler's call: its desired model, its callback context, its token and the time it has. */
export function chainOf<M extends object, T extends object>(
  call: Pick<ResourceCall<M, T>, 'request' | 'callbackContext' | 'lambda'>,
  options: ChainOptions = {},
): Chain<M> {
  const { request, callbackContext, lambda } = call;
  return new Chain(request.desiredResourceState, callbackContext, {
    token: request.clientRequestToken,
    lambda,
    ...options,
  });
}

/** What of a response is remembered: JSON, the same in the invocation that made the call and in later ones. */
function kept<M extends object, C, R, S>(called: Called<M, C, R, S>, response: unknown): Json {
  let chosen = response;
  if (called.select !== undefined) {
    chosen = called.select(response as never);
  } else if (isObject(response)) {
    const { $metadata: _metadata, ...rest } = response;
    chosen = rest;
  }
  try {
    return chosen === undefined ? null : (toWire(chosen) as Json);
  } catch (problem) {
    if (!(problem instanceof NotJsonError)) throw problem;
    const advice = 'choose with keep() what of it to remember';
    throw new InternalFailure(`the response of ${called.step.name} cannot be remembered: ${problem.message}; ${advice}`);
  }
}

function remainingSeconds(lambda: LambdaContext | undefined): number | undefined {
  const left = lambda?.getRemainingTimeInMillis?.();
  return left === undefined ? undefined : left / 1000;
}
