/** Every test file is in one project of `vitest.config.ts`, and those of `npm test` need Node alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { portable } from '../../scripts/portable.mjs';
import { alone, ci, corpus, longest, server, shared, together, types } from '../projects.ts';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';

const files = ['src', 'test'].flatMap((folder) =>
  filesBelow(join(repository, folder), '.test.ts').map((path) => `${folder}/${path}`),
);
const lists = Object.entries({ alone, ci, corpus, server, shared, together, types });

function matching(patterns: readonly string[]): readonly string[] {
  return globSync([...patterns], { cwd: repository, ignore: ['**/node_modules/**', '**/dist/**'] });
}

const matched = lists.map(([name, patterns]) => ({ name, files: new Set(matching(patterns)) }));

/** Returns the names of the lists that contain a file. */
function namesOf(file: string): readonly string[] {
  return matched.filter((list) => list.files.has(file)).map(({ name }) => name);
}

describe('the lists of test/projects.ts', () => {
  test.each(lists.flatMap(([, patterns]) => patterns))('%s matches a file', (pattern) => {
    expect(matching([pattern])).not.toEqual([]);
  });

  test('the longest files exist', () => {
    expect(longest.filter((file) => !files.includes(file))).toEqual([]);
  });

  test.each(portable)('%s, which runs on Node 20 too, has tests that need Node alone', (start) => {
    const elsewhere = new Set(['ci', 'corpus', 'server', 'shared', 'types']);
    const own = files.filter((file) => file.startsWith(start));
    expect(own.some((file) => !namesOf(file).some((name) => elsewhere.has(name)))).toBe(true);
  });

  test('no file is in two of them', () => {
    expect(files.filter((file) => namesOf(file).length > 1)).toEqual([]);
  });
});

test('files of npm test start no control plane and no Go program', () => {
  const starts = /\b(startControlPlane|controlPlaneAvailability|oraclePath|pathOfKubectl)\(/;
  /** Tests that start replacements of the real programs. */
  const pretends = ['src/testing/controlplane/start.test.ts', 'test/structure/projects.test.ts'];
  const checked = files.filter((file) => {
    const names = namesOf(file);
    return !pretends.includes(file) && !names.includes('server') && !names.includes('shared');
  });
  expect(checked.length).toBeGreaterThan(300);
  const text = (file: string): string => readFileSync(join(repository, file), 'utf8');
  expect(checked.filter((file) => starts.test(text(file)))).toEqual([]);
});

test('modules that files of tests share register no hooks when they are loaded', () => {
  // Files of a worker share one module graph, so that only the first of them would have the hooks.
  const helpers = ['src', 'test'].flatMap((folder) =>
    filesBelow(join(repository, folder), '.ts').map((path) => `${folder}/${path}`),
  );
  const found = helpers.filter((file) => {
    if (/\.test\.ts$/.test(file)) return false;
    return /^(before|after)(Each|All)\(/m.test(readFileSync(join(repository, file), 'utf8'));
  });
  expect(helpers.length).toBeGreaterThan(files.length);
  expect(found).toEqual([]);
});
