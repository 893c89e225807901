// Registry of npm with the packages of archives. It redirects requests for other packages to the real one.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';

/** Optional dependencies of other systems that mirrors may lack: yarn fails without their documents. */
const optional = [{ name: 'napi-windows-process-start-time', version: '0.1.0', os: ['win32'] }];

/**
 * Starts a registry on a free port of this machine.
 *
 * @param {readonly Buffer[]} archives as `npm pack` writes them
 */
export async function startRegistry(archives) {
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const packages = new Map();
  for (const archive of archives) {
    const manifest = await manifestIn(archive);
    packages.set(manifest.name, { manifest, archive });
  }
  for (const manifest of optional) packages.set(manifest.name, { manifest, archive: Buffer.alloc(0) });
  const server = createServer(({ url = '/', headers }, response) => {
    const [name = '', file] = decodeURIComponent(url.slice(1)).split('/-/');
    const found = packages.get(name);
    if (found === undefined) response.writeHead(302, { location: new URL(url, upstream).href }).end();
    else if (file !== undefined) response.end(found.archive);
    else response.end(JSON.stringify(documentOf(found, `http://${headers.host}`)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

/** Returns the package.json of an archive. */
export async function manifestIn(archive) {
  const entries = await unpackTar(gunzipSync(archive));
  const entry = entries.find(({ header }) => header.name === 'package/package.json');
  return JSON.parse(new TextDecoder().decode(entry.data));
}

/** Returns the document of a package, which is old enough for every rule about the age of packages. */
function documentOf({ manifest, archive }, url) {
  const { name, version } = manifest;
  const hash = (kind) => createHash(kind).update(archive).digest();
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

/** Reads archives from their paths. */
export const archivesOf = (paths) => paths.map((path) => readFileSync(path));
