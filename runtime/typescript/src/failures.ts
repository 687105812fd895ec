/** Errors as failed events: the error code that fits, and a message that says what happened without secrets. */

import { EnvelopeError } from './envelope.js';
import { HandlerError } from './exceptions.js';
import { ProgressEvent } from './protocol.js';
import type { HandlerErrorCode } from './protocol.js';
import { handlerErrorCode } from './serviceErrors.js';

/** The FAILED event for what was thrown: the library's own keep their code, AWS errors have theirs translated. */
export function failedEvent(error: unknown, unexpected: HandlerErrorCode): ProgressEvent<never> {
  if (error instanceof HandlerError) return ProgressEvent.failed(error.errorCode, error.message);
  if (error instanceof EnvelopeError) return ProgressEvent.failed(unexpected, error.message);
  return ProgressEvent.failed(handlerErrorCode(error) ?? unexpected, describe(error));
}

/** An error in one line, its name included, since the text of many means nothing without it. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${show(error)}`;
  return error.message ? `${error.message} (${error.name})` : error.name;
}

/** The stack of an error, for the log. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? describe(error)) : describe(error);
}

function show(value: unknown): string {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    return 'a value that cannot be shown';
  }
}
