/**
 * How JSON is read into typed values: one reader a shape, combined by the generated models.
 *
 * CloudFormation sends every scalar as a string ("true", "5"), the contract tests send typed values; both are read. A
 * value that fits neither throws `Misfit`, which carries the path inside the model and never the value itself: it may
 * be a secret. An explicit null is an absent property.
 */

import { canonical, isObject, setMember } from './json.js';

/** Reads a JSON value; `undefined` for null. `secrets` gives the texts inside its write-only properties. */
export interface Shape<T> {
  read(value: unknown): T | undefined;
  secrets?(value: unknown): Iterable<string>;
}

/** Each property's shape. */
export type Fields = { [property: string]: Shape<unknown> };

/** What a model is besides its fields: properties that are never given out, and whether it keeps undeclared ones. */
export interface ModelOptions {
  writeOnly?: readonly string[];
  open?: boolean;
}

/** A value that its declared type cannot hold; `path` is completed on the way out of the containers. */
export class Misfit extends Error {
  readonly path: (string | number)[] = [];

  /** The place as a JSON pointer relative to the model, such as `/Tags/0/Key`. */
  get pointer(): string {
    return this.path.map((step) => `/${String(step).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
  }

  override toString(): string {
    return this.path.length > 0 ? `${this.message} at ${this.pointer}` : this.message;
  }
}

/** A string; a typed scalar becomes the text that CloudFormation would send for it. */
export const string: Shape<string> = {
  read(value) {
    if (value === null || value === undefined) return undefined;
    if (typeof value === 'string') return value;
    if (typeof value === 'boolean' || typeof value === 'number') return String(value);
    throw misfit('a string', value);
  },
};

/**
 * An integer; `"5"` and `"5.0"` are 5. A value with a fraction is refused rather than cut, and one beyond 2^53 rather than
 * changed: neither reading nor writing keeps all of its digits.
 */
export const integer: Shape<number> = {
  read(value) {
    const found = toNumber(value, 'an integer');
    if (found !== undefined && !Number.isInteger(found)) {
      throw new Misfit('expected an integer, found a number with a fraction');
    }
    if (found !== undefined && !Number.isSafeInteger(found)) throw losesDigits('an integer');
    return found;
  },
};

/** A number. */
export const number: Shape<number> = { read: (value) => toNumber(value, 'a number') };

/** A boolean; `"true"` and `"false"` in any case count. */
export const boolean: Shape<boolean> = {
  read(value) {
    if (value === null || value === undefined) return undefined;
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'string') throw misfit('a boolean', value);
    const lowered = value.toLowerCase();
    if (lowered !== 'true' && lowered !== 'false') {
      throw new Misfit('expected a boolean, found a string that is neither "true" nor "false"');
    }
    return lowered === 'true';
  },
};

/** A value of a union or of no declared type: passed through untouched, strings included. */
export const anything: Shape<unknown> = { read: (value) => (value === null ? undefined : value) };

/** A scalar of one of several types, none of them string: as the first that it fits. */
export function either<T>(...scalars: Shape<T>[]): Shape<T> {
  return {
    read(value) {
      for (const scalar of scalars) {
        try {
          return scalar.read(value);
        } catch (problem) {
          if (!(problem instanceof Misfit)) throw problem;
        }
      }
      throw new Misfit('expected a value of one of the declared types');
    },
  };
}

/** An array whose items have one shape. */
export function arrayOf<T>(items: Shape<T>): Shape<T[]> {
  return {
    read: (value) => readItems(value, items),
    *secrets(value) {
      if (Array.isArray(value)) for (const item of value) yield* items.secrets?.(item) ?? [];
    },
  };
}

/** An array with `uniqueItems: true` and `insertionOrder: false`: equal items are kept once, in the order they came. */
export function setOf<T>(items: Shape<T>): Shape<T[]> {
  const asArray = arrayOf(items);
  return {
    ...asArray,
    read(value) {
      const seen = new Map<string, T>();
      const found = readItems(value, items);
      for (const item of found ?? []) {
        const key = canonical(item);
        if (!seen.has(key)) seen.set(key, item);
      }
      return found && [...seen.values()];
    },
  };
}

/** An object with free keys whose values have one shape. */
export function mapOf<T>(values: Shape<T>): Shape<{ [key: string]: T }> {
  return {
    read(value) {
      if (value === null || value === undefined) return undefined;
      const found: { [key: string]: T } = {};
      for (const [key, item] of Object.entries(expectObject(value))) {
        setMember(found, key, item === null ? null : readAt(key, item, values));
      }
      return found;
    },
    *secrets(value) {
      if (isObject(value)) for (const item of Object.values(value)) yield* values.secrets?.(item) ?? [];
    },
  };
}

/**
 * An object with named properties. `fields` is asked when the model is first used, so that models may refer to each
 * other in any order.
 */
export function model<T extends object>(name: string, fields: () => Fields, options: ModelOptions = {}): Model<T> {
  return new Model<T>(name, fields, options);
}

/** What `model` makes. */
export class Model<T extends object> implements Shape<T> {
  readonly name: string;
  readonly #fields: () => Fields;
  readonly #options: ModelOptions;
  #known: Map<string, Shape<unknown>> | undefined;

  constructor(name: string, fields: () => Fields, options: ModelOptions) {
    this.name = name;
    this.#fields = fields;
    this.#options = options;
  }

  read(value: unknown): T | undefined {
    if (value === null || value === undefined) return undefined;
    const found: object = {};
    for (const [property, item] of Object.entries(expectObject(value))) {
      const shape = this.#shapes().get(property);
      // What the schema doesn't name is kept as it is, a null too, which only a declared property takes for absent.
      const kept = shape === undefined && this.#options.open === true;
      const read = kept ? item : readAt(property, item, shape ?? unknownProperty);
      if (read !== undefined) setMember(found, property, read);
    }
    return found as T;
  }

  *secrets(value: unknown): Iterable<string> {
    if (!isObject(value)) return;
    const hidden = this.#options.writeOnly ?? [];
    for (const [property, item] of Object.entries(value)) {
      if (hidden.includes(property)) yield* texts(item);
      else yield* this.#shapes().get(property)?.secrets?.(item) ?? [];
    }
  }

  #shapes(): Map<string, Shape<unknown>> {
    this.#known ??= new Map(Object.entries(this.#fields()));
    return this.#known;
  }
}

const unknownProperty: Shape<unknown> = {
  read() {
    throw new Misfit('unknown property');
  },
};

function* texts(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* texts(item);
}

function readAt<T>(step: string | number, value: unknown, shape: Shape<T>): T | undefined {
  try {
    return shape.read(value);
  } catch (problem) {
    if (problem instanceof Misfit) problem.path.unshift(step);
    throw problem;
  }
}

function readItems<T>(value: unknown, items: Shape<T>): T[] | undefined {
  if (value === null || value === undefined) return undefined;
  if (!Array.isArray(value)) throw misfit('an array', value);
  return value.map((item, index) => (item === null ? null : readAt(index, item, items)) as T);
}

function expectObject(value: unknown): object {
  if (!isObject(value)) throw misfit('an object', value);
  return value;
}

const NUMERAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

function toNumber(value: unknown, expected: string): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return fromNumeral(value, expected);
  if (typeof value !== 'number') throw misfit(expected, value);
  if (!Number.isFinite(value)) throw new Misfit(`expected ${expected}, found one that JSON cannot write`);
  return value;
}

function fromNumeral(text: string, expected: string): number {
  if (!NUMERAL.test(text)) throw misfit(expected, text);
  const found = Number(text);
  if (!Number.isFinite(found)) throw new Misfit(`expected ${expected}, found one that JSON cannot write`);
  // 9007199254740993 would silently become its neighbour.
  if (/^[+-]?\d+$/.test(text) && BigInt(found) !== BigInt(text.replace(/^\+/, ''))) {
    throw losesDigits(expected);
  }
  return found;
}

function losesDigits(expected: string): Misfit {
  return new Misfit(`expected ${expected} that JavaScript can hold without losing digits`);
}

function misfit(expected: string, value: unknown): Misfit {
  return new Misfit(`expected ${expected}, found ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
