/** Certificates in files, for tests of servers. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@kgen/certificates/authority';
import { onTestFinished } from 'vitest';

/** A folder with the certificate of a server, as it is mounted. */
export interface CertificateFolder {
  readonly directory: string;
  readonly certFile: string;
  readonly keyFile: string;
  /** Authority of the certificate, in PEM. */
  readonly ca: string;
  readonly authority: ReturnType<typeof createAuthority>;
  /** Replaces the certificate by one with this common name. */
  readonly write: (name: string) => Promise<void>;
}

/** Creates a folder with a certificate for `localhost` with the common name `first`, until the test ends. */
export async function certificateFolder(): Promise<CertificateFolder> {
  const directory = await mkdtemp(join(tmpdir(), 'kgen-certificates-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const authority = createAuthority();
  const paths = { certFile: join(directory, 'tls.crt'), keyFile: join(directory, 'tls.key') };
  const write = async (name: string): Promise<void> => {
    const hosts = { names: ['localhost'], addresses: ['127.0.0.1'] };
    const { cert, key } = authority.issueServer(name, hosts);
    await writeFile(paths.certFile, cert);
    await writeFile(paths.keyFile, key);
  };
  await write('first');
  return { directory, ...paths, ca: authority.cert, authority, write };
}
