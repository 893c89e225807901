/** Facts of a certificate: its names and its validity. */
import { createHash, X509Certificate } from 'node:crypto';

/** Names, addresses and validity of a certificate. */
export interface CertificateFacts {
  /** Distinguished name, such as `CN=kgen-test-ca`. */
  readonly subject: string;
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
  return read(pem).facts;
}

/** Returns whether the authority with certificate `authority` has signed `leaf`; both in PEM. */
export function isSignedBy(leaf: string, authority: string): boolean {
  const [signed, issuer] = [read(leaf), read(authority)];
  const known = signed.signers.get(authority);
  if (known !== undefined) return known;
  const isSigned =
    signed.certificate.checkIssued(issuer.certificate) &&
    signed.certificate.verify(issuer.certificate.publicKey);
  signed.signers.set(authority, isSigned);
  return isSigned;
}

interface ReadCertificate {
  readonly certificate: X509Certificate;
  readonly facts: CertificateFacts;
  /** Whether authorities have signed it, as far as this was checked, by their PEM. */
  readonly signers: Map<string, boolean>;
}

/** The last certificates that were read: a rotation reads the same few in each of its steps. */
const lastRead = new Map<string, ReadCertificate>();
const mostRead = 100;

function read(pem: string): ReadCertificate {
  const known = lastRead.get(pem);
  if (known !== undefined) return known;
  const certificate = parse(pem);
  if (lastRead.size >= mostRead) lastRead.clear();
  const result = { certificate, facts: factsOf(certificate), signers: new Map<string, boolean>() };
  lastRead.set(pem, result);
  return result;
}

function parse(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new TypeError('the text has no certificate in PEM', { cause: error });
  }
}

function factsOf(certificate: X509Certificate): CertificateFacts {
  const hosts = (certificate.subjectAltName ?? '').split(', ');
  const after = (prefix: string): readonly string[] =>
    hosts.filter((host) => host.startsWith(prefix)).map((host) => host.slice(prefix.length));
  return {
    subject: certificate.subject,
    names: after('DNS:'),
    addresses: after('IP Address:'),
    from: Date.parse(certificate.validFrom),
    until: Date.parse(certificate.validTo),
    fingerprint: createHash('sha256').update(certificate.raw).digest('hex'),
  };
}

/** Returns the certificates of a PEM, such as a bundle; texts between them are omitted. */
export function splitBundle(pem: string): readonly string[] {
  return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (each) => `${each}\n`,
  );
}
