import { access, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { problem } from '../kubeconfig-text.fixture.ts';
import { withLocks } from './lock.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kgen-lock-'));
});
afterEach(() => rm(dir, { recursive: true }));

it('holds the locks during the work, also of files in missing folders', async () => {
  const files = [join(dir, 'b'), join(dir, 'new', 'a'), join(dir, 'b')];
  await withLocks(files, async () => {
    expect((await stat(join(dir, 'b.lock'))).mode & 0o777).toBe(0o600);
    await access(join(dir, 'new', 'a.lock'));
  });
  expect(await readdir(dir)).toEqual(['new']);
  expect(await readdir(join(dir, 'new'))).toEqual([]);
});

it('releases the locks when the work fails', async () => {
  const work = (): Promise<never> => Promise.reject(new Error('broken'));
  await expect(withLocks([join(dir, 'a')], work)).rejects.toThrow('broken');
  expect(await readdir(dir)).toEqual([]);
});

it('serializes concurrent work', async () => {
  let inside = 0;
  const seen: number[] = [];
  const work = async (): Promise<void> => {
    inside += 1;
    seen.push(inside);
    await readdir(dir);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 5 }, () => withLocks([join(dir, 'a')], work)));
  expect(seen).toEqual([1, 1, 1, 1, 1]);
});

it('times out on a lock that is not released, and keeps it', async () => {
  const file = join(dir, 'b');
  await writeFile(`${file}.lock`, '');
  const nothing = (): Promise<void> => Promise.resolve();
  expect(await problem(withLocks([join(dir, 'a'), file], nothing, 0))).toBe(
    `${file}.lock exists: another program is writing the kubeconfig; remove the file if no program is`,
  );
  expect(await readdir(dir)).toEqual(['b.lock']);
});

it('throws an error with the path of a lock that cannot be created', async () => {
  await writeFile(join(dir, 'file'), '');
  const nothing = (): Promise<void> => Promise.resolve();
  expect(await problem(withLocks([join(dir, 'file', 'a')], nothing))).toMatch(
    /cannot create the lock .*a.lock \(/,
  );
});

it.runIf(process.platform === 'linux')('needs no lock in a read-only folder', async () => {
  const files = [join(dir, 'a'), '/sys/kernel/config-of-nobody'];
  expect(await withLocks(files, (locked) => Promise.resolve([...locked]))).toEqual([join(dir, 'a')]);
});
