/**
 * Requests of certificates: PKCS #10.
 * @see https://www.rfc-editor.org/rfc/rfc2986
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { contentOf, elementsOf, identifierOf, sequence } from './der.ts';

/** The content of a request of a certificate. */
export interface CertificateRequest {
  /** Distinguished name in DER. */
  readonly subject: Buffer;
  /** Empty if the subject has none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly key: KeyObject;
  /** The general names of the extension `subjectAltName` in DER, or `undefined`. */
  readonly altNames: Buffer | undefined;
  /** Numbers of names of each kind. */
  readonly counts: Readonly<Record<AltName, number>>;
}

/** Kinds of alternative names of a subject. */
export type AltName = 'emails' | 'names' | 'uris' | 'addresses';

/** Tags of general names. */
const altNameTags: Readonly<Record<AltName, number>> = { emails: 1, names: 2, uris: 6, addresses: 7 };

const ids = {
  commonName: '550403',
  organization: '55040a',
  subjectAltName: '551d11',
  extensionRequest: '2a864886f70d01090e',
};

/** Reads a request in PEM. Returns `undefined` for anything else. */
export function readCertificateRequest(pem: string): CertificateRequest | undefined {
  const [, content] = /-----BEGIN CERTIFICATE REQUEST-----([^-]+)-----END/.exec(pem) ?? [];
  if (content === undefined) return undefined;
  try {
    return read(Buffer.from(content, 'base64'));
  } catch {
    return undefined; // Malformed DER, or a key of a type that OpenSSL does not support.
  }
}

function read(der: Buffer): CertificateRequest | undefined {
  const [info] = elementsOf(der);
  const [, subject, key, attributes] = info === undefined ? [] : elementsOf(info);
  if (subject === undefined || key === undefined) return undefined;
  const altNames = attributes === undefined ? undefined : altNamesIn(attributes);
  return {
    subject: inOrder(subject),
    commonName: namesIn(subject, ids.commonName)[0] ?? '',
    organizations: namesIn(subject, ids.organization),
    key: createPublicKey({ key, format: 'der', type: 'spki' }),
    altNames,
    counts: countsOf(altNames === undefined ? [] : elementsOf(altNames)),
  };
}

/** Order of the parts of a name in certificates that Go programs such as Kubernetes issue. */
const order = ['550406', '55040a', '55040b', '550407', '550408', '550409', '550411', '550403', '550405'];

function inOrder(subject: Buffer): Buffer {
  const rank = (part: Buffer): number => {
    const [type] = elementsOf(elementsOf(part)[0] ?? part);
    return type === undefined ? 0 : order.indexOf(identifierOf(type));
  };
  return sequence(elementsOf(subject).toSorted((a, b) => rank(a) - rank(b)));
}

function namesIn(subject: Buffer, id: string): readonly string[] {
  return elementsOf(subject)
    .flatMap(elementsOf)
    .map(elementsOf)
    .filter(([type]) => type !== undefined && identifierOf(type) === id)
    .flatMap(([, value]) => (value === undefined ? [] : [contentOf(value).toString('utf8')]));
}

function altNamesIn(attributes: Buffer): Buffer | undefined {
  const extensions = elementsOf(attributes)
    .map(elementsOf)
    .filter(([type]) => type !== undefined && identifierOf(type) === ids.extensionRequest)
    .flatMap(([, values]) => (values === undefined ? [] : elementsOf(values)))
    .flatMap(elementsOf);
  const found = extensions
    .map(elementsOf)
    .find(([type]) => type !== undefined && identifierOf(type) === ids.subjectAltName);
  const value = found?.at(-1);
  return value === undefined ? undefined : contentOf(value);
}

function countsOf(names: readonly Buffer[]): CertificateRequest['counts'] {
  const count = (kind: AltName): number =>
    names.filter((name) => ((name[0] ?? 0) & 0x1f) === altNameTags[kind]).length;
  return {
    emails: count('emails'),
    names: count('names'),
    uris: count('uris'),
    addresses: count('addresses'),
  };
}
