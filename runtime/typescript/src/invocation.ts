/** One invocation of a handler: its boundary and its response. */

import { EnvelopeError } from './envelope.js';
import { HandlerError } from './exceptions.js';
import { failedEvent, stackOf } from './failures.js';
import { isObject, toWire } from './json.js';
import { Logger } from './logger.js';
import { Observation } from './observation.js';
import { OperationStatus, ProgressEvent } from './protocol.js';
import type { Action, HandlerErrorCode, JsonObject, LambdaContext } from './protocol.js';
import { Redaction } from './redaction.js';
import type { Session } from './session.js';

/** What a handler of either kind is called with, besides its request. */
export interface Call {
  /** The caller's credentials; undefined for a type without an execution role. */
  session: Session | undefined;
  /** What the invocation before answered with; empty at first. */
  callbackContext: JsonObject;
  logger: Logger;
  lambda: LambdaContext;
}

/** A request that has been read: `call` invokes its handler, `observation` surrounds that. */
export interface Prepared {
  call: () => Promise<ProgressEvent>;
  observation: Observation;
}

/** What one request has of its own. */
export class Invocation {
  readonly redaction = new Redaction();
  readonly logger = new Logger(this.redaction);
  readonly lambda: LambdaContext;

  constructor(lambda: unknown) {
    this.lambda = (isObject(lambda) ? lambda : {}) as LambdaContext;
  }

  /**
   * The event that answers the request, whatever goes wrong: the boundary of the library. What `prepare` throws is the
   * request's fault (InvalidRequest), what the handler throws the handler's (InternalFailure), unless it says better.
   */
  async answer(prepare: () => Prepared | Promise<Prepared>): Promise<ProgressEvent> {
    let prepared: Prepared;
    try {
      prepared = await prepare();
    } catch (error) {
      return this.#failed(error, 'InvalidRequest');
    }
    let event: ProgressEvent;
    try {
      event = await prepared.call();
      prepared.observation.handled(undefined);
      event = { ...event, message: this.redaction.mask(toText(event.message)) };
    } catch (error) {
      prepared.observation.handled(error);
      event = this.#failed(error, 'InternalFailure');
    }
    await prepared.observation.close();
    return event;
  }

  /** The event as JSON: the members that are present, or the FAILED event that `write` makes of a complaint. */
  write(event: ProgressEvent, members: (event: ProgressEvent) => { [name: string]: unknown }): unknown {
    try {
      return respond(members(event));
    } catch (error) {
      const complaint = this.redaction.mask(`The response cannot be written: ${messageOf(error)}`);
      this.logger.error(complaint);
      return respond(members(ProgressEvent.failed('InternalFailure', complaint)));
    }
  }

  #failed(error: unknown, unexpected: HandlerErrorCode): ProgressEvent {
    const event = failedEvent(error, unexpected);
    const message = this.redaction.mask(event.message ?? '');
    if (error instanceof HandlerError) this.logger.info(`The handler failed: ${error.name}: ${message}`);
    else if (error instanceof EnvelopeError) this.logger.error(`The request cannot be read: ${message}`);
    else this.logger.error(`The handler failed:\n${stackOf(error)}`);
    return { ...event, message };
  }
}

/** The handler's answer if it is an event with a known status; throws TypeError otherwise. */
export function expectEvent(answer: unknown, asked: string): ProgressEvent {
  if (!isObject(answer)) {
    const found = answer === null ? 'null' : Array.isArray(answer) ? 'an array' : typeof answer;
    throw new TypeError(`The ${asked} handler returned ${found} instead of a ProgressEvent`);
  }
  const status = answer['status'];
  if (!Object.values<unknown>(OperationStatus).includes(status)) {
    throw new TypeError(`The ${asked} handler returned the status ${String(status)}`);
  }
  return answer as unknown as ProgressEvent;
}

/** READ and LIST are never called again, so an IN_PROGRESS of theirs would be lost. */
export function expectSynchronous(event: ProgressEvent, action: Action): ProgressEvent {
  if ((action === 'READ' || action === 'LIST') && event.status === 'IN_PROGRESS') {
    return ProgressEvent.failed('InternalFailure', 'READ and LIST handlers must return synchronously.');
  }
  return event;
}

/** The members of a resource's response. */
export function resourceMembers(event: ProgressEvent): { [name: string]: unknown } {
  return {
    status: event.status,
    errorCode: event.errorCode,
    message: event.message ?? '',
    callbackContext: event.callbackContext,
    callbackDelaySeconds: event.callbackDelaySeconds ?? 0,
    resourceModel: event.resourceModel,
    resourceModels: event.resourceModels,
    nextToken: event.nextToken,
  };
}

function respond(members: { [name: string]: unknown }): unknown {
  const present = Object.entries(members).filter(([, value]) => value !== undefined && value !== null);
  return toWire(Object.fromEntries(present.map(([name, value]) => [name, withoutNulls(name, value)])));
}

// A property that a handler set to null is absent, as it is when it is read; in JSON of any form null is a value.
function withoutNulls(name: string, value: unknown): unknown {
  const strip = (model: unknown): unknown =>
    isObject(model) && Object.values(model).includes(null)
      ? Object.fromEntries(Object.entries(model).filter(([, item]) => item !== null))
      : model;
  if (name === 'resourceModel') return strip(value);
  return name === 'resourceModels' && Array.isArray(value) ? value.map(strip) : value;
}

function toText(message: unknown): string {
  return message === null || message === undefined ? '' : String(message);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
