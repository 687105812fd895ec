/**
 * How long to wait before the next attempt: pure functions of the attempt's number.
 *
 * A delay holds no state, so that one object can serve every request of a warm container and a cold one gives the same
 * answer. `seconds(attempt)` is the wait after attempt 1, 2, …, or undefined when the waits up to there would exceed
 * `timeout`.
 *
 *     new Constant(5, { timeout: 1200 })            5, 5, 5, …
 *     new Exponential({ timeout: 60 })              2, 4, 8, 16, …
 *     new CappedExponential({ timeout: 600 })       2, 4, 8, 16, 20, 20, …
 *     new MultipleOf(5, { timeout: 600 })           5, 10, 20, 30, …         delay × (attempt − 1) × multiple
 *     new ShiftBy(5, { timeout: 600 })              5, 15, 35, 65, …         the sums of those
 *     new Blended(a, b)                             a until it ends, then b, the attempts counted on
 */

const ROUNDING = 1 + 1e-9; // sums of tenths are not exact

/** A schedule of waits; `timeout` is in seconds. */
export abstract class Delay {
  abstract readonly timeout: number;

  /** The wait after this attempt, in seconds, whatever came before. */
  abstract wait(attempt: number): number;

  /** The most seconds that may really pass, waits and calls together. */
  get horizon(): number {
    return this.timeout;
  }

  /** The waits after attempt `first` and those that follow, while together they fit into the timeout. */
  *waits(first = 1): Generator<number, void, void> {
    let spent = 0;
    for (let attempt = first; ; attempt += 1) {
      const wait = this.wait(attempt);
      spent += wait;
      if (spent > this.timeout * ROUNDING) return;
      yield wait;
    }
  }

  /** The wait after `attempt`, or undefined when the schedule has ended. */
  seconds(attempt: number): number | undefined {
    let number = 0;
    for (const wait of this.waits()) {
      number += 1;
      if (number === attempt) return wait;
    }
    return undefined;
  }
}

/** The same wait each time. */
export class Constant extends Delay {
  readonly timeout: number;
  readonly delay: number;

  constructor(delay: number, options: { timeout: number }) {
    super();
    this.delay = positive('delay', delay);
    this.timeout = positive('timeout', options.timeout);
  }

  override wait(_attempt: number): number {
    return this.delay;
  }
}

/** `power ** attempt`, at least `minimum`. */
export class Exponential extends Delay {
  readonly timeout: number;
  readonly power: number;
  readonly minimum: number;

  constructor(options: { timeout: number; power?: number; minimum?: number }) {
    super();
    this.power = positive('power', options.power ?? 2);
    this.minimum = options.minimum ?? 0;
    this.timeout = positive('timeout', options.timeout);
  }

  override wait(attempt: number): number {
    return Math.max(this.minimum, this.power ** attempt);
  }
}

/** `power ** attempt`, between `minimum` and `maximum`. */
export class CappedExponential extends Delay {
  readonly timeout: number;
  readonly power: number;
  readonly minimum: number;
  readonly maximum: number;

  constructor(options: { timeout: number; power?: number; minimum?: number; maximum?: number }) {
    super();
    this.power = positive('power', options.power ?? 2);
    this.minimum = options.minimum ?? 1;
    this.maximum = positive('maximum', options.maximum ?? 20);
    this.timeout = positive('timeout', options.timeout);
  }

  override wait(attempt: number): number {
    return Math.min(this.maximum, Math.max(this.minimum, this.power ** attempt));
  }
}

/** `delay` first, then `delay × (attempt − 1) × multiple`. */
export class MultipleOf extends Delay {
  readonly timeout: number;
  readonly delay: number;
  readonly multiple: number;

  constructor(delay: number, options: { timeout: number; multiple?: number }) {
    super();
    this.delay = positive('delay', delay);
    this.multiple = positive('multiple', options.multiple ?? 2);
    this.timeout = positive('timeout', options.timeout);
  }

  override wait(attempt: number): number {
    return attempt === 1 ? this.delay : this.delay * (attempt - 1) * this.multiple;
  }
}

/** Each wait is the sum of MultipleOf's waits so far, and `timeout` bounds the longest. */
export class ShiftBy extends MultipleOf {
  /** All of its waits together, which is more than its timeout. */
  override get horizon(): number {
    return Math.max(
      this.timeout,
      [...this.waits()].reduce((sum, wait) => sum + wait, 0),
    );
  }

  override *waits(first = 1): Generator<number, void, void> {
    let shifted = 0;
    for (let attempt = first; ; attempt += 1) {
      shifted += this.wait(attempt);
      if (shifted > this.timeout * ROUNDING) return;
      yield shifted;
    }
  }
}

/** One delay after the other: quick attempts first, patient ones later. */
export class Blended extends Delay {
  readonly timeout: number;
  readonly parts: readonly Delay[];

  constructor(...parts: Delay[]) {
    super();
    if (parts.length === 0) throw new RangeError('a blended delay needs at least one part');
    this.parts = parts;
    this.timeout = parts.reduce((sum, part) => sum + part.timeout, 0);
  }

  override get horizon(): number {
    return this.parts.reduce((sum, part) => sum + part.horizon, 0);
  }

  override wait(attempt: number): number {
    return this.seconds(attempt) ?? Infinity;
  }

  override *waits(first = 1): Generator<number, void, void> {
    let attempt = first;
    for (const part of this.parts) {
      for (const wait of part.waits(attempt)) {
        yield wait;
        attempt += 1;
      }
    }
  }
}

function positive(name: string, value: number): number {
  if (!(value > 0)) throw new RangeError(`${name} is ${value}; it must be more than 0`);
  return value;
}
