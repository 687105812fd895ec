/**
 * Keeping secrets out of messages and logs: the request's credentials and its write-only values.
 *
 * Secrets are replaced in place, also inside other text. Values shorter than eight characters are not: they are
 * placeholders of tests rather than secrets, and masking every "t" would only make the texts unreadable.
 */

const MASK = '********';
const SHORTEST_SECRET = 8;

/** Replaces known secrets in texts; one object follows a request and learns its secrets as they are read. */
export class Redaction {
  #secrets: string[] = [];
  #pending: (() => Iterable<string>)[] = [];

  /** Mask these values from now on, in their percent-encoded form (in signed URLs) too. */
  add(secrets: Iterable<string>): void {
    for (const secret of secrets) {
      if (secret.length < SHORTEST_SECRET) continue;
      this.#secrets.push(secret);
      const encoded = secret.replace(/\+/g, '%2B').replace(/\//g, '%2F').replace(/=/g, '%3D');
      if (encoded !== secret) this.#secrets.push(encoded);
    }
    this.#secrets.sort((one, other) => other.length - one.length); // one inside a longer one must not split it
  }

  /** Mask what this gives; asked only when there is a text to mask. */
  addLater(secrets: () => Iterable<string>): void {
    this.#pending.push(secrets);
  }

  /** The text with every secret masked. */
  mask(text: string): string {
    if (text === '') return text;
    for (const each of this.#pending.splice(0)) this.add(each());
    return this.#secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
  }
}
