/** JSON values: what counts as equal, members by any name, and what a handler answered as JSON any parser reads. */

/** Whether the value is a JSON object. */
export function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Set a member whatever its name is: a plain assignment to `__proto__` would be lost. */
export function setMember(target: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (target as { [name: string]: unknown })[name] = value;
  }
}

/** A key, equal for equal JSON: `1` and `true` are not equal, and object keys have no order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined';
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(',')}}`;
}

/** A value that JSON cannot hold; the message names its place in the response and its type, never itself. */
export class NotJsonError extends TypeError {
  readonly place: string;
  readonly reason: string;

  constructor(place: string, reason: string) {
    super(`${place || 'the response'} ${reason}`);
    this.place = place;
    this.reason = reason;
  }
}

/**
 * The value as JSON that any parser reads back. Dates become ISO texts, sets arrays, maps objects, bigints numbers or
 * texts; undefined members are absent. Throws NotJsonError for what has no such form.
 */
export function toWire(value: unknown, place = ''): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new NotJsonError(place, 'is not a finite number, which JSON cannot hold');
      return value;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    case 'object':
      return value === null ? null : objectToWire(value, place);
    default:
      throw new NotJsonError(place, `is of type ${typeof value}, which JSON cannot hold`);
  }
}

const deepest = 200;

function objectToWire(value: object, place: string): unknown {
  if (place.split('/').length > deepest) throw new NotJsonError(place.slice(0, 40), 'is nested too deeply for JSON');
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new NotJsonError(place, 'is not a valid date');
    return value.toISOString();
  }
  if (Array.isArray(value) || value instanceof Set) {
    return [...value].map((item, index) => (item === undefined ? null : toWire(item, `${place}/${index}`)));
  }
  const written: object = {};
  const members = value instanceof Map ? value.entries() : Object.entries(value);
  for (const [name, item] of members) {
    if (item !== undefined) setMember(written, String(name), toWire(item, `${place}/${String(name)}`));
  }
  return written;
}
