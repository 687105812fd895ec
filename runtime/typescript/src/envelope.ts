/** Reading requests: the members that every kind has, wrong ones named, unknown ones ignored. */

import { gunzipSync } from 'node:zlib';

import { isObject } from './json.js';
import { Misfit } from './shapes.js';
import type { JsonObject } from './protocol.js';

/** The request is not one that CloudFormation sends; the message names the member. */
export class EnvelopeError extends Error {}

/** Temporary AWS credentials, as a request carries them and as the AWS SDK takes them. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

// Lambda's payload limit is 6 MB; a document that unpacks to more than ten times that is a bomb, not a request.
const UNPACKED_LIMIT = 64 * 1024 * 1024;

// Regions of other partitions, by what their names begin with.
const PARTITIONS: readonly (readonly [string, string])[] = [
  ['cn-', 'aws-cn'],
  ['us-gov-', 'aws-us-gov'],
  ['us-isob-', 'aws-iso-b'],
  ['us-isof-', 'aws-iso-f'],
  ['us-iso-', 'aws-iso'],
  ['eu-isoe-', 'aws-iso-e'],
  ['eusc-', 'aws-eusc'],
];

/** The AWS partition that a region belongs to. */
export function partitionOf(region: string | undefined): string | undefined {
  if (region === undefined) return undefined;
  return PARTITIONS.find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'aws';
}

/** One object of a request and its place in it, read member by member. */
export class Members {
  readonly #value: { [name: string]: unknown };
  readonly #place: string;

  constructor(value: unknown, place = '') {
    if (!isObject(value)) throw new EnvelopeError(`${place || 'the request'} must be a JSON object`);
    this.#value = value;
    this.#place = place;
  }

  /** The member as it is. */
  get(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
  }

  /** The member's place in the request, such as `requestData.callerCredentials`. */
  place(name: string): string {
    return this.#place ? `${this.#place}.${name}` : name;
  }

  /** A text that must be there. */
  required(name: string): string {
    const value = this.get(name);
    if (typeof value !== 'string' || value === '') throw new EnvelopeError(`the request lacks ${this.place(name)}`);
    return value;
  }

  /** A text, or undefined where it is absent. */
  text(name: string): string | undefined {
    const value = this.get(name);
    if (value === null || value === undefined) return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  /** An object that must be there. */
  members(name: string): Members {
    const value = this.get(name);
    if (value === null || value === undefined) throw new EnvelopeError(`the request lacks ${this.place(name)}`);
    return new Members(value, this.place(name));
  }

  /** A free object, or undefined where it is absent or null. */
  object(name: string): JsonObject | undefined {
    const value = this.get(name);
    if (value === null || value === undefined) return undefined;
    if (!isObject(value)) throw new EnvelopeError(`${this.place(name)} must be a JSON object`);
    return value as JsonObject;
  }

  /** Credentials (an object, or the same as JSON text in a hook's request), or undefined where there are none. */
  credentials(name: string): Credentials | undefined {
    return parseCredentials(this.get(name), this.place(name));
  }

  /** A member of a vocabulary that must be there. */
  oneOf<T extends string>(name: string, vocabulary: { readonly [name: string]: T }): T {
    const value = this.required(name);
    const found = Object.values(vocabulary).find((each) => each === value);
    if (found === undefined) {
      const known = Object.values(vocabulary).join(', ');
      throw new EnvelopeError(`${this.place(name)} is '${value}', which is none of ${known}`);
    }
    return found;
  }
}

/** Whether a request has CloudFormation's envelope: AWS's `cfn test` sends it to TestEntrypoint, too. */
export function isEnveloped(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'requestData' in event && !('request' in event);
}

/** The request, decompressed where the caller packed it (`gzip_base64`). */
export function unpack(event: unknown): Members {
  const members = new Members(event);
  if (members.get('__COMPRESSED__') === undefined) return members;
  const method = members.get('__COMPRESSION_METHOD__');
  if (method !== 'gzip_base64') {
    throw new EnvelopeError(`__COMPRESSION_METHOD__ is '${String(method)}'; only gzip_base64 is known`);
  }
  const packed = Buffer.from(members.required('__COMPRESSED__'), 'base64');
  let document: unknown;
  try {
    document = JSON.parse(gunzipSync(packed, { maxOutputLength: UNPACKED_LIMIT }).toString('utf8'));
  } catch {
    throw new EnvelopeError(`__COMPRESSED__ is not gzipped JSON of at most ${UNPACKED_LIMIT} bytes in base64`);
  }
  return new Members(document);
}

function parseCredentials(given: unknown, place: string): Credentials | undefined {
  let value = given;
  if (typeof value === 'string' && value !== '') {
    try {
      value = JSON.parse(value);
    } catch {
      throw new EnvelopeError(`${place} is not a JSON document; encrypted credentials are not supported`);
    }
  }
  if (!value || (isObject(value) && Object.keys(value).length === 0)) return undefined;
  const members = new Members(value, place);
  for (const name of ['accessKeyId', 'secretAccessKey']) {
    if (typeof members.get(name) !== 'string' || members.get(name) === '') {
      throw new EnvelopeError(`${place} lacks ${name}`);
    }
  }
  const sessionToken = members.text('sessionToken');
  return {
    accessKeyId: members.required('accessKeyId'),
    secretAccessKey: members.required('secretAccessKey'),
    ...(sessionToken ? { sessionToken } : {}),
  };
}

/** The values of credentials that must not be shown. */
export function secretsOf(credentials: Credentials | undefined): string[] {
  return credentials === undefined ? [] : Object.values(credentials);
}

/** What a misfit says, with the model's name. */
export function describeMisfit(name: string, problem: unknown): string {
  return problem instanceof Misfit ? `${name}: ${problem.toString()}` : String(problem);
}
