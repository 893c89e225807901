/** A registry with the packages of this repository, which redirects requests for others to the real one. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { packages } from '../../scripts/pack.mjs';
import { startRegistry as startRegistryOf } from '../../scripts/release/registry.mjs';
import { repository } from '../support/emitted.ts';
import { pack } from '../support/packed-packages.ts';

/** A registry, which is closed at the end of its test. */
export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a registry. Its packages are those that `npm publish` would publish now. */
export async function startRegistry(): Promise<Registry> {
  return startRegistryOf(await Promise.all(packages.map((path) => archiveOf(join(repository, path)))));
}

async function archiveOf(path: string): Promise<Buffer> {
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
    return gzipSync(await packTar(entries), { level: 1 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
