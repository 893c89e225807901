/** Whom a certificate has to be for, and what is asked for in the handshake. The rules are those of Go. */
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** The code of a certificate whose only fitting name is its common name. */
export const commonNameOnlyCode = 'CERT_COMMON_NAME_ONLY';

/** The name of the other side of a TLS connection. */
export interface ServerName {
  /** What is asked for by SNI; empty for an address, which SNI cannot name. */
  readonly servername: string;
  /** Checks the certificate against the name or address, whatever host the connection was made to. */
  readonly checkServerIdentity: (host: string, certificate: PeerCertificate) => Error | undefined;
}

function commonNameOnly(host: string): Error {
  const message =
    `the certificate of ${host} has that name as its common name (CN) alone, which is not accepted; ` +
    'issue one that has it as a subject alternative name (SAN)';
  return Object.assign(new Error(message), { code: commonNameOnlyCode });
}

/**
 * Checks a certificate against a name or an address. Only subject alternative names count: Node would also accept the
 * common name of a certificate without DNS names.
 */
function identityProblem(host: string, certificate: PeerCertificate): Error | undefined {
  const withoutCommonName = { ...certificate, subject: { ...certificate.subject, CN: '' } };
  const problem = checkServerIdentity(host, withoutCommonName);
  if (problem === undefined || certificate.subjectaltname) return problem;
  return checkServerIdentity(host, certificate) === undefined ? commonNameOnly(host) : problem;
}

/** @param host a name or an address, which may be in brackets: that of the URL, or the one that is expected instead */
export function serverNameOf(host: string): ServerName {
  const expected = host.replace(/^\[|\]$/g, '');
  return {
    servername: isIP(expected) === 0 ? expected.replace(/\.+$/, '') : '',
    checkServerIdentity: (_, certificate) => identityProblem(expected, certificate),
  };
}
