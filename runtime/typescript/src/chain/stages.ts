/** One service call, said in the order in which it happens: request, call, what to do with errors, when it is done. */

import { HandlerError } from '../exceptions.js';
import { ProgressEvent } from '../protocol.js';
import type { HandlerErrorCode, JsonObject } from '../protocol.js';
import { serviceErrorCode } from '../serviceErrors.js';
import { describe } from '../failures.js';
import type { Chain } from './chain.js';
import { Constant } from './delays.js';
import type { Delay } from './delays.js';
import { Retry, defaultEvent, guarded } from './errors.js';
import type { Progress } from './progress.js';
import type { StepState } from './state.js';

type Awaitable<T> = T | PromiseLike<T>;
/** What decides about a step; undefined means not yet. */
export type Finish<M extends object, C, R, S> = (step: Step<M, C, R, S>) => Awaitable<ProgressEvent<M> | undefined>;

// As patient as the framework that the user guide describes: every 5 seconds for 20 minutes.
export const DEFAULT_DELAY: Delay = new Constant(5, { timeout: 1200 });

/** A step as its callbacks see it: its name, the model, the client, the callback context, request and response. */
export class Step<M extends object, C, R, S> {
  readonly name: string;
  readonly model: M;
  readonly client: C;
  readonly context: JsonObject;
  readonly state: StepState;
  /** What was kept of the response; only errors of the call itself find it undefined. */
  response: S = undefined as S;
  readonly #makeRequest: (model: M) => R;
  #request: { made: R } | undefined;

  constructor(chain: Chain<M>, name: string, client: C, makeRequest: (model: M) => R) {
    this.name = name;
    this.model = chain.model;
    this.client = client;
    this.context = chain.context;
    this.state = chain.state(name);
    this.#makeRequest = makeRequest;
  }

  /** The service request, translated from the model when first looked at. */
  get request(): R {
    this.#request ??= { made: this.#makeRequest(this.model) };
    return this.#request.made;
  }
}

/** A named step; the next word is `request`. */
export class Initiated<M extends object, C> {
  readonly #chain: Chain<M>;
  readonly #name: string;
  readonly #client: C;

  constructor(chain: Chain<M>, name: string, client: C) {
    this.#chain = chain;
    this.#name = name;
    this.#client = client;
  }

  /** Translate the model to the service's request. */
  request<R>(translate: (model: M) => R): Requested<M, C, R> {
    return new Requested(this.#chain, new Step<M, C, R, unknown>(this.#chain, this.#name, this.#client, translate));
  }
}

/** A step with its request; the next word is `call`. */
export class Requested<M extends object, C, R> {
  readonly #chain: Chain<M>;
  readonly #step: Step<M, C, R, unknown>;

  constructor(chain: Chain<M>, step: Step<M, C, R, unknown>) {
    this.#chain = chain;
    this.#step = step;
  }

  /** Make the service call, once: its response is remembered across invocations, null included. */
  call<S>(make: (request: R, client: C) => Awaitable<S>): Called<M, C, R, S> {
    return new Called(this.#chain, this.#step as Step<M, C, R, S>, make);
  }
}

/** A step that may say more about itself before `progress`, `success` or `done` runs it. */
export class Called<M extends object, C, R, S> {
  readonly chain: Chain<M>;
  readonly step: Step<M, C, R, S>;
  readonly make: (request: R, client: C) => Awaitable<unknown>;
  /** Whether a checkpoint after it is worth an invocation. */
  mutates = true;
  delay: Delay = DEFAULT_DELAY;
  select: ((response: never) => unknown) | undefined;
  isStable: ((step: Step<M, C, R, S>) => Awaitable<boolean>) | undefined;
  readonly #retried: ((error: unknown, step: Step<M, C, R, S>) => boolean)[] = [];
  readonly #codes = new Map<string, HandlerErrorCode>();
  #handle: ((error: unknown, step: Step<M, C, R, S>) => Awaitable<ProgressEvent<M> | ProgressEvent<never>>) | undefined;

  constructor(chain: Chain<M>, step: Step<M, C, R, S>, make: (request: R, client: C) => Awaitable<unknown>) {
    this.chain = chain;
    this.step = step;
    this.make = make;
  }

  /** Wait like this between attempts (by default 5 seconds, for 20 minutes). */
  backoff(delay: Delay): this {
    this.delay = delay;
    return this;
  }

  /** Remember only this of the response; it must be JSON, and it is what later callbacks see. */
  keep<T>(select: (response: S) => T): Called<M, C, R, T> {
    const kept = this as unknown as Called<M, C, R, T>;
    kept.select = select as (response: never) => unknown;
    return kept;
  }

  /** Wait until `isStable` returns true; it is called again after each wait, and never again afterwards. */
  stabilize(isStable: (step: Step<M, C, R, S>) => Awaitable<boolean>): this {
    this.isStable = isStable;
    return this;
  }

  /** Try again after AWS errors with these codes, such as "ResourceInUseException". */
  retryOn(...codes: string[]): this {
    return this.retryIf((error) => codes.includes(serviceErrorCode(error) ?? ''));
  }

  /** Try again after errors for which this is true. */
  retryIf(matches: (error: unknown, step: Step<M, C, R, S>) => boolean): this {
    this.#retried.push(matches);
    return this;
  }

  /** Fail with these handler error codes after AWS errors with those codes. */
  failAs(codes: { readonly [code: string]: HandlerErrorCode }): this {
    for (const [code, meaning] of Object.entries(codes)) this.#codes.set(code, meaning);
    return this;
  }

  /** Decide about errors: return the event to end with, throw Retry to try again, or throw another. */
  handleError(
    handle: (error: unknown, step: Step<M, C, R, S>) => Awaitable<ProgressEvent<M> | ProgressEvent<never>>,
  ): this {
    this.#handle = handle;
    return this;
  }

  /** Run the step and finish with this event; undefined means not yet: wait and ask again. */
  done(finish: Finish<M, C, R, S>): Progress<M> {
    return this.chain.run(this, finish);
  }

  /** Run the step and continue with the next, at once or when called again after the delay. */
  progress(delaySeconds = 0): Progress<M> {
    return this.done(({ state }) =>
      this.chain.inProgress(delaySeconds > 0 && state.leaveOnce() ? delaySeconds : 0),
    );
  }

  /** Run the step and end the operation with SUCCESS and the model. */
  success(): Progress<M> {
    return this.done(({ model }) => ProgressEvent.success(model));
  }

  /** What an error of this step means: the event to end with, or undefined to try again. */
  async judge(error: unknown): Promise<ProgressEvent | undefined> {
    const handle = this.#handle;
    if (this.#retried.some((matches) => matches(error, this.step))) return undefined;
    const code = this.#codes.get(serviceErrorCode(error) ?? '');
    if (code !== undefined) return ProgressEvent.failed(code, describe(error));
    if (handle === undefined || error instanceof Retry || error instanceof HandlerError) return defaultEvent(error);
    return guarded((thrown) => handle(thrown, this.step), error, this.step.name);
  }
}
