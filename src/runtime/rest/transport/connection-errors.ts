/** Messages of connection failures. */

import { TransportError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import { messageOf } from '../../common/callbacks.ts';
import { memberAt } from '../../common/fields.ts';
import { readableText } from '../../common/readable.ts';
import { errorCode } from '../abort/error-codes.ts';
import { certificateOutOfTime, explainTls, onlyHttp1, proof } from '../tls/tls-errors.ts';

const midway = 'in the middle of the response';

/** Explanations by error code of the system or of undici. */
const explanations: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused; is the server running at that address?'],
  ['ENOTFOUND', 'the host name of the server cannot be resolved'],
  ['EAI_AGAIN', 'the host name of the server cannot be resolved at the moment'],
  ['EHOSTUNREACH', 'the host of the server cannot be reached'],
  ['ENETUNREACH', 'the network of the server cannot be reached'],
  ['EADDRNOTAVAIL', 'this machine has no address or port left to connect from'],
  ['EMFILE', 'this process has too many files and connections open'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was closed while the request was sent'],
  ['ETIMEDOUT', 'the connection timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection was established in time'],
  [
    'TLS_HANDSHAKE_TIMEOUT',
    'the server accepted the connection but did not finish the TLS handshake in time',
  ],
  ['UND_ERR_HEADERS_TIMEOUT', 'the server received the request but did not begin to respond in time'],
  ['UND_ERR_BODY_TIMEOUT', `the server stopped ${midway}`],
  ['UND_ERR_SOCKET', 'the server closed the connection'],
  ['UND_ERR_HEADERS_OVERFLOW', 'the headers of the response are too large'],
  ['HPE_HEADER_OVERFLOW', 'the headers of the response are too large'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'the length of the response differs from its content-length'],
  ['UND_ERR_INVALID_ARG', 'the request has a header or path that cannot be sent'],
  ['UND_ERR_PRX_TLS', 'the TLS connection to the proxy failed'],
]);

/** Details of the connection that failed. */
export interface FailedConnection {
  readonly origin: string;
  /** Whether certificate authorities are configured. */
  readonly hasCa: boolean;
  /** Whether the response had begun. */
  readonly hasResponse: boolean;
  /** URL of the proxy without user and password, for messages. */
  readonly proxy?: string | undefined;
  /** Client certificate in PEM: servers may close the connection for an expired one. */
  readonly clientCert?: string | undefined;
  /** Whether the request has no credentials besides a client certificate. */
  readonly isAnonymous?: boolean | undefined;
}

/**
 * Code of a TLS connection that the server closed before it sent anything, for a request without credentials.
 * Unlike other closed connections, it is not retried: the server requires a client certificate.
 */
const refusedCode = 'TLS_CLIENT_CERTIFICATE_REQUIRED';

/** TLS record type of an alert: the reply of a TLS server to anything but TLS. */
const tlsAlert = 0x15;

/** Codes of connections that the server closed, possibly because it rejected the client certificate. */
const closings: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Returns a `TransportError` that explains the failure of a connection. */
export function connectionFailed(
  error: unknown,
  operation: RequestOperation,
  connection: FailedConnection,
): TransportError {
  const { origin, proxy, hasResponse } = connection;
  const code = errorCode(error);
  const what = explain(error, code, connection);
  const when = hasResponse && !what.includes(midway) ? `, ${midway}` : '';
  const by = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  const where = `${origin}${by}${code === undefined ? '' : `, ${code}`}`;
  const isFinal = connection.isAnonymous === true && isRefused(error, code, connection);
  return new TransportError(`${what}${when}${hint(error, code, connection)} (${where})`, operation, {
    cause: withoutData(error),
    code: isFinal ? refusedCode : code,
  });
}

/**
 * undici attaches the bytes that it could not parse to the error, and Node a certificate: neither belongs
 * into logs.
 */
function withoutData(error: unknown): unknown {
  if (!isProtocolError(error) && !(error instanceof Error && 'cert' in error)) return error;
  return Object.assign(new Error(error.message), { name: error.name, code: errorCode(error) });
}

function isProtocolError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'HTTPParserError';
}

function hint(error: unknown, code: string | undefined, connection: FailedConnection): string {
  const { clientCert, hasResponse } = connection;
  if (hasResponse || code === undefined) return '';
  if (clientCert === undefined) {
    return isRefused(error, code, connection) ? `; does it require a client certificate (${proof})?` : '';
  }
  if (!closings.has(code) && !/^ERR_SSL_.*ALERT/.test(code)) return '';
  const problem = certificateOutOfTime(clientCert);
  return problem === undefined ? '' : `; ${problem}`;
}

/**
 * Returns whether the server may have closed a connection because it has no client certificate. In TLS 1.3
 * the server checks the certificate only after the handshake of the client is over.
 */
function isRefused(error: unknown, code: string | undefined, connection: FailedConnection): boolean {
  const { clientCert, hasResponse, origin } = connection;
  if (hasResponse || clientCert !== undefined || code === undefined) return false;
  return origin.startsWith('https:') && closings.has(code) && wasSilent(error);
}

/** Returns whether the server sent nothing on the connection, by the counters that undici attaches. */
function wasSilent(error: unknown): boolean {
  return memberAt(error, 'socket', 'bytesRead') === 0 && memberAt(error, 'socket', 'bytesWritten') !== 0;
}

function explain(error: unknown, code: string | undefined, connection: FailedConnection): string {
  const known = code === undefined ? undefined : explanations.get(code);
  if (known !== undefined) return known;
  if (isProtocolError(error)) return notHttp(error, connection);
  const tls = code === undefined ? undefined : explainTls(error, code, connection.hasCa);
  // Errors of OpenSSL end with a line break.
  return tls ?? readableText(messageOf(error));
}

function notHttp(error: Error, { hasResponse }: FailedConnection): string {
  const data = 'data' in error ? error.data : undefined;
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  if (hasResponse) return 'the server sent invalid HTTP';
  if (bytes instanceof Uint8Array && isSettings(bytes)) return `the server sent HTTP/2; ${onlyHttp1}`;
  return bytes instanceof Uint8Array && bytes[0] === tlsAlert && bytes[1] === 3
    ? 'the server speaks TLS at that address; should the URL begin with https://?'
    : 'the server does not speak HTTP at that address';
}

/** Returns whether bytes begin with the frame that begins HTTP/2: SETTINGS on stream 0. */
function isSettings(bytes: Uint8Array): boolean {
  return (
    bytes.length >= 9 && bytes[0] === 0 && bytes[3] === 4 && bytes.subarray(5, 9).every((byte) => byte === 0)
  );
}
