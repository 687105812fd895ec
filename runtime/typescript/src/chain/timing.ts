/** The clocks of an invocation, and whether a short wait may be spent inside it. */

import { setTimeout as wait } from 'node:timers/promises';

// Create, update and delete must answer within 60 seconds: local waits end well before.
const BUDGET_SECONDS = 30;
const SPARE_SECONDS = 0.1;

/** What a Timing is made of, replaceable for tests. */
export interface Clocks {
  /** Seconds since the epoch. */
  clock?: () => number;
  /** Waits that many seconds. */
  sleep?: (seconds: number) => Promise<unknown>;
  /** Seconds until Lambda ends the invocation, undefined if unknown. */
  remaining?: () => number | undefined;
}

/** The time as one invocation sees it, from when this is made. */
export class Timing {
  readonly clock: () => number;
  readonly sleep: (seconds: number) => Promise<unknown>;
  readonly #remaining: () => number | undefined;
  readonly #began: number;

  constructor(clocks: Clocks = {}) {
    this.clock = clocks.clock ?? (() => Date.now() / 1000);
    this.sleep = clocks.sleep ?? ((seconds) => wait(seconds * 1000));
    this.#remaining = clocks.remaining ?? (() => undefined);
    this.#began = this.clock();
  }

  /** Whether a wait, and twice as long a turn as the one so far after it, fit into this invocation. */
  mayWait(seconds: number): boolean {
    const spent = this.clock() - this.#began;
    const remaining = this.#remaining();
    const fits = remaining === undefined || remaining > seconds + 2 * spent + SPARE_SECONDS;
    return fits && spent + seconds < BUDGET_SECONDS;
  }
}
