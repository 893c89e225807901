/** Facts of a certificate: its names and its validity. */
import { createHash, X509Certificate } from 'node:crypto';

/** Names, addresses and validity of a certificate. */
export interface CertificateFacts {
  readonly names: readonly string[];
  readonly addresses: readonly string[];
  /** Start and end of the validity, in milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
  /** SHA-256 of its DER, in hexadecimal digits. */
  readonly fingerprint: string;
}

/**
 * Returns the facts of the first certificate of a PEM.
 * @throws TypeError for a text without a certificate
 */
export function certificateFacts(pem: string): CertificateFacts {
  const certificate = parse(pem);
  const hosts = (certificate.subjectAltName ?? '').split(', ');
  const after = (prefix: string): readonly string[] =>
    hosts.filter((host) => host.startsWith(prefix)).map((host) => host.slice(prefix.length));
  return {
    names: after('DNS:'),
    addresses: after('IP Address:'),
    from: Date.parse(certificate.validFrom),
    until: Date.parse(certificate.validTo),
    fingerprint: createHash('sha256').update(certificate.raw).digest('hex'),
  };
}

/** Returns whether the authority with certificate `authority` has signed `leaf`; both in PEM. */
export function isSignedBy(leaf: string, authority: string): boolean {
  const issuer = parse(authority);
  return parse(leaf).checkIssued(issuer) && parse(leaf).verify(issuer.publicKey);
}

function parse(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new TypeError('the text has no certificate in PEM', { cause: error });
  }
}

/** Returns the certificates of a PEM, such as a bundle; texts between them are omitted. */
export function splitBundle(pem: string): readonly string[] {
  return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (each) => `${each}\n`,
  );
}
