/** Verification of server certificates, and the name for SNI. The rules are those of Go. */
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** Error code of a certificate that matches only by its common name. */
export const commonNameOnlyCode = 'CERT_COMMON_NAME_ONLY';

/** Name of the other side of a TLS connection. */
export interface ServerName {
  /** Name for SNI; empty for an IP address, which SNI does not support. */
  readonly servername: string;
  /** Verifies the certificate against the name or address, whichever host the connection was opened to. */
  readonly checkServerIdentity: (host: string, certificate: PeerCertificate) => Error | undefined;
}

/** @param host name or address, optionally in brackets: that of the URL, or the expected one in its place */
export function serverNameOf(host: string): ServerName {
  const expected = host.replace(/^\[|\]$/g, '');
  return {
    servername: isIP(expected) === 0 ? expected.replace(/(?<!\.)\.+$/, '') : '',
    checkServerIdentity: (_, certificate) => identityProblem(expected, certificate),
  };
}

/**
 * Verifies a certificate against a name or an address. Only subject alternative names count: Node would also
 * accept the common name of a certificate without DNS names.
 */
function identityProblem(host: string, certificate: PeerCertificate): Error | undefined {
  const withoutCommonName = { ...certificate, subject: { ...certificate.subject, CN: '' } };
  const problem = checkServerIdentity(host, withoutCommonName);
  if (problem === undefined || certificate.subjectaltname) return problem;
  return checkServerIdentity(host, certificate) === undefined ? commonNameOnly(host) : problem;
}

function commonNameOnly(host: string): Error {
  const message =
    `the certificate of ${host} has that name only as its common name (CN), which is not accepted; ` +
    'issue one with it as a subject alternative name (SAN)';
  return Object.assign(new Error(message), { code: commonNameOnlyCode });
}
