/** What a handler reaches AWS with. */

import type { Credentials } from './envelope.js';

/**
 * The caller's credentials and region, in the form in which clients of the AWS SDK for JavaScript v3 take them:
 *
 *     const s3 = new S3Client(session.clientConfig);
 */
export class Session {
  readonly credentials: Credentials;
  readonly region: string | undefined;

  constructor(credentials: Credentials, region: string | undefined) {
    this.credentials = credentials;
    this.region = region;
    Object.defineProperty(this, 'credentials', { enumerable: false }); // not shown where a session is logged
  }

  /** The configuration of a client: credentials and region. */
  get clientConfig(): { credentials: Credentials; region?: string } {
    const region = this.region ?? process.env['AWS_REGION'];
    return { credentials: { ...this.credentials }, ...(region === undefined ? {} : { region }) };
  }
}

/** The session of a request, or undefined where it brought no credentials. */
export function sessionOf(credentials: Credentials | undefined, region: string | undefined): Session | undefined {
  return credentials && new Session(credentials, region);
}
