/**
 * The handler library of CloudFormation extensions in TypeScript: resources and hooks, protocol version 2.0.0.
 *
 * It has no dependencies, and looks for the AWS SDK only where a request asks for the provider's log or metrics.
 */

export * from './chain/index.js';
export { EnvelopeError } from './envelope.js';
export type { Credentials } from './envelope.js';
export * as exceptions from './exceptions.js';
export { Hook, readTarget } from './hook.js';
export type { HookCall, HookHandler, Target } from './hook.js';
export { generateResourceIdentifier } from './identifier.js';
export type { Named } from './identifier.js';
export type { Call } from './invocation.js';
export { Logger } from './logger.js';
export { Action, HandlerErrorCode, HookInvocationPoint, OperationStatus, ProgressEvent } from './protocol.js';
export type {
  HookAnnotation,
  HookContext,
  HookHandlerRequest,
  Json,
  JsonObject,
  LambdaContext,
  ResourceHandlerRequest,
  Tags,
  Waiting,
} from './protocol.js';
export { Resource } from './resource.js';
export type { ResourceCall, ResourceHandler } from './resource.js';
export { handlerErrorCode, httpStatus, serviceErrorCode } from './serviceErrors.js';
export { Session } from './session.js';
export * as shapes from './shapes.js';
export { Misfit } from './shapes.js';
