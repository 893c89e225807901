/** Published packages with both ends of the ranges of their dependencies, and with releases that users override. */
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { type InstalledPackages, installPacked, manifestOf } from '../support/packed-packages.ts';
import { peerFolder } from '../support/peer.mjs';
import { dependencies, expectOperator, expectPods, node24, packages, startShop } from './running.ts';

/** Releases of a package that programs run with. */
const releases = [
  { name: 'undici', version: '7.28.0' },
  // The newest one of the next major, which `overrides` of a user choose: it needs Node.js 22.
  { name: 'undici', version: '8.13.1' },
  { name: 'yaml', version: '2.9.0' },
  { name: 'prom-client', version: '15.0.0' },
  { name: '@opentelemetry/api', version: '1.4.0' },
  { name: '@opentelemetry/api', version: '1.10.0' },
];

let project: InstalledPackages;
let server: TestServer;

beforeAll(async () => {
  project = installPacked(packages, dependencies);
  cpSync(join(repository, 'test/bundles/programs'), project.folder, { recursive: true });
  server = await startShop();
  writeFileSync(join(project.folder, 'kubeconfig.yaml'), server.kubeconfig);
}, 120_000);
afterAll(async () => {
  await server.stop();
  project.dispose();
});

/** Replaces a package in the project until the returned function is called. */
function replaced(name: string, folder: string): () => void {
  const link = join(project.folder, 'node_modules', name);
  const put = (target: string): void => {
    rmSync(link, { recursive: true });
    symlinkSync(target, link, 'junction');
  };
  put(folder);
  return () => put(join(repository, 'node_modules', name));
}

async function expectPrograms(id: string): Promise<void> {
  const { folder } = project;
  const run = (name: string): [string, ...string[]] => [node24, join(folder, `${name}.mjs`)];
  await expectPods(folder, run('pods'));
  await expectOperator(server, folder, run('operator'), id.replace(/\W+/g, '-'));
}

describe.each(releases)('with $name $version', ({ name, version }) => {
  test('programs list and reconcile', async () => {
    const cache = peerFolder(name, version);
    if (cache === undefined) throw new Error(`${name} ${version} is not installed`);
    const restore = replaced(name, join(cache, 'node_modules', name));
    try {
      await expectPrograms(`${name.replace('@', '')}-${version}`);
    } finally {
      restore();
    }
  });
});

test('with an undici whose inner modules are not exported, programs list and reconcile', async () => {
  const copy = join(project.folder, 'undici');
  cpSync(join(repository, 'node_modules/undici'), copy, { recursive: true });
  const path = join(copy, 'package.json');
  const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...Object(manifest), exports: { '.': './index.js' } }));
  const restore = replaced('undici', copy);
  try {
    await expectPrograms('undici-exports');
  } finally {
    restore();
  }
});

test('the ranges begin with the releases above', () => {
  const { dependencies: runtime = {} } = manifestOf(join(repository, 'src/runtime'));
  const { dependencies: controller = {} } = manifestOf(join(repository, 'src/controller'));
  const first = new Map([...releases].reverse().map(({ name, version }) => [name, version]));
  const ranges: Readonly<Record<string, string>> = { ...runtime, ...controller };
  for (const [name, version] of first)
    expect({ name, range: ranges[name] }).toEqual({ name, range: `^${version}` });
});
