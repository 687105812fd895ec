/** The log of one invocation: the function's own, with the request's secrets masked. */

import { format } from 'node:util';

import type { Redaction } from './redaction.js';

/** How much a line matters. */
export type Level = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';

/** Receives every line that a logger writes, masked. */
export type Listener = (level: Level, message: string) => void;

/** Takes what `console` takes. */
export class Logger {
  readonly #redaction: Redaction;
  readonly #listeners: Listener[] = [];

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  debug(...words: unknown[]): void {
    this.#write('DEBUG', words);
  }

  log(...words: unknown[]): void {
    this.#write('INFO', words);
  }

  info(...words: unknown[]): void {
    this.#write('INFO', words);
  }

  warn(...words: unknown[]): void {
    this.#write('WARN', words);
  }

  error(...words: unknown[]): void {
    this.#write('ERROR', words);
  }

  /** Tell this listener too. */
  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  #write(level: Level, words: unknown[]): void {
    const message = this.#redaction.mask(format(...words));
    const write = { DEBUG: console.debug, INFO: console.info, WARN: console.warn, ERROR: console.error }[level];
    write(message);
    for (const listener of this.#listeners) listener(level, message);
  }
}
