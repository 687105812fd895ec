/** Events between steps: `andThen` runs the next step, or returns the event that ends the chain. */

import { isObject } from '../json.js';
import type { ProgressEvent } from '../protocol.js';

// Events that end their invocation whatever their delay.
const leaving = new WeakSet<object>();

/** The event, ending this invocation. */
export function leave<Event extends ProgressEvent>(event: Event): Event {
  leaving.add(event);
  return event;
}

/** Whether the next step may run in this invocation. */
export function canContinue(event: ProgressEvent): boolean {
  return event.status === 'IN_PROGRESS' && (event.callbackDelaySeconds ?? 0) === 0 && !leaving.has(event);
}

/** What follows a step. */
export type Next<M extends object> = (
  event: ProgressEvent<M>,
) => ProgressEvent<M> | ProgressEvent<never> | PromiseLike<ProgressEvent<M> | ProgressEvent<never>>;

/** A chain so far; a handler returns it as it is, or awaits it for its event. */
export class Progress<M extends object> implements PromiseLike<ProgressEvent<M>> {
  readonly #event: Promise<ProgressEvent<M>>;

  constructor(event: Promise<ProgressEvent<M>>) {
    this.#event = event;
  }

  /** Run the next step, unless the operation has ended or waits to be called again. */
  andThen(step: Next<M>): Progress<M> {
    return this.#after(async (event) => (canContinue(event) ? expectEvent(await step(event)) : event));
  }

  /** Run something more once the operation has succeeded. */
  onSuccess(step: Next<M>): Progress<M> {
    return this.#after(async (event) => (event.status === 'SUCCESS' ? expectEvent(await step(event)) : event));
  }

  /** End the operation with SUCCESS and the model, if nothing ended it before. */
  success(): Progress<M> {
    return this.andThen(({ resourceModel }) => ({ status: 'SUCCESS', resourceModel }));
  }

  /** As of any promise: for `await`. */
  then<A = ProgressEvent<M>, B = never>(
    fulfilled?: ((event: ProgressEvent<M>) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#event.then(fulfilled, rejected);
  }

  #after(next: (event: ProgressEvent<M>) => Promise<ProgressEvent<M>>): Progress<M> {
    return new Progress(this.#event.then(next));
  }
}

function expectEvent<M extends object>(event: ProgressEvent<M> | ProgressEvent<never>): ProgressEvent<M> {
  if (!isObject(event) || typeof event['status'] !== 'string') {
    throw new TypeError(`a step of the chain returned ${typeof event} instead of a ProgressEvent`);
  }
  return event as ProgressEvent<M>;
}
