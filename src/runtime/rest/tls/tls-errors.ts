/** Explanations of TLS errors. */
import { X509Certificate } from 'node:crypto';
import { printable } from '../../common/printable.ts';

const authority = 'set it as certificate-authority-data or `ca`';
const untrusted = `the server's certificate is signed by an authority that is not trusted; ${authority}`;
const untrustedDespiteCa =
  "the server's certificate is not signed by an authority in certificate-authority-data or `ca`; " +
  'is that the authority of this server?';
/** Advice for a server that supports only HTTP/2. */
export const onlyHttp1 = 'kgen uses HTTP/1.1, which the server or the proxy before it must support';
/** Settings of a client certificate. */
export const proof = 'client-certificate-data and client-key-data, or `cert` and `key`';

/** Codes that have another meaning if a CA is configured and does not match. */
const distrust: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_SIGNATURE_FAILURE',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
]);

/** Problems of the server certificate, by the code of Node's TLS. */
const refusals: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', "the server's certificate, or one of an authority above it, has expired"],
  ['CERT_NOT_YET_VALID', "the server's certificate is not valid yet; is the clock of this machine right?"],
  ['CERT_REVOKED', "the server's certificate was revoked"],
  ['INVALID_PURPOSE', "the server's certificate is not one for servers"],
  ['INVALID_CA', "the server's certificate is signed by a certificate that is not an authority"],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    `the server's certificate is self-signed; if that is intended, ${authority}`,
  ],
]);

/**
 * Errors of OpenSSL, by a part of their code: `ERR_SSL_SSLV3_ALERT_…`, `ERR_SSL_TLSV1_ALERT_…` and, since
 * 3.2, `ERR_SSL_SSL/TLS_ALERT_…` name the same alerts. The server sends alerts about the client certificate.
 */
const reports: readonly (readonly [part: string, words: string])[] = [
  ['ALERT_CERTIFICATE_REQUIRED', `the server requires a client certificate; set ${proof}`],
  ['ALERT_CERTIFICATE_EXPIRED', 'the server rejected the client certificate as expired'],
  ['ALERT_CERTIFICATE_REVOKED', 'the server rejected the client certificate as revoked'],
  ['ALERT_UNKNOWN_CA', 'the server does not trust the authority of the client certificate'],
  ['ALERT_BAD_CERTIFICATE', 'the server rejected the client certificate'],
  ['ALERT_UNSUPPORTED_CERTIFICATE', 'the server does not support client certificates of this type'],
  ['ALERT_CERTIFICATE_UNKNOWN', 'the server rejected the client certificate'],
  ['ALERT_DECRYPT_ERROR', 'the server could not check the client certificate; does its key belong to it?'],
  ['ALERT_ACCESS_DENIED', 'the server rejected the client certificate'],
  ['ALERT_UNRECOGNIZED_NAME', 'the server does not know the requested name (SNI); see tls-server-name'],
  [
    'ALERT_HANDSHAKE_FAILURE',
    `the server ended the handshake; does it require a client certificate (${proof})?`,
  ],
  ['ALERT_NO_APPLICATION_PROTOCOL', `the server does not support HTTP/1.1; ${onlyHttp1}`],
  ['PROTOCOL_VERSION', 'the server does not support TLS 1.2 or newer'],
  ['UNSUPPORTED_PROTOCOL', 'the server does not support TLS 1.2 or newer'],
  [
    'WRONG_VERSION_NUMBER',
    'the server does not speak TLS at that address; should the URL begin with http://?',
  ],
  [
    'PACKET_LENGTH_TOO_LONG',
    'the server does not speak TLS at that address; should the URL begin with http://?',
  ],
];

/** Maximum characters of a certificate's names in a message. */
const namesLength = 300;

/** Returns the explanation of a TLS error code; `undefined` for other codes. */
export function explainTls(error: unknown, code: string, hasCa: boolean): string | undefined {
  if (hasCa && distrust.has(code)) return untrustedDespiteCa;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return wrongName(error);
  const refusal = refusals.get(code) ?? (distrust.has(code) ? untrusted : undefined);
  return refusal ?? reports.find(([part]) => code.startsWith('ERR_SSL_') && code.includes(part))?.[1];
}

function wrongName(error: unknown): string {
  const names = namesIn(error);
  return names === ''
    ? "the server's certificate has no subject alternative names (SAN); issue one with the name or address of the server"
    : `the server's certificate is for another name: ${names}; set tls-server-name if that is intended`;
}

/**
 * Returns the names of a certificate that Node attaches to an error; empty without one. Their content is
 * untrusted.
 */
function namesIn(error: unknown): string {
  const cert = error instanceof Error && 'cert' in error ? error.cert : undefined;
  const names = cert instanceof Object && 'subjectaltname' in cert ? cert.subjectaltname : undefined;
  if (typeof names !== 'string' || names === '') return '';
  const shown = printable(names);
  return shown.length > namesLength ? `${shown.slice(0, namesLength)}…` : shown;
}

/**
 * Describes an expired client certificate, or one that is not valid yet: servers that refuse one seldom give
 * a reason.
 * @param pem PEM that begins with the client's own certificate
 */
export function certificateOutOfTime(pem: string, now: number = Date.now()): string | undefined {
  try {
    const { validFrom, validTo } = new X509Certificate(pem);
    if (now > Date.parse(validTo)) return `the client certificate expired on ${day(validTo)}`;
    if (now < Date.parse(validFrom)) return `the client certificate is not valid before ${day(validFrom)}`;
    return undefined;
  } catch {
    // An invalid certificate is rejected with a reason when TLS loads it.
    return undefined;
  }
}

function day(date: string): string {
  return new Date(date).toISOString().slice(0, 10);
}
