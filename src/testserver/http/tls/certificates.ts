/**
 * Certificates of test servers and their users.
 * @see https://www.rfc-editor.org/rfc/rfc5280
 */
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isIP } from 'node:net';
import {
  bitString,
  context,
  integer,
  objectId,
  octetString,
  sequence,
  set,
  time,
  utf8String,
  yes,
} from './der.ts';

/** A certificate and its private key in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority in memory. */
export interface CertificateAuthority {
  /** Its certificate in PEM. */
  readonly cert: string;
  /** Issues a certificate for a server with these names and addresses. */
  issueServer(name: string, hosts: Hosts): KeyPair;
  /**
   * Issues a certificate that authenticates `name` as a member of `groups`.
   *
   * @throws TypeError for an empty name or group
   */
  issueClient(name: string, groups: readonly string[]): KeyPair;
  /** Issues the certificate of an intermediate authority, which issues certificates itself. */
  issueAuthority(name: string): CertificateAuthority;
}

/** Names and addresses for which a server's certificate is valid. */
export interface Hosts {
  readonly names: readonly string[];
  readonly addresses: readonly string[];
}

/** Creates an authority whose certificates are valid for 30 days. */
export function createAuthority(): CertificateAuthority {
  return authority('kgen-test-ca');
}

/** @param above issuer of its certificate; default: the authority itself */
function authority(common: string, above?: Holder): CertificateAuthority {
  const name = distinguishedName(common, []);
  const key = createKey();
  const issuer = { name, key };
  const cert = certify(above ?? issuer, issuer, [
    extension(ids.basicConstraints, true, sequence([yes()])),
    // Bits 0 and 5: signatures, and signatures of certificates.
    extension(ids.keyUsage, true, bitString(Buffer.from([0x84]), 2)),
  ]);
  return {
    cert,
    issueServer: (name, hosts) => issue(issuer, distinguishedName(name, []), serverExtensions(hosts)),
    issueClient: (name, groups) =>
      issue(issuer, distinguishedName(name, groups), extensionsFor(ids.clientAuth)),
    issueAuthority: (name) => authority(name, issuer),
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

function createKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

function issue(issuer: Holder, name: Buffer, extensions: readonly Buffer[]): KeyPair {
  const key = createKey();
  const cert = certify(issuer, { name, key }, extensions);
  return { cert, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

const dayMs = 86_400_000;

function certify(issuer: Holder, subject: Holder, extensions: readonly Buffer[]): string {
  const now = Date.now();
  const algorithm = sequence([objectId(ids.ecdsaWithSha256)]);
  const content = sequence([
    context(0, integer(Buffer.from([2]))),
    // The first byte keeps the serial number positive and without leading zeros.
    integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    algorithm,
    issuer.name,
    sequence([time(new Date(now - dayMs)), time(new Date(now + 30 * dayMs))]),
    subject.name,
    publicKeyOf(subject.key),
    context(3, sequence([...extensions, ...keyIds(issuer, subject)])),
  ]);
  const signature = sign('sha256', content, issuer.key);
  const der = sequence([content, algorithm, bitString(signature)]);
  const lines = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function publicKeyOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}

function keyIds(issuer: Holder, subject: Holder): readonly Buffer[] {
  const idOf = ({ key }: Holder): Buffer => createHash('sha1').update(publicKeyOf(key)).digest();
  return [
    extension(ids.subjectKeyId, false, octetString(idOf(subject))),
    extension(ids.authorityKeyId, false, sequence([context(0, idOf(issuer), false)])),
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

function addressBytes(address: string): Buffer {
  if (isIP(address) !== 4) throw new TypeError(`${address} is not an IPv4 address`);
  return Buffer.from(address.split('.').map(Number));
}

function distinguishedName(name: string, groups: readonly string[]): Buffer {
  return sequence([
    attribute(ids.commonName, name),
    ...groups.map((group) => attribute(ids.organization, group)),
  ]);
}

function attribute(id: string, value: string): Buffer {
  if (value === '') throw new TypeError('a user or group of a test certificate needs a name');
  return set([sequence([objectId(id), utf8String(value)])]);
}
