/**
 * What an AWS service's error means as a handler error code.
 *
 * Errors of the AWS SDK for JavaScript carry the service's code (`name` in version 3, `code` in version 2) and the HTTP
 * status; both are read by shape, so that no SDK need be installed. Codes are matched by their conventions
 * (`ThrottlingException`, `NoSuchBucket`, …) and by name where they follow none; the status decides what is left.
 */

import { isObject } from './json.js';
import type { HandlerErrorCode } from './protocol.js';

const BY_NAME: { readonly [code in HandlerErrorCode]?: readonly string[] } = {
  Throttling: [
    'BandwidthLimitExceeded',
    'PriorRequestNotComplete',
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'SlowDown',
    'TooManyRequestsException',
    'TransactionInProgressException',
  ],
  InvalidCredentials: [
    'AuthFailure',
    'CredentialsProviderError',
    'ExpiredToken',
    'ExpiredTokenException',
    'IncompleteSignature',
    'InvalidAccessKeyId',
    'InvalidClientTokenId',
    'InvalidSignatureException',
    'InvalidToken',
    'MissingAuthenticationToken',
    'MissingAuthenticationTokenException',
    'RequestExpired',
    'SignatureDoesNotMatch',
    'UnrecognizedClientException',
  ],
  AccessDenied: [
    'AuthorizationError',
    'Forbidden',
    'NotAuthorized',
    'OptInRequired',
    'UnauthorizedException',
    'UnauthorizedOperation',
  ],
  AlreadyExists: ['BucketAlreadyOwnedByYou', 'ResourceExistsException'],
  ResourceConflict: [
    'ConflictException',
    'DeleteConflict',
    'DependencyViolation',
    'IncorrectInstanceState',
    'IncorrectState',
    'InvalidStateException',
    'OperationAborted',
    'OperationInProgressException',
    'ResourceConflictException',
    'ResourceInUse',
    'ResourceInUseException',
  ],
  ServiceInternalError: [
    'InternalError',
    'InternalFailure',
    'InternalServerError',
    'InternalServerException',
    'ServiceUnavailable',
  ],
  InvalidRequest: ['MalformedPolicyDocument', 'ValidationError', 'ValidationException'],
};

const BY_PART: readonly (readonly [string, HandlerErrorCode])[] = [
  ['Throttl', 'Throttling'],
  ['AccessDenied', 'AccessDenied'],
  ['AlreadyExist', 'AlreadyExists'],
  ['.Duplicate', 'AlreadyExists'],
  ['NotFound', 'NotFound'],
  ['NoSuch', 'NotFound'],
  ['NonExistent', 'NotFound'],
  ['DoesNotExist', 'NotFound'],
  ['ConcurrentModification', 'ResourceConflict'],
  ['LimitExceeded', 'ServiceLimitExceeded'],
  ['QuotaExceeded', 'ServiceLimitExceeded'],
  ['InvalidParameter', 'InvalidRequest'],
];

const BY_STATUS: { readonly [status: number]: HandlerErrorCode } = {
  400: 'InvalidRequest',
  401: 'AccessDenied',
  403: 'AccessDenied',
  404: 'NotFound',
  409: 'ResourceConflict',
  410: 'NotFound',
  429: 'Throttling',
  503: 'Throttling',
  511: 'AccessDenied',
};

// What Node and the SDK's HTTP handler say of connections.
const NETWORK = /^(E(CONN|NETUN|HOSTUN|PIPE|TIMEDOUT|AI_AGAIN)|ENOTFOUND|TimeoutError$|NetworkingError$|UND_ERR_)/;

/** The service's own code of an SDK error, such as "ResourceInUseException"; undefined for any other error. */
export function serviceErrorCode(error: unknown): string | undefined {
  if (!isObject(error)) return undefined;
  if (isObject(error['$metadata'])) return String(error['name'] ?? '');
  const isVersion2 = typeof error['statusCode'] === 'number' && typeof error['code'] === 'string';
  return isVersion2 ? String(error['code']) : undefined;
}

/** The HTTP status of an SDK error, or undefined. */
export function httpStatus(error: unknown): number | undefined {
  if (!isObject(error)) return undefined;
  const metadata = error['$metadata'];
  const status = isObject(metadata) ? metadata['httpStatusCode'] : error['statusCode'];
  return typeof status === 'number' ? status : undefined;
}

/** The handler error code for an error of the SDK's or of the network, or undefined if it is neither. */
export function handlerErrorCode(error: unknown): HandlerErrorCode | undefined {
  if (!isObject(error)) return undefined;
  if (error['name'] === 'CredentialsProviderError') return 'InvalidCredentials';
  if (NETWORK.test(String(error['code'] ?? '')) || NETWORK.test(String(error['name'] ?? ''))) return 'NetworkFailure';
  const code = serviceErrorCode(error);
  if (code === undefined) return undefined;
  return byCode(code) ?? byStatus(httpStatus(error) ?? 0);
}

function byCode(code: string): HandlerErrorCode | undefined {
  for (const [meaning, names] of Object.entries(BY_NAME)) {
    if (names.includes(code)) return meaning as HandlerErrorCode;
  }
  return BY_PART.find(([part]) => code.includes(part))?.[1];
}

function byStatus(status: number): HandlerErrorCode {
  return BY_STATUS[status] ?? (status >= 500 ? 'ServiceInternalError' : 'GeneralServiceException');
}
