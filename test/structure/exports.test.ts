import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { generate } from '../../src/kgen/generate/generate.ts';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';

vi.setConfig({ testTimeout: 60_000 });

type Targets = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** Returns the targets of `exports` as patterns of paths, with the path of their export. */
function targetsOf(folder: string): readonly (readonly [door: string, target: string])[] {
  const text = readFileSync(join(repository, folder, 'package.json'), 'utf8');
  // seam: the project's own manifest
  const { exports } = JSON.parse(text) as { readonly exports: Targets };
  return Object.entries(exports).flatMap(([door, target]) =>
    Object.values(typeof target === 'string' ? { target } : target).map((path): readonly [string, string] => [
      door,
      posix.normalize(path),
    ]),
  );
}

/** Returns the targets that match no file. */
function absent(folder: string, files: ReadonlySet<string>): readonly string[] {
  const isThere = (target: string): boolean => {
    const [start = '', end] = target.split('*');
    if (end === undefined) return files.has(target);
    return [...files].some((path) => path.startsWith(start) && path.endsWith(end));
  };
  return targetsOf(folder).flatMap(([door, target]) => (isThere(target) ? [] : [`${door}: ${target}`]));
}

test.each([
  'src/certificates',
  'src/schema',
  'src/kgen',
  'src/create-kgen',
  'src/runtime',
  'src/controller',
  'src/testserver',
  'src/testing',
])('%s packs the files of its exports', (folder) => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const output = execFileSync('npm', args, {
    cwd: join(repository, folder),
    encoding: 'utf8',
    stdio: 'pipe',
  });
  // seam: the output of npm
  const [packed] = JSON.parse(output) as readonly {
    readonly files: readonly { readonly path: string }[];
  }[];
  expect(absent(folder, new Set(packed?.files.map(({ path }) => path)))).toEqual([]);
});

test('programs that import built modules by path name modules that have a source', () => {
  const folders = ['test/bench', 'scripts', 'examples'];
  const programs = folders.flatMap((folder) =>
    filesBelow(join(repository, folder))
      .filter((path) => /^(?!.*node_modules).*\.(mjs|ts)$/.test(path))
      .map((path) => join(repository, folder, path)),
  );
  const paths = programs.flatMap(
    (path) => readFileSync(path, 'utf8').match(/\bsrc\/[a-z]+\/dist\/[\w./-]+\.js\b/g) ?? [],
  );
  const sources = new Set(paths.map((path) => path.replace('/dist/', '/').replace(/\.js$/, '.ts')));
  expect(sources.size).toBeGreaterThan(3);
  expect([...sources].filter((path) => !existsSync(join(repository, path)))).toEqual([]);
});

test('@kgen/kubernetes exports files that its build writes', async () => {
  const out = mkdtempSync(join(tmpdir(), 'kgen-exports-'));
  onTestFinished(() => rmSync(out, { recursive: true }));
  const openapi = [join(repository, 'test/golden/openapi.yaml')];
  const { problems } = await generate({ openapi, out, paths: true, protobuf: 'all', emit: 'js' });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const files = filesBelow(out).map((path) => `dist/${path}`);
  expect(absent('generated/kubernetes', new Set([...files, 'package.json']))).toEqual([]);
});
