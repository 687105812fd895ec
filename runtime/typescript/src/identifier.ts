/** Physical names for resources whose template names none. */

import { createHash } from 'node:crypto';

const STACK_ARN = /^[a-z0-9:-]*stack\/([-a-zA-Z0-9]*)\/[-a-zA-Z0-9]*/;
const DIGEST_LENGTH = 12;
const MINIMUM_LENGTH = 15;

/** What a name is made of. */
export interface Named {
  stackId?: string | undefined;
  logicalResourceIdentifier?: string | undefined;
  clientRequestToken?: string | undefined;
}

/**
 * Name a resource `<stack>-<logical id>-<12 hex digits of the token>`, shortened to `maxLength` characters.
 *
 * The same token gives the same name, so that a retried create finds what it made; a handler's request may be passed as
 * it is. Leading dashes, which most services refuse, are removed. Names are those of the Python library.
 */
export function generateResourceIdentifier(named: Named, maxLength: number): string {
  if (maxLength < MINIMUM_LENGTH) {
    throw new RangeError(`maxLength is ${maxLength}; a generated identifier needs at least ${MINIMUM_LENGTH}`);
  }
  const given = named.stackId ?? '';
  const stack = (STACK_ARN.exec(given)?.[1] ?? given).replace(/^-+/, '');
  const logical = (named.logicalResourceIdentifier ?? '').replace(/^-+/, '');
  const digest = createHash('sha1').update(named.clientRequestToken ?? '').digest('hex').slice(0, DIGEST_LENGTH);
  const separated = maxLength > MINIMUM_LENGTH + 2;
  const free = maxLength - DIGEST_LENGTH - 1 - (separated ? 1 : 0);
  const logicalLength = Math.min(Math.floor(free / 2), logical.length);
  const stackPart = stack.slice(0, free - logicalLength);
  const separator = separated && stackPart ? '-' : '';
  return `${stackPart}${separator}${logical.slice(0, logicalLength)}-${digest}`.replace(/^-+/, '');
}
