/**
 * The handler protocol's vocabularies, events and requests (version 2.0.0).
 *
 * Source: the CloudFormation CLI user guide, "Handler error codes" and "ProgressEvent object schema"; names as the wire
 * has them. Models and events are plain objects: what a handler answers is what is sent.
 */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };
export type Tags = { [name: string]: string };

/** What a resource handler is asked to do. */
export const Action = {
  CREATE: 'CREATE',
  READ: 'READ',
  UPDATE: 'UPDATE',
  DELETE: 'DELETE',
  LIST: 'LIST',
} as const;
export type Action = (typeof Action)[keyof typeof Action];

/** When a hook is asked. */
export const HookInvocationPoint = {
  CREATE_PRE_PROVISION: 'CREATE_PRE_PROVISION',
  UPDATE_PRE_PROVISION: 'UPDATE_PRE_PROVISION',
  DELETE_PRE_PROVISION: 'DELETE_PRE_PROVISION',
} as const;
export type HookInvocationPoint = (typeof HookInvocationPoint)[keyof typeof HookInvocationPoint];

/** Where an operation stands; the last but one only answers stack-level hooks. */
export const OperationStatus = {
  PENDING: 'PENDING',
  IN_PROGRESS: 'IN_PROGRESS',
  SUCCESS: 'SUCCESS',
  CHANGE_SET_SUCCESS_SKIP_STACK_HOOK: 'CHANGE_SET_SUCCESS_SKIP_STACK_HOOK',
  FAILED: 'FAILED',
} as const;
export type OperationStatus = (typeof OperationStatus)[keyof typeof OperationStatus];

/**
 * Why an operation failed. The caller retries after NetworkFailure, ResourceConflict, ServiceInternalError and
 * Throttling.
 */
export const HandlerErrorCode = {
  NotUpdatable: 'NotUpdatable',
  InvalidRequest: 'InvalidRequest',
  AccessDenied: 'AccessDenied',
  InvalidCredentials: 'InvalidCredentials',
  AlreadyExists: 'AlreadyExists',
  NotFound: 'NotFound',
  ResourceConflict: 'ResourceConflict',
  Throttling: 'Throttling',
  ServiceLimitExceeded: 'ServiceLimitExceeded',
  NotStabilized: 'NotStabilized',
  GeneralServiceException: 'GeneralServiceException',
  ServiceInternalError: 'ServiceInternalError',
  NetworkFailure: 'NetworkFailure',
  InternalFailure: 'InternalFailure',
  InvalidTypeConfiguration: 'InvalidTypeConfiguration',
  HandlerInternalFailure: 'HandlerInternalFailure',
  NonCompliant: 'NonCompliant',
  UnsupportedTarget: 'UnsupportedTarget',
  Unknown: 'Unknown',
} as const;
export type HandlerErrorCode = (typeof HandlerErrorCode)[keyof typeof HandlerErrorCode];

/** One check that a hook made, shown beside its result. */
export interface HookAnnotation {
  annotationName: string;
  status: 'PASSED' | 'FAILED' | 'SKIPPED';
  statusMessage?: string | undefined;
  remediationMessage?: string | undefined;
  remediationLink?: string | undefined;
  severityLevel?: 'INFORMATIONAL' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' | undefined;
}

/**
 * What a handler answers; hooks' handlers return it too.
 *
 * `callbackDelaySeconds`: seconds until the next invocation of an IN_PROGRESS operation. `callbackContext`: JSON that
 * the next invocation is given back. `result` and `annotations` are for hooks only.
 */
export interface ProgressEvent<Model extends object = object> {
  status: OperationStatus;
  errorCode?: HandlerErrorCode | undefined;
  message?: string | undefined;
  callbackContext?: JsonObject | undefined;
  callbackDelaySeconds?: number | undefined;
  resourceModel?: Model | undefined;
  resourceModels?: readonly Model[] | undefined;
  nextToken?: string | undefined;
  result?: string | undefined;
  annotations?: readonly HookAnnotation[] | undefined;
}

/** What an IN_PROGRESS event may say besides its model. */
export interface Waiting {
  callbackContext?: JsonObject | undefined;
  callbackDelaySeconds?: number | undefined;
  message?: string | undefined;
}

/** The events in words; any object of the interface will do as well. */
export const ProgressEvent = {
  /** The operation is done; a delete answers without a model. */
  success<Model extends object>(resourceModel?: Model): ProgressEvent<Model> {
    return resourceModel === undefined ? { status: 'SUCCESS' } : { status: 'SUCCESS', resourceModel };
  },

  /** A page of a list, and the token of the next page where there is one. */
  list<Model extends object>(resourceModels: readonly Model[], nextToken?: string): ProgressEvent<Model> {
    return { status: 'SUCCESS', resourceModels, nextToken };
  },

  /** Not done yet: the handler is called again after the delay, with the context. */
  inProgress<Model extends object>(resourceModel: Model, waiting: Waiting = {}): ProgressEvent<Model> {
    return { status: 'IN_PROGRESS', resourceModel, ...waiting };
  },

  /** The operation failed. */
  failed(errorCode: HandlerErrorCode, message = '', more: Partial<ProgressEvent<never>> = {}): ProgressEvent<never> {
    return { status: 'FAILED', errorCode, message, ...more };
  },
};

/** What a resource handler is asked, with the models of its type. */
export interface ResourceHandlerRequest<Model extends object, TypeConfiguration extends object> {
  clientRequestToken: string;
  desiredResourceState: Model;
  previousResourceState: Model | undefined;
  desiredResourceTags: Tags | undefined;
  previousResourceTags: Tags | undefined;
  systemTags: Tags | undefined;
  previousSystemTags: Tags | undefined;
  awsAccountId: string | undefined;
  logicalResourceIdentifier: string | undefined;
  typeConfiguration: TypeConfiguration | undefined;
  nextToken: string | undefined;
  region: string | undefined;
  awsPartition: string | undefined;
  stackId: string | undefined;
}

/** What a hook is asked about; `targetModel` is plain JSON: resourceProperties, previousResourceProperties. */
export interface HookContext {
  awsAccountId: string;
  stackId: string;
  changeSetId: string | undefined;
  hookTypeName: string;
  hookTypeVersion: string;
  invocationPoint: HookInvocationPoint;
  targetName: string;
  targetType: string;
  targetLogicalId: string;
  targetModel: JsonObject;
}

/** What a hook handler is asked. */
export interface HookHandlerRequest {
  clientRequestToken: string;
  hookContext: HookContext;
}

/** The context object of a Lambda invocation, as far as this library looks at it. */
export interface LambdaContext {
  awsRequestId?: string;
  getRemainingTimeInMillis?(): number;
}
