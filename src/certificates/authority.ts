/**
 * Authorities, and the certificates of servers and clients that they issue: ECDSA with P-256.
 * @see https://www.rfc-editor.org/rfc/rfc5280
 */
import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import {
  bitString,
  context,
  elementsOf,
  integer,
  objectId,
  octetString,
  sequence,
  set,
  time,
  utf8String,
  yes,
} from './der.ts';
import { certificateFacts } from './facts.ts';
import type { CertificateRequest } from './requests.ts';

/** A certificate and its private key in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Options of an authority and of the certificates that it issues. */
export interface AuthorityOptions {
  /** Common name. Default: `kgen-test-ca`. */
  readonly name?: string | undefined;
  /** Validity of its own certificate after the present, in milliseconds. Default: 30 days. */
  readonly validMs?: number | undefined;
  /** Time before the present at which validity begins, in milliseconds: clocks differ. Default: one day. */
  readonly earlyMs?: number | undefined;
  /** Returns the present in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Returns so many bytes, for keys and serial numbers. Default: `randomBytes` of `node:crypto`. */
  readonly randomBytes?: ((size: number) => Uint8Array) | undefined;
}

/** A certificate authority. */
export interface CertificateAuthority {
  /** Its certificate in PEM. */
  readonly cert: string;
  /** Returns its certificate and its private key, with which `restoreAuthority` creates it again. */
  pair(): KeyPair;
  /**
   * Issues a certificate for a server with these names and addresses, which is valid for `validMs`
   * milliseconds. Default: 30 days.
   */
  issueServer(name: string, hosts: Hosts, validMs?: number): KeyPair;
  /**
   * Issues a certificate that authenticates `name` as a member of `groups`.
   *
   * @throws TypeError for an empty name or group
   */
  issueClient(name: string, groups: readonly string[]): KeyPair;
  /** Issues the certificate of an intermediate authority, which issues certificates itself. */
  issueAuthority(name: string): CertificateAuthority;
  /**
   * Issues a certificate for the name and the key of another authority, as long as its own is valid: servers
   * that send it after their own certificate are trusted by clients that trust either authority.
   */
  crossSign(other: KeyPair): string;
  /**
   * Issues the certificate of a request, in PEM. It ends with that of the authority at the latest.
   * @param validity in milliseconds since 1970
   */
  sign(request: CertificateRequest, validity: Validity, usages: readonly KeyUsage[]): string;
}

/** Begin and end of the validity of a certificate, in milliseconds since 1970. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

/** Usages of keys that requests may have. */
export type KeyUsage = 'digital signature' | 'key encipherment' | 'client auth' | 'server auth';

/** Names and addresses for which a server's certificate is valid. */
export interface Hosts {
  readonly names: readonly string[];
  readonly addresses: readonly string[];
}

const dayMs = 86_400_000;
const usualMs = 30 * dayMs;

/** Creates an authority with a new key. */
export function createAuthority(options: AuthorityOptions = {}): CertificateAuthority {
  return authority(options.name ?? 'kgen-test-ca', new Issuance(options), options.validMs ?? usualMs);
}

/**
 * Restores an authority from the pair that its `pair` returned.
 * @throws TypeError for a certificate that is not one of an authority, or a key of another one. The message
 * contains no part of the pair.
 */
export function restoreAuthority(pair: KeyPair, options: AuthorityOptions = {}): CertificateAuthority {
  return issuing(holderOf(pair), pair.cert, new Issuance(options));
}

function holderOf(pair: KeyPair): Holder {
  const [key, certificate] = [privateKeyOf(pair.key), certificateOf(pair.cert)];
  if (key === undefined || certificate === undefined) {
    throw new TypeError('an authority needs a certificate and a key in PEM');
  }
  if (!certificate.ca || !certificate.checkPrivateKey(key)) {
    throw new TypeError('the key does not belong to the certificate of an authority');
  }
  return { name: subjectOf(certificate), key };
}

function privateKeyOf(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined; // The error of OpenSSL could contain parts of the key.
  }
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** Returns the distinguished name of the subject in DER. */
function subjectOf({ raw }: X509Certificate): Buffer {
  const [content = raw] = elementsOf(raw);
  // Version, serial number, algorithm, issuer, validity.
  const [, , , , , subject = content] = elementsOf(content);
  return subject;
}

/** @param above issuer of its certificate; default: the authority itself */
function authority(
  common: string,
  issuance: Issuance,
  validMs: number,
  above?: Holder,
): CertificateAuthority {
  const own = { name: distinguishedName(common, []), key: issuance.createKey() };
  const cert = issuance.certify(above ?? own, own, validMs, authorityExtensions());
  return issuing(own, cert, issuance);
}

function issuing(own: Holder, cert: string, issuance: Issuance): CertificateAuthority {
  return {
    cert,
    pair: () => ({ cert, key: privatePem(own.key) }),
    issueServer: (name, hosts, validMs = usualMs) =>
      issuance.issue(own, distinguishedName(name, []), validMs, serverExtensions(hosts)),
    issueClient: (name, groups) =>
      issuance.issue(own, distinguishedName(name, groups), usualMs, extensionsFor(ids.clientAuth)),
    issueAuthority: (name) => authority(name, issuance, usualMs, own),
    crossSign: (other) =>
      issuance.certify(
        own,
        holderOf(other),
        certificateFacts(cert).until - issuance.now,
        authorityExtensions(),
      ),
    sign: ({ subject, key, altNames }, { from, until }, usages) => {
      const last = Math.min(until, certificateFacts(cert).until);
      const extensions = requestedExtensions(usages, altNames);
      return issuance.certifyFor(own, { name: subject, key }, { from, until: last }, extensions);
    },
  };
}

/** The holder of a key. */
interface Holder {
  /** Distinguished name. */
  readonly name: Buffer;
  readonly key: KeyObject;
}

const ids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
};

/** Issues certificates with the clock and the randomness of its options. */
class Issuance {
  readonly #options: AuthorityOptions;

  constructor(options: AuthorityOptions) {
    this.#options = options;
  }

  get now(): number {
    return (this.#options.now ?? Date.now)();
  }

  issue(issuer: Holder, name: Buffer, validMs: number, extensions: readonly Buffer[]): KeyPair {
    const key = this.createKey();
    return { cert: this.certify(issuer, { name, key }, validMs, extensions), key: privatePem(key) };
  }

  createKey(): KeyObject {
    const pair = createECDH('prime256v1');
    // A number of these bytes is a valid key but for a chance of 2^-32, in which the function throws.
    pair.setPrivateKey(this.#random(32));
    const point = pair.getPublicKey();
    const part = (bytes: Buffer): string => bytes.toString('base64url');
    const coordinates = { x: part(point.subarray(1, 33)), y: part(point.subarray(33)) };
    const key = { kty: 'EC', crv: 'P-256', d: pair.getPrivateKey('base64url'), ...coordinates };
    return createPrivateKey({ key, format: 'jwk' });
  }

  certify(issuer: Holder, subject: Holder, validMs: number, extensions: readonly Buffer[]): string {
    const { earlyMs = dayMs } = this.#options;
    const present = this.now;
    return this.certifyFor(
      issuer,
      subject,
      { from: present - earlyMs, until: present + validMs },
      extensions,
    );
  }

  certifyFor(issuer: Holder, subject: Holder, validity: Validity, extensions: readonly Buffer[]): string {
    const algorithm = sequence([objectId(ids.ecdsaWithSha256)]);
    const content = sequence([
      context(0, integer(Buffer.from([2]))),
      // The first byte keeps the serial number positive and without leading zeros.
      integer(Buffer.concat([Buffer.from([0x40]), this.#random(15)])),
      algorithm,
      issuer.name,
      sequence([time(new Date(validity.from)), time(new Date(validity.until))]),
      subject.name,
      publicKeyOf(subject.key),
      context(3, sequence([...extensions, ...keyIds(issuer, subject)])),
    ]);
    const signature = sign('sha256', content, issuer.key);
    const der = sequence([content, algorithm, bitString(signature)]);
    const lines = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
    return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
  }

  #random(size: number): Uint8Array {
    return (this.#options.randomBytes ?? randomBytes)(size);
  }
}

function privatePem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function publicKeyOf(key: KeyObject): Buffer {
  return (key.type === 'public' ? key : createPublicKey(key)).export({ type: 'spki', format: 'der' });
}

function keyIds(issuer: Holder, subject: Holder): readonly Buffer[] {
  const idOf = ({ key }: Holder): Buffer => createHash('sha1').update(publicKeyOf(key)).digest();
  return [
    extension(ids.subjectKeyId, false, octetString(idOf(subject))),
    extension(ids.authorityKeyId, false, sequence([context(0, idOf(issuer), false)])),
  ];
}

function authorityExtensions(): readonly Buffer[] {
  return [
    extension(ids.basicConstraints, true, sequence([yes()])),
    // Bits 0 and 5: signatures, and signatures of certificates.
    extension(ids.keyUsage, true, bitString(Buffer.from([0x84]), 2)),
  ];
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  return sequence([objectId(id), ...(isCritical ? [yes()] : []), octetString(value)]);
}

function extensionsFor(usage: string): readonly Buffer[] {
  return [
    // Bit 0: signatures.
    extension(ids.keyUsage, true, bitString(Buffer.from([0x80]), 7)),
    extension(ids.extendedKeyUsage, false, sequence([objectId(usage)])),
  ];
}

function serverExtensions({ names, addresses }: Hosts): readonly Buffer[] {
  const altNames = [
    ...names.map((name) => context(2, Buffer.from(name, 'ascii'), false)),
    ...addresses.map((address) => context(7, addressBytes(address), false)),
  ];
  const base = extensionsFor(ids.serverAuth);
  // The extension may not be empty: a certificate without hosts has its common name alone.
  if (altNames.length === 0) return base;
  return [...base, extension(ids.subjectAltName, false, sequence(altNames))];
}

function requestedExtensions(usages: readonly KeyUsage[], altNames: Buffer | undefined): readonly Buffer[] {
  // Bits 0 and 2.
  const bits = usages.reduce((all, usage) => all | (keyBits[usage] ?? 0), 0);
  const extended = usages.flatMap((usage) => extendedIds[usage] ?? []).map(objectId);
  return [
    extension(ids.keyUsage, true, bitString(Buffer.from([bits]), (bits & 0x20) === 0 ? 7 : 5)),
    extension(ids.extendedKeyUsage, false, sequence(extended)),
    extension(ids.basicConstraints, true, sequence([])),
    ...(altNames === undefined ? [] : [extension(ids.subjectAltName, false, altNames)]),
  ];
}

const keyBits: { readonly [usage in KeyUsage]?: number } = {
  'digital signature': 0x80,
  'key encipherment': 0x20,
};
const extendedIds: { readonly [usage in KeyUsage]?: string } = {
  'client auth': ids.clientAuth,
  'server auth': ids.serverAuth,
};

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  if (isIP(address) !== 6 || address.includes('%')) throw new TypeError(`${address} is not an IP address`);
  // URLs have the normal form: hexadecimal groups, and at most one `::`.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groupsOf = (part = ''): readonly string[] => part.split(':').filter((group) => group !== '');
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  const groups = [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function distinguishedName(name: string, groups: readonly string[]): Buffer {
  return sequence([
    attribute(ids.commonName, name),
    ...groups.map((group) => attribute(ids.organization, group)),
  ]);
}

function attribute(id: string, value: string): Buffer {
  if (value === '') throw new TypeError('a user or group of a certificate needs a name');
  return set([sequence([objectId(id), utf8String(value)])]);
}
