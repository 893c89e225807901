/** Helpers of tests: those for several folders of `test` are in `test/support`. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';

const files = ['.ts', '.mjs'].flatMap((ending) =>
  filesBelow(join(repository, 'test'), ending).filter((path) => !/^golden\/expected\//.test(path)),
);

/** Returns the files of `test` that a file imports, relative to `test`. */
function importsOf(path: string): readonly string[] {
  const text = readFileSync(join(repository, 'test', path), 'utf8');
  const specifiers = text.matchAll(/(?:\bfrom |\bimport\(|\bimport )'(\.[^']+)'/g);
  return [...specifiers]
    .map(([, specifier = '']) => normalize(join(dirname(path), specifier)).replaceAll('\\', '/'))
    .filter((target) => files.includes(target));
}

const folderOf = (path: string): string => path.split('/')[0] ?? '';

test('imports helpers from the same folder, from support, or from the build scripts of envtest', () => {
  const isShared = (target: string): boolean => /^(support\/|projects\.ts$|envtest\/\w+\.mjs$)/.test(target);
  const imports = files.flatMap((path) => importsOf(path).map((target) => ({ path, target })));
  expect(imports.length).toBeGreaterThan(500);
  const foreign = imports.filter(
    ({ path, target }) => folderOf(path) !== folderOf(target) && !isShared(target),
  );
  expect(foreign).toEqual([]);
});

test('keeps helpers in support that several folders use', () => {
  const users = new Map<string, Set<string>>();
  for (const path of files) {
    for (const target of importsOf(path)) {
      if (folderOf(target) === 'support')
        users.set(target, (users.get(target) ?? new Set()).add(folderOf(path)));
    }
  }
  const config = readFileSync(join(repository, 'vitest.config.ts'), 'utf8');
  const single = [...users].filter(
    ([target, folders]) => folders.size < 2 && !config.includes(`test/${target}`),
  );
  expect(single.map(([target, folders]) => `${target}: ${[...folders]}`)).toEqual([]);
});
