/** Certificates, keys and tokens of a control plane. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type CertificateAuthority, createAuthority } from '@kgen/certificates/authority';
import { file } from './servers.ts';

/** The secrets of one control plane, generated for each. */
export interface Material {
  readonly authority: CertificateAuthority;
  /** Bearer token of the user `token-admin`. */
  readonly token: string;
  /** Files that kube-apiserver and kube-controller-manager read. */
  readonly files: Readonly<Record<string, string>>;
}

/** Creates an authority, the API server's certificate, the key of service accounts and the token file. */
export function createMaterial(): Material {
  const authority = createAuthority();
  const server = authority.issueServer('kube-apiserver', {
    names: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
    addresses: ['127.0.0.1', '10.0.0.1'],
  });
  const token = randomBytes(24).toString('base64url');
  const accounts = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const files = {
    [file.ca]: authority.cert,
    [file.caKey]: authority.pair().key,
    [file.serverCert]: server.cert,
    [file.serverKey]: server.key,
    [file.serviceAccountKey]: accounts.privateKey,
    [file.serviceAccountPublicKey]: accounts.publicKey,
    [file.tokens]: `${token},token-admin,token-admin,"system:masters"\n`,
  };
  return { authority, token, files };
}
