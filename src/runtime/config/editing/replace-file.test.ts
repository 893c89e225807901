import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { problem } from '../kubeconfig-text.fixture.ts';
import { replaceFile } from './replace-file.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kgen-replace-'));
});
afterEach(() => rm(dir, { recursive: true }));

const accessOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

it('creates a file that only its owner can read', async () => {
  const path = join(dir, 'config');
  await replaceFile(path, 'new');
  expect([await readFile(path, 'utf8'), await accessOf(path)]).toEqual(['new', '600']);
});

it('keeps the mode of a file, and leaves no temporary file', async () => {
  const path = join(dir, 'config');
  await writeFile(path, 'old');
  await chmod(path, 0o664);
  await replaceFile(path, 'new');
  expect([await readFile(path, 'utf8'), await accessOf(path)]).toEqual(['new', '664']);
  expect(await readdir(dir)).toEqual(['config']);
});

it('throws, and keeps the file, if renaming fails for another reason', async () => {
  const path = join(dir, 'config');
  await writeFile(path, 'old');
  const rename = (): Promise<void> => Promise.reject(Object.assign(new Error('no'), { code: 'ENOSPC' }));
  expect(await problem(replaceFile(path, 'new', { rename }))).toBe(
    `cannot write the kubeconfig ${path} (ENOSPC)`,
  );
  expect([await readFile(path, 'utf8'), await readdir(dir)]).toEqual(['old', ['config']]);
});

it.each(['EBUSY', 'EPERM'])('writes a file in place if it cannot be replaced (%s)', async (code) => {
  const path = join(dir, 'config');
  await writeFile(path, 'a longer text');
  const { ino } = await stat(path);
  const rename = (): Promise<void> => Promise.reject(Object.assign(new Error('no'), { code }));
  await replaceFile(path, 'new', { rename });
  expect([await readFile(path, 'utf8'), (await stat(path)).ino]).toEqual(['new', ino]);
  expect(await readdir(dir)).toEqual(['config']);
  expect(await problem(replaceFile(join(dir, 'other'), 'new', { rename }))).toMatch(/other \(E/);
  expect(await readdir(dir)).toEqual(['config']);
});

const isRoot = process.getuid?.() === 0;

// An administrator can change owners, and may write every file.
if (isRoot) {
  it.each([
    { uid: 1234, gid: 1235 },
    { uid: 1234, gid: 0 },
    { uid: 0, gid: 1235 },
  ])('keeps the owner of a file: $uid, $gid', async ({ uid, gid }) => {
    const path = join(dir, 'config');
    await writeFile(path, 'old', { mode: 0o640 });
    await chown(path, uid, gid);
    await replaceFile(path, 'new');
    expect(await stat(path)).toMatchObject({ uid, gid });
    expect([await readFile(path, 'utf8'), await accessOf(path)]).toEqual(['new', '640']);
  });
} else {
  it('does not replace a file that is not writable', async () => {
    const path = join(dir, 'config');
    await writeFile(path, 'old', { mode: 0o400 });
    expect(await problem(replaceFile(path, 'new'))).toBe(`cannot write the kubeconfig ${path} (EACCES)`);
    expect(await readFile(path, 'utf8')).toBe('old');
  });
}

it('follows a symbolic link', async () => {
  await mkdir(join(dir, 'real'));
  await writeFile(join(dir, 'real', 'config'), 'old');
  await symlink(join('real', 'config'), join(dir, 'link'));
  await replaceFile(join(dir, 'link'), 'new');
  expect((await lstat(join(dir, 'link'))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(dir, 'real', 'config'), 'utf8')).toBe('new');
});

it.runIf(process.platform === 'linux')('throws the reason for which no file can be created', async () => {
  expect(await problem(replaceFile('/sys/kernel/config-of-nobody', 'sesame'))).toMatch(
    /^cannot write the kubeconfig \/sys\/kernel\/config-of-nobody \((?:EACCES|EPERM|EROFS)\)$/,
  );
});

it('throws an error with the path of a file that cannot be written', async () => {
  const path = join(dir, 'nowhere', 'config');
  expect(await problem(replaceFile(path, 'sesame'))).toBe(`cannot write the kubeconfig ${path} (ENOENT)`);
  const folder = join(dir, 'folder');
  await mkdir(folder);
  expect(await problem(replaceFile(folder, 'sesame'))).toMatch(/^cannot write the kubeconfig .*folder \(E/);
  expect(await readdir(dir)).toEqual(['folder']);
});
