/** Decoding of JSON. */
import { DecodeError } from '../api/errors.ts';
import type { RequestOperation } from '../api/operation.ts';
import { parseText } from './integers/keep-digits.ts';
import { mayHoldLong } from './integers/long-digits.ts';

/** Decodes UTF-8, without a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/**
 * Decodes a response as one string.
 * @throws {DecodeError} it exceeds the maximum string length
 */
export function wholeText(bytes: Uint8Array, operation: RequestOperation): string {
  try {
    return decodeText(bytes);
  } catch (cause) {
    const reason = `the text is too large to be given as one (${bytes.length} bytes); go through it as a stream`;
    throw new DecodeError(reason, operation, { cause });
  }
}

/** Returns the error for a body that cannot be decoded. Does not contain the body, which may be a secret. */
export function undecodable(
  cause: unknown,
  bytes: number,
  operation: RequestOperation,
  contentType: string | undefined,
): DecodeError {
  const badSyntax = cause instanceof SyntaxError;
  const reason = badSyntax ? whatItIs(contentType) : 'the response is too large for one string';
  // A SyntaxError quotes its input, so it is not the cause.
  return new DecodeError(`${reason} (${bytes} bytes)`, operation, badSyntax ? {} : { cause });
}

function whatItIs(contentType: string | undefined): string {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  return type === undefined || type === '' || type === 'application/json'
    ? 'the response is incomplete or not JSON'
    : `the response is ${type}, not JSON; is there a proxy or a login page in between?`;
}

/**
 * Decodes the body of a successful response. Keys such as `__proto__` are ordinary keys; integers beyond 2^53
 * keep their digits.
 * @throws {DecodeError} an empty, truncated or malformed body
 */
export function decodeJson(bytes: Uint8Array, operation: RequestOperation, contentType?: string): unknown {
  if (bytes.length === 0) throw new DecodeError('the response is empty', operation);
  try {
    return (mayHoldLong(bytes) ? parseText : JSON.parse)(decodeText(bytes));
  } catch (cause) {
    throw undecodable(cause, bytes.length, operation, contentType);
  }
}
