/** What an error in a step means: try again later, or fail with a code. */

import { HandlerError } from '../exceptions.js';
import { describe } from '../failures.js';
import { isObject } from '../json.js';
import { ProgressEvent } from '../protocol.js';
import { handlerErrorCode, httpStatus } from '../serviceErrors.js';

const BUSY_STATUSES: readonly (number | undefined)[] = [429, 503, 504];

/** Thrown by an error handler: wait and try the step again. */
export class Retry extends Error {}

/**
 * The FAILED event for an error, or undefined where the step should be tried again: throttling, a busy service.
 *
 * The library's own exceptions keep their code; AWS errors are translated; everything else is an InternalFailure.
 */
export function defaultEvent(error: unknown): ProgressEvent<never> | undefined {
  if (error instanceof Retry) return undefined;
  if (error instanceof HandlerError) return ProgressEvent.failed(error.errorCode, error.message);
  const code = handlerErrorCode(error);
  if (code === undefined) return ProgressEvent.failed('InternalFailure', describe(error));
  if (code === 'Throttling' || BUSY_STATUSES.includes(httpStatus(error))) return undefined;
  return ProgressEvent.failed(code, describe(error));
}

/** The FAILED event when the time to wait is over: of the last error, or NotStabilized where there was none. */
export function exhaustedEvent(
  name: string,
  error: { thrown: unknown } | undefined,
  attempts: number,
  elapsed: number,
): ProgressEvent<never> {
  const spent = `after ${attempts} attempts in ${elapsed.toFixed(0)} seconds`;
  if (error === undefined) return ProgressEvent.failed('NotStabilized', `${name} did not stabilize ${spent}`);
  const own = error.thrown instanceof HandlerError ? error.thrown.errorCode : handlerErrorCode(error.thrown);
  return ProgressEvent.failed(own ?? 'NotStabilized', `${name} gave up ${spent}: ${describe(error.thrown)}`);
}

/** What a step's own error handler decides; what it throws is judged like an error of the step. */
export async function guarded(
  handle: (error: unknown) => ProgressEvent | PromiseLike<ProgressEvent>,
  error: unknown,
  name: string,
): Promise<ProgressEvent | undefined> {
  let event: unknown;
  try {
    event = await handle(error);
  } catch (thrown) {
    return defaultEvent(thrown);
  }
  if (isObject(event) && typeof event['status'] === 'string') return event as unknown as ProgressEvent;
  const message = `handleError of ${name} returned ${typeof event} instead of a ProgressEvent, for: ${describe(error)}`;
  return ProgressEvent.failed('InternalFailure', message);
}
