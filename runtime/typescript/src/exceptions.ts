/** What a handler throws to fail with an error code: one class a code, under the code's name. A subclass keeps it. */

import type { HandlerErrorCode } from './protocol.js';

/** The base of them all. */
export class HandlerError extends Error {
  readonly errorCode: HandlerErrorCode;

  constructor(errorCode: HandlerErrorCode, message = '', options?: { cause?: unknown }) {
    super(message);
    this.errorCode = errorCode;
    this.name = new.target.name;
    if (options !== undefined && 'cause' in options) {
      Object.defineProperty(this, 'cause', { value: options.cause, configurable: true, writable: true });
    }
  }
}

const withMessage = (errorCode: HandlerErrorCode) =>
  class extends HandlerError {
    constructor(message = '', options?: { cause?: unknown }) {
      super(errorCode, message, options);
    }
  };

/** The request updates a create-only property. */
export class NotUpdatable extends withMessage('NotUpdatable') {}

/** The user's input is wrong. */
export class InvalidRequest extends withMessage('InvalidRequest') {}

/** The customer lacks permissions. */
export class AccessDenied extends withMessage('AccessDenied') {}

/** The credentials are not valid. */
export class InvalidCredentials extends withMessage('InvalidCredentials') {}

/** The resource is busy for now. */
export class ResourceConflict extends withMessage('ResourceConflict') {}

/** The downstream service throttles. */
export class Throttling extends withMessage('Throttling') {}

/** A limit of the downstream service is reached. */
export class ServiceLimitExceeded extends withMessage('ServiceLimitExceeded') {}

/** The resource did not become ready. */
export class NotStabilized extends withMessage('NotStabilized') {}

/** The downstream service failed in a way that no other code names. */
export class GeneralServiceException extends withMessage('GeneralServiceException') {}

/** The downstream service failed inside. */
export class ServiceInternalError extends withMessage('ServiceInternalError') {}

/** The downstream service could not be reached. */
export class NetworkFailure extends withMessage('NetworkFailure') {}

/** The handler failed unexpectedly. */
export class InternalFailure extends withMessage('InternalFailure') {}

/** The handler failed unexpectedly, as newer callers name it. */
export class HandlerInternalFailure extends withMessage('HandlerInternalFailure') {}

/** None of the others. */
export class Unknown extends withMessage('Unknown') {}

/** The resource was there before the create request. */
export class AlreadyExists extends HandlerError {
  constructor(typeName: string, identifier: unknown) {
    super('AlreadyExists', `Resource of type '${typeName}' with identifier '${String(identifier)}' already exists.`);
  }
}

/** The resource is not there. */
export class NotFound extends HandlerError {
  constructor(typeName: string, identifier: unknown) {
    super('NotFound', `Resource of type '${typeName}' with identifier '${String(identifier)}' was not found.`);
  }
}

/** The extension's configuration is wrong. */
export class InvalidTypeConfiguration extends HandlerError {
  constructor(typeName: string, reason: string) {
    super('InvalidTypeConfiguration', `Invalid TypeConfiguration provided for type ${typeName}. Reason: ${reason}`);
  }
}

/** The hook's target breaks the hook's rule. */
export class NonCompliant extends HandlerError {
  constructor(typeName: string, reason: string) {
    super('NonCompliant', `Hook of type '${typeName}' returned a non-compliant status. Reason: ${reason}`);
  }
}

/** The hook does not handle this target. */
export class UnsupportedTarget extends HandlerError {
  constructor(hookTypeName: string, targetTypeName: string) {
    super(
      'UnsupportedTarget',
      `Hook of type '${hookTypeName}' received request for unsupported target '${targetTypeName}'`,
    );
  }
}
