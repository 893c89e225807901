import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import { installPacked, type Manifest, manifestOf } from '../support/packed-packages.ts';

const packages: readonly string[] = [
  'src/certificates',
  'src/schema',
  'src/kgen',
  'src/create-kgen',
  'src/runtime',
  'src/controller',
  'src/testserver',
  'src/testing',
];
const manifests: readonly Manifest[] = packages.map((folder) => manifestOf(join(repository, folder)));

/** Entry points without values, and those that a worker thread or a test framework must load. */
const notLoaded: ReadonlySet<string> = new Set([
  '@kgen/runtime/election-worker',
  '@kgen/runtime/gen/v1/streams',
  '@kgen/testing/jest',
  '@kgen/testing/vitest',
  'kgen/cli',
  'kgen/commands',
]);

/** Entry points of all packages, as imported by users. */
const doors: readonly string[] = manifests.flatMap(({ name, exports = {} }) =>
  Object.keys(exports)
    .map((door) => join(name, door))
    .filter((door) => !/\.json$|\*/.test(door) && !notLoaded.has(door)),
);

/** Runs code in a new Node.js process and returns its standard output. */
function run(code: string, kind: 'module' | 'commonjs'): string {
  const args = ['--no-warnings', `--input-type=${kind}`, '--eval', code];
  return execFileSync(process.execPath, args, { cwd: repository, encoding: 'utf8' }).trim();
}

describe.each(doors)('%s', (door) => {
  const names = `Object.keys(module).filter((name) => name !== 'default' && name !== 'module.exports').sort().join()`;

  test('can be imported and required, with equal names', () => {
    const imported = run(`const module = await import('${door}'); console.log(${names})`, 'module');
    const required = run(`{ const module = require('${door}'); console.log(${names}) }`, 'commonjs');
    expect(imported).not.toBe('');
    expect(required).toBe(imported);
  });
});

/** Returns the folders of a package and of all its dependencies. */
function closure(folder: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  if (seen.has(folder)) return seen;
  seen.add(folder);
  for (const name of Object.keys(manifestOf(folder).dependencies ?? {}))
    closure(installed(name, folder), seen);
  return seen;
}

/** Returns the folder in which a dependency of the package in `from` is installed. */
function installed(name: string, from: string): string {
  const own = join(from, 'node_modules', name);
  if (existsSync(join(own, 'package.json'))) return own;
  if (dirname(from) === from) throw new Error(`${name} is not installed`);
  return installed(name, dirname(from));
}

/** Returns the size of all files of a folder in bytes. */
function size(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

test.each([...packages, 'generated/kubernetes'])('the manifest of %s leads to the repository', (folder) => {
  const [one, own] = [manifestOf(join(repository, 'src/runtime')), manifestOf(join(repository, folder))];
  expect(own.repository).toEqual({ ...one.repository, directory: folder });
  expect({ homepage: own.homepage, bugs: own.bugs }).toEqual({ homepage: one.homepage, bugs: one.bugs });
  expect(own.keywords).toContain('kubernetes');
  const modules = Array.isArray(own.sideEffects) ? own.sideEffects : [];
  expect(own.sideEffects).toBeDefined();
  expect(modules.filter((path) => !existsSync(join(repository, folder, path)))).toEqual([]);
  expect(own.scripts?.['prepack']).toBe(undefined);
});

test('depend on no package with a script of its installation, for which pnpm fails', () => {
  const lock: unknown = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  const { packages: locked } = lock as { packages: Readonly<Record<string, { hasInstallScript?: boolean }>> }; // seam: the lock file of npm
  const all = new Set(packages.flatMap((folder) => [...closure(join(repository, folder))]));
  expect(all.size).toBeGreaterThan(50);
  const paths = [...all].map((folder) => relative(repository, folder).replaceAll('\\', '/'));
  expect(paths.filter((path) => locked[path]?.hasInstallScript)).toEqual([]);
});

test('limits @kgen/runtime to 4 MB with dependencies', { timeout: 120_000 }, () => {
  const runtime = join(repository, 'src/runtime');
  expect(manifestOf(runtime).files).toEqual(['dist/**/*.js', 'dist/**/*.d.ts']);
  const packed = installPacked(['src/runtime'], []);
  onTestFinished(() => packed.dispose());
  const { dependencies } = manifestOf(join(packed.folder, 'node_modules/@kgen/runtime'));
  expect(Object.keys(dependencies ?? {})).toEqual(['undici']);
  const installed = [packed.folder, ...closure(join(repository, 'node_modules/undici'))];
  const total = installed.reduce((sum, folder) => sum + size(folder), 0);
  expect(total).toBeGreaterThan(100_000);
  expect(total).toBeLessThan(4_000_000);
});

/** Packages of which a program has one copy, or may override; `test/bundles` runs both ends of the ranges. */
const shared: ReadonlySet<string> = new Set([
  '@opentelemetry/api',
  'prom-client',
  'rolldown',
  'undici',
  'yaml',
]);

test('have equal versions, and every version is exact, except of shared packages', () => {
  const all = [manifestOf(repository), ...manifests];
  const ranges = all.flatMap(({ name, dependencies = {}, devDependencies = {} }) =>
    Object.entries({ ...dependencies, ...devDependencies }).map(([to, range]) => ({ name, to, range })),
  );
  const inexact = ranges.filter(({ range }) => !/^\d+\.\d+\.\d+$/.test(range));
  expect(inexact.filter(({ to }) => !shared.has(to))).toEqual([]);
  const own = new Map(manifests.map(({ name, version }) => [name, version]));
  expect(ranges.filter(({ to, range }) => own.has(to) && own.get(to) !== range)).toEqual([]);
});

/** Prints the URL of every loaded module. */
const spy = `data:text/javascript,${encodeURIComponent(`
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(
  "import { writeSync } from 'node:fs';" +
  "export async function load(url, context, next) { writeSync(2, url + '\\\\n'); return next(url, context); }"
));
`)}`;

test('loads few modules for kgen --version', () => {
  const kgen = join(repository, 'src/kgen/bin/kgen.js');
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--no-warnings', '--import', spy, kgen, '--version'],
    {
      encoding: 'utf8',
    },
  );
  expect(status).toBe(0);
  expect(stdout.trim()).toContain(manifests[0]?.version);
  const loaded = stderr.split('\n').filter((line) => line.startsWith('file:'));
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.filter((url) => /node_modules\/(?!commander\/)/.test(url))).toEqual([]);
});

test('loads dependencies on demand only', () => {
  const code = `const all = [...Object.keys(require.cache)]; console.log(all.join('\\n'))`;
  const loaded = run(`require('@kgen/runtime/gen/v1'); ${code}`, 'commonjs').split('\n');
  expect(loaded.filter((path) => /src\/(kgen|schema|testserver|testing)\//.test(path))).toEqual([]);
});

describe('committed files', () => {
  const paths = filesBelow(repository).filter((path) => !path.endsWith('.tsbuildinfo'));
  const home = homedir().length > 1 ? [`${homedir()}/`] : [];
  const registry = new URL(process.env['npm_config_registry'] ?? 'https://registry.npmjs.org/').host;
  const words = [repository, ...home, ...(registry === 'registry.npmjs.org' ? [] : [registry])];

  test('contain no path of the machine', () => {
    const texts = paths.map((path) => ({ path, text: readFileSync(join(repository, path), 'utf8') }));
    expect(texts.length).toBeGreaterThan(100);
    const found = texts.flatMap(({ path, text }) => {
      const places = text.match(/(?<![\w.:/])\/(?:home|Users|work|root|workspace)\/[\w.-]+/g) ?? [];
      return [...words.filter((word) => text.includes(word)), ...places].map((place) => `${path}: ${place}`);
    });
    expect(found).toEqual([]);
  });

  test('contain no registry in the lock file', () => {
    const lock = readFileSync(join(repository, 'package-lock.json'), 'utf8');
    expect(lock).not.toMatch(/"resolved": "https?:/);
  });
});

test('use the resolver of Node.js in tests', () => {
  expect(createRequire(import.meta.url).resolve('@kgen/runtime')).toContain(join('src', 'runtime', 'dist'));
});
