/**
 * Programs in the output of bundlers with their defaults, without the packages; and with both ends of the
 * ranges of dependencies, and releases that users override.
 */
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { type InstalledPackages, installPacked, manifestOf } from '../support/packed-packages.ts';
import { peerFolder } from '../support/peer.mjs';
import { type Bundler, bundlers, type ProgramName, writeExecutableSettings } from './bundlers.ts';
import {
  type Command,
  dependencies,
  expectOperator,
  expectPods,
  node24,
  nodes,
  packages,
  startShop,
} from './running.ts';

/** Releases of a package that programs run with. */
const releases = [
  { name: 'undici', version: '7.28.0' },
  // The newest one of the next major, which `overrides` of a user choose: it needs Node.js 22.
  { name: 'undici', version: '8.13.1' },
  { name: 'prom-client', version: '15.0.0' },
  { name: '@opentelemetry/api', version: '1.4.0' },
  { name: '@opentelemetry/api', version: '1.10.0' },
];

let project: InstalledPackages;
let server: TestServer;
/** Folder of the output, which is all that programs read. */
let empty = '';

beforeAll(async () => {
  project = installPacked(packages, dependencies);
  cpSync(join(repository, 'test/bundles/programs'), project.folder, { recursive: true });
  writeExecutableSettings(project.folder);
  empty = mkdtempSync(join(tmpdir(), 'kgen-bundle-'));
  server = await startShop();
  for (const folder of [empty, project.folder])
    writeFileSync(join(folder, 'kubeconfig.yaml'), server.kubeconfig);
}, 120_000);
afterAll(async () => {
  await server.stop();
  project.dispose();
  rmSync(empty, { recursive: true });
});

/** Runs the commands of a bundler in the project. */
async function build({ build: how }: Bundler): Promise<void> {
  const { folder } = project;
  if (typeof how === 'string') writeFileSync(join(folder, 'bundle.mjs'), how);
  const lines = typeof how === 'string' ? [`"${process.execPath}" bundle.mjs`] : how;
  const env = {
    ...process.env,
    NODE24: node24,
    PATH: [join(repository, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
  };
  for (const line of lines) {
    const child = spawn(line, { cwd: folder, shell: true, env });
    const output = Promise.all([text(child.stdout), text(child.stderr)]).then((both) => both.join(''));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code, `${line}: ${await output}`).toBe(0);
  }
}

describe.each(bundlers())('$name', (bundler) => {
  const { files, isExecutable = false, name } = bundler;
  const out = (): string => join(empty, 'out');

  beforeAll(async () => {
    rmSync(out(), { recursive: true, force: true });
    await build(bundler);
    renameSync(join(project.folder, 'out'), out());
  }, 120_000);

  const commandsOf = (program: ProgramName): readonly Command[] => {
    const file = join(out(), files(program));
    return isExecutable ? [[file]] : [...nodes.values()].map((node) => [node, file]);
  };

  test('lists Pods', async () => {
    for (const command of commandsOf('pods')) await expectPods(empty, command);
  });

  test('reconciles while it leads, and renews its lease in a worker thread', async () => {
    const id = name.toLowerCase().replace(/\W+/g, '-');
    for (const [index, command] of commandsOf('operator').entries())
      await expectOperator(server, empty, command, `${id}-${index}`);
  });

  test('contains no path of the machine that built it', () => {
    const paths = readdirSync(out(), { recursive: true, encoding: 'utf8' });
    const scripts = paths.filter((path) => /\.[cm]?js$/.test(path));
    expect(scripts.length > 0 || isExecutable).toBe(true);
    // Dependencies are links into the repository, and esbuild names their files relative to the project.
    const linked = relative(project.folder, repository);
    const found = scripts.flatMap((path) => {
      const content = readFileSync(join(out(), path), 'utf8').replaceAll(linked, '');
      const places = [project.folder, repository, 'file:///'].filter((place) => content.includes(place));
      return places.map((place) => `${path}: ${place}`);
    });
    expect(found).toEqual([]);
  });
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
