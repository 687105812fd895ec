/**
 * Fetching the target of a stack-level hook, which is too large for the request and comes as a presigned URL.
 *
 * A payload that is unavailable fails the request: a hook that judged an empty target instead would let everything pass.
 */

import { setTimeout as sleep } from 'node:timers/promises';

import { EnvelopeError } from './envelope.js';
import { isObject } from './json.js';
import type { JsonObject } from './protocol.js';

const ATTEMPTS = 4;
const TIMEOUT_MS = 5000; // with the pauses below the 30 seconds that a hook has
const RETRIED_STATUSES: readonly number[] = [500, 502, 503, 504];
const LIMIT_BYTES = 64 * 1024 * 1024;
const WHERE = 'the target at requestData.payload';

/**
 * The JSON object at a presigned URL; server errors and lost connections are tried again, 1, 2 and 4 seconds apart.
 * Messages name the reason, never the URL: its query is a credential.
 */
export async function fetchPayload(url: string, pause: (ms: number) => Promise<unknown> = sleep): Promise<JsonObject> {
  if (!/^https?:\/\//i.test(url)) throw new EnvelopeError('requestData.payload is not an http(s) URL');
  let reason = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await pause(1000 * 2 ** (attempt - 1));
    const found = await get(url);
    if (typeof found !== 'string') return parse(found);
    reason = found;
  }
  throw new EnvelopeError(`${WHERE} could not be fetched: ${reason}, ${ATTEMPTS} times`);
}

/** The bytes, or why they may be there the next time. */
async function get(url: string): Promise<Buffer | string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (RETRIED_STATUSES.includes(answer.status)) {
      await answer.body?.cancel();
      return `HTTP status ${answer.status}`;
    }
    if (!answer.ok) throw new EnvelopeError(`${WHERE} could not be fetched: HTTP status ${answer.status}`);
    return await readLimited(answer);
  } catch (error) {
    if (error instanceof EnvelopeError) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = isObject(cause) ? cause['code'] : undefined;
    return typeof code === 'string' ? code : cause instanceof Error ? cause.name : 'no answer';
  }
}

async function readLimited(answer: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = answer.body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) return Buffer.concat(pieces);
    size += piece.value.byteLength;
    if (size > LIMIT_BYTES) {
      await reader?.cancel();
      throw new EnvelopeError(`${WHERE} is larger than ${LIMIT_BYTES} bytes`);
    }
    pieces.push(piece.value);
  }
}

function parse(body: Buffer): JsonObject {
  let document: unknown;
  try {
    document = JSON.parse(body.toString('utf8'));
  } catch {
    throw new EnvelopeError(`${WHERE} is not a JSON document`);
  }
  if (!isObject(document)) throw new EnvelopeError(`${WHERE} is not a JSON object`);
  return document as JsonObject;
}
