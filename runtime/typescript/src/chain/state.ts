/**
 * What a chain remembers between invocations: a JSON object in the callback context, one entry a step.
 *
 *     {"__chain__": {"create-stream": {"response": {…}, "stable": true, "attempts": 3, "started": 1700000000.0}}}
 *
 * `response` is there once the call was made, null included; `stable` once the resource was ready. `attempts` and
 * `started` (seconds since the epoch) belong to what the step is waiting for, so that a timeout holds across containers.
 */

import { InternalFailure } from '../exceptions.js';
import { isObject, setMember } from '../json.js';
import type { Json, JsonObject } from '../protocol.js';

const KEY = '__chain__';

type Entry = { response?: Json; stable?: boolean; left?: boolean; attempts?: number; started?: number };

/** The entry of one step. */
export class StepState {
  readonly #entry: Entry;

  constructor(entry: Entry) {
    this.#entry = entry;
  }

  /** Whether the service call has been made. */
  get called(): boolean {
    return 'response' in this.#entry;
  }

  /** What was kept of the call's response. */
  get response(): Json {
    return this.#entry.response ?? null;
  }

  /** Remember the response; the attempts that follow are those of the stabilization. */
  recordResponse(response: Json): void {
    for (const name of Object.keys(this.#entry)) delete this.#entry[name as keyof Entry];
    this.#entry.response = response;
  }

  /** Whether the stabilization has been reached. */
  get stable(): boolean {
    return this.#entry.stable === true;
  }

  /** Remember that the stabilization has been reached. */
  recordStable(): void {
    this.#entry.stable = true;
  }

  /** Whether the step should end the invocation now; it does so once and then is passed. */
  leaveOnce(): boolean {
    const first = this.#entry.left === undefined;
    this.#entry.left = true;
    return first;
  }

  /** Count an attempt; its number from 1, and the seconds since the first. */
  countAttempt(now: number): { attempt: number; elapsed: number } {
    this.#entry.started ??= now;
    this.#entry.attempts = (this.#entry.attempts ?? 0) + 1;
    return { attempt: this.#entry.attempts, elapsed: Math.max(0, now - this.#entry.started) };
  }
}

/** The chain's part of the callback context, made where it is missing. */
export function loadStates(callbackContext: JsonObject): (name: string) => StepState {
  callbackContext[KEY] ??= {};
  const states = callbackContext[KEY];
  if (!isObject(states) || !Object.values(states).every(isObject)) {
    throw new InternalFailure(`the callback context's ${KEY} was not written by a chain`);
  }
  return (name) => {
    if (!Object.hasOwn(states, name)) setMember(states, name, {});
    return new StepState(states[name] as Entry);
  };
}

/** Throws InternalFailure if the context as JSON exceeds `limit` bytes, naming the step that holds most. */
export function expectWithin(callbackContext: JsonObject, limit: number): void {
  const size = sizeOf(callbackContext);
  if (size <= limit) return;
  const states = callbackContext[KEY] ?? {};
  const sizes = Object.entries(states as JsonObject).map(([name, state]) => ({ name, size: sizeOf(state) }));
  const largest = sizes.sort((one, other) => other.size - one.size)[0];
  const advice = largest ? `; step '${largest.name}' holds ${largest.size}, choose what to keep() of it` : '';
  throw new InternalFailure(`the callback context has ${size} bytes, more than ${limit}${advice}`);
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value), 'utf8');
}
