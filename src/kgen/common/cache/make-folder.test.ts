import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../cluster/cluster.fixture.ts';
import { makeFolder } from './cache.ts';

test('creates a folder with its parents', async () => {
  const base = temporaryFolder();
  await makeFolder(join(base, 'a/b/c'), mkdir);
  expect(statSync(join(base, 'a/b/c')).isDirectory()).toBe(true);
  await makeFolder(join(base, 'a/b/c'), mkdir);
});

test('accepts a folder that another process creates concurrently', async () => {
  const path = join(temporaryFolder(), 'a/b');
  await makeFolder(path, async (each) => {
    if (each !== path) mkdirSync(each);
    mkdirSync(path, { recursive: true });
    mkdirSync(path);
  });
  expect(statSync(path).isDirectory()).toBe(true);
});

test('throws the error of the system for a file at the path', async () => {
  const base = temporaryFolder();
  writeFileSync(join(base, 'file'), '');
  await expect(makeFolder(join(base, 'file/a/b'), mkdir)).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test.each([
  { title: 'nothing is there', isThere: () => false, most: 4 },
  { title: 'the folder above is there', isThere: (path: string) => path === '/proc', most: 6 },
])('throws if the folder cannot be created: $title', async ({ isThere, most }) => {
  const requested: string[] = [];
  const make = async (path: string): Promise<void> => {
    if (requested.push(path) > 100) throw new Error('it goes on for ever');
    throw Object.assign(new Error('no'), { code: isThere(path) ? 'EEXIST' : 'ENOENT' });
  };
  await expect(makeFolder('/proc/nope/kgen', make)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(requested.length).toBeLessThanOrEqual(most);
});
