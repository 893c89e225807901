/** A registry with the packages of this repository, which redirects requests for others to the real one. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { repository } from '../support/emitted.ts';
import { manifestOf, pack } from '../support/packed-packages.ts';

/** Folders of the published packages. */
const folders = [
  ...['certificates', 'schema', 'runtime', 'controller', 'testserver', 'testing', 'kgen', 'create-kgen'].map(
    (name) => `src/${name}`,
  ),
  'generated/kubernetes',
];

/** Optional dependencies that mirrors may lack, of other systems: yarn fails without their manifests. */
const optional = { 'napi-windows-process-start-time': '0.1.0' };

/** A registry, which is closed at the end of its test. */
export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a registry. Its packages are those that `npm publish` would publish now. */
export async function startRegistry(): Promise<Registry> {
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const own = await Promise.all(folders.map((path) => publishedPackage(join(repository, path))));
  const packages = new Map([...own, ...Object.entries(optional).map(emptyPackage)]);
  const server = createServer(({ url = '/', headers }, response) => {
    const [name = '', file] = decodeURIComponent(url.slice(1)).split('/-/');
    const found = packages.get(name);
    if (found === undefined) response.writeHead(302, { location: new URL(url, upstream).href }).end();
    else if (file !== undefined) response.end(found.archive);
    else response.end(JSON.stringify(documentOf(found, `http://${headers.host}`)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // seam: a TCP server
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

interface PublishedPackage {
  readonly manifest: ReturnType<typeof manifestOf>;
  readonly archive: Buffer;
}

function emptyPackage([name, version]: readonly [name: string, version: string]) {
  const manifest = { name, version, os: ['win32'] };
  return [name, { manifest, archive: Buffer.alloc(0) }] as const;
}

async function publishedPackage(path: string): Promise<readonly [name: string, PublishedPackage]> {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-registry-'));
  try {
    pack(path, folder);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      statSync(join(folder, file)).isFile(),
    );
    const entries = files.map((file) => {
      const body = readFileSync(join(folder, file));
      const mode = file.startsWith('bin/') ? 0o755 : 0o644;
      return { header: { name: `package/${file}`, size: body.length, mode, type: 'file' as const }, body };
    });
    const archive = gzipSync(await packTar(entries), { level: 1 });
    const manifest = manifestOf(folder);
    return [manifest.name, { manifest, archive }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the document of a package, which is old enough for every rule about the age of packages. */
function documentOf({ manifest, archive }: PublishedPackage, url: string): object {
  const { name, version } = manifest;
  const hash = (kind: string): Buffer => createHash(kind).update(archive).digest();
  const dist = {
    tarball: `${url}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`,
    shasum: hash('sha1').toString('hex'),
    integrity: `sha512-${hash('sha512').toString('base64')}`,
  };
  const time = '2020-01-01T00:00:00.000Z';
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
    time: { created: time, modified: time, [version]: time },
  };
}
