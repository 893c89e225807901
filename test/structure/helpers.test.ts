/** Helpers of tests: those for several folders of `test` are in `test/support`. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';

const files = ['src', 'test'].flatMap((folder) =>
  ['.ts', '.mjs']
    .flatMap((ending) => filesBelow(join(repository, folder), ending))
    .filter((path) => !/^golden\/expected\//.test(path))
    .map((path) => `${folder}/${path}`),
);
const known: ReadonlySet<string> = new Set(files);

interface HelperImport {
  readonly from: string;
  readonly to: string;
}

/** Returns the imports of files of `test` by a file. */
function importsOf(path: string): readonly HelperImport[] {
  const text = readFileSync(join(repository, path), 'utf8');
  return [...text.matchAll(/(?:\bfrom |\bimport\(|\bimport )'(\.[^']+)'/g)]
    .map(([, specifier = '']) => normalize(join(dirname(path), specifier)).replaceAll('\\', '/'))
    .filter((target) => target.startsWith('test/') && known.has(target))
    .map((to) => ({ from: path, to }));
}

const imports = files.flatMap(importsOf);

/** Returns `src`, or the folder of `test` that contains a file. */
function folderOf(path: string): string {
  const [root = '', folder = ''] = path.split('/');
  return root === 'src' ? root : folder;
}

test('imports helpers from the same folder, from support, or from the build scripts of envtest', () => {
  const isShared = (target: string): boolean =>
    /^test\/(support\/|projects\.ts$|envtest\/[\w-]+\.mjs$)/.test(target);
  expect(imports.length).toBeGreaterThan(500);
  expect(imports.filter(({ from, to }) => folderOf(from) !== folderOf(to) && !isShared(to))).toEqual([]);
});

test('keeps helpers in support that several folders use', () => {
  const config = readFileSync(join(repository, 'vitest.config.ts'), 'utf8');
  const usersOf = (target: string): ReadonlySet<string> =>
    new Set(imports.filter(({ to }) => to === target).map(({ from }) => folderOf(from)));
  const helpers = files.filter((path) => /^test\/support\/[^/]+$/.test(path) && !config.includes(path));
  expect(helpers.length).toBeGreaterThan(10);
  expect(helpers.filter((path) => usersOf(path).size < 2)).toEqual([]);
});
