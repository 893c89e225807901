/** What a broken connection means, in words. */
import { TransportError } from '../errors.ts';
import { errorCode } from './codes.ts';
import type { Operation } from './types.ts';

const midway = 'in the middle of its answer';
const untrusted =
  "the server's certificate is signed by an authority that is not trusted; give it as certificate-authority-data or `ca`";
const untrustedDespiteCa =
  "the server's certificate is not signed by an authority in certificate-authority-data or `ca`; " +
  'is that the authority of this server?';

/** Codes that mean something else when a CA was given, and was not the right one. */
const distrust: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_SIGNATURE_FAILURE',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
]);

/** Explanations by the code of the system, of Node's TLS or of undici. */
const explanations: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused; is the server running at that address?'],
  ['ENOTFOUND', 'the host name of the server is not known'],
  ['EAI_AGAIN', 'the host name of the server could not be looked up at the moment'],
  ['EHOSTUNREACH', 'the host of the server cannot be reached'],
  ['ENETUNREACH', 'the network of the server cannot be reached'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was closed while the request was sent'],
  ['ETIMEDOUT', 'the connection timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection could be made in time'],
  ['UND_ERR_HEADERS_TIMEOUT', 'the server took the request and did not begin to answer in time'],
  ['UND_ERR_BODY_TIMEOUT', `the server stopped ${midway}`],
  ['UND_ERR_SOCKET', 'the server closed the connection'],
  ['UND_ERR_HEADERS_OVERFLOW', 'the headers of the answer are too large'],
  ['CERT_HAS_EXPIRED', "the server's certificate has expired"],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    "the server's certificate is self-signed; give its authority as certificate-authority-data or `ca`",
  ],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['CERT_SIGNATURE_FAILURE', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT', untrusted],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    "the server's certificate is for another name; set tls-server-name if that is meant",
  ],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'the server does not speak TLS at that address; should the URL begin with http://?',
  ],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'the server wants a client certificate'],
]);

/** What is known of the connection that failed. */
export interface FailedConnection {
  readonly origin: string;
  /** Whether authorities were given to trust. */
  readonly hasCa: boolean;
  /** Whether the answer had begun. */
  readonly answering: boolean;
}

function explain(error: unknown, code: string | undefined, hasCa: boolean): string {
  if (isProtocolError(error)) return 'the server does not speak HTTP at that address';
  if (hasCa && code !== undefined && distrust.has(code)) return untrustedDespiteCa;
  return explanations.get(code ?? '') ?? (error instanceof Error ? error.message : String(error));
}

function isProtocolError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'HTTPParserError';
}

/** undici keeps the bytes that it could not read with the error: they may be anything, credentials too. */
function withoutData(error: unknown): unknown {
  if (!isProtocolError(error)) return error;
  return Object.assign(new Error(error.message), { name: error.name, code: errorCode(error) });
}

/** A `TransportError` that says what happened to the connection. */
export function connectionFailed(
  error: unknown,
  operation: Operation,
  { origin, hasCa, answering }: FailedConnection,
): TransportError {
  const code = errorCode(error);
  const what =
    answering && isProtocolError(error) ? 'the server sent what is not HTTP' : explain(error, code, hasCa);
  const when = answering && !what.includes(midway) ? `, ${midway}` : '';
  const message = `${what}${when} (${origin}${code === undefined ? '' : `, ${code}`})`;
  return new TransportError(message, operation, { cause: withoutData(error), code });
}
