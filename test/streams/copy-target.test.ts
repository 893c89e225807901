/** `copyTo` and files that exist in the container, with each implementation of `tar` that is installed. */
import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { copyTo } from '@kgen/runtime/streams';
import { describe, expect, it } from 'vitest';
import { container, contentOf, images, write } from './images.ts';
import { failure } from './support.ts';
import { temporaryFolder } from './tar-entries.ts';

const isRoot = process.getuid?.() === 0;
/** Owner and group of folders of the container. */
const owner: readonly [uid: number, gid: number] = isRoot
  ? [1234, 4321]
  : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];

async function modeOf(path: string): Promise<string> {
  const { mode, uid, gid } = await stat(path);
  return `${(mode & 0o7777).toString(8)} ${uid} ${gid}`;
}

describe.each(images)('copyTo with $name', (image) => {
  it('keeps a link to a folder, and copies into that folder', async () => {
    const { root, pods } = await container(image);
    await write(root, { 'usr/bin/sh': 'program' });
    await symlink('usr/bin', join(root, 'bin'));
    const local = await write(await temporaryFolder(), { new: 'n', 'sub/deep': 'd' });
    await copyTo(pods, 'web-0', local, join(root, 'bin'));
    expect(await contentOf(root)).toEqual({
      bin: '-> usr/bin',
      ...{ usr: 'folder', 'usr/bin': 'folder', 'usr/bin/sh': 'program', 'usr/bin/new': 'n' },
      ...{ 'usr/bin/sub': 'folder', 'usr/bin/sub/deep': 'd' },
    });
  });

  it('keeps mode and owner of folders that exist, at all levels', async () => {
    const { root, pods } = await container(image);
    await write(root, { 'tmp/inner/': '' });
    for (const [path, mode] of [
      ['tmp', 0o1777],
      ['tmp/inner', 0o2750],
    ] as const) {
      await chown(join(root, path), ...owner);
      await chmod(join(root, path), mode);
    }
    const local = await write(await temporaryFolder(), { 'inner/file': 'x', 'other/file': 'y' });
    await chmod(join(local, 'other'), 0o711);
    await copyTo(pods, 'web-0', local, join(root, 'tmp'));
    expect(await modeOf(join(root, 'tmp'))).toBe(`1777 ${owner.join(' ')}`);
    expect(await modeOf(join(root, 'tmp/inner'))).toBe(`2750 ${owner.join(' ')}`);
    expect((await stat(join(root, 'tmp/other'))).mode & 0o777).toBe(0o711);
    expect(await readFile(join(root, 'tmp/inner/file'), 'utf8')).toBe('x');
    // As of a file that the process creates: the group is that of a folder with setgid.
    expect((await stat(join(root, 'tmp/inner/file'))).gid).toBe(owner[1]);
  });

  it('keeps links in the tree to folders and files, and writes behind them', async () => {
    const { root, pods } = await container(image);
    await write(root, { 'data/real/old': 'o', 'data/conf': 'before', 'app/': '' });
    await symlink('../data/real', join(root, 'app/static'));
    await symlink(join(root, 'data/conf'), join(root, 'app/conf'));
    const local = await write(await temporaryFolder(), { 'static/new': 'n', conf: 'after', plain: 'p' });
    await copyTo(pods, 'web-0', local, join(root, 'app'));
    expect(await contentOf(root)).toEqual({
      ...{ app: 'folder', 'app/static': '-> ../data/real', 'app/conf': `-> ${join(root, 'data/conf')}` },
      ...{ 'app/plain': 'p', data: 'folder', 'data/conf': 'after', 'data/real': 'folder' },
      ...{ 'data/real/new': 'n', 'data/real/old': 'o' },
    });
  });

  it('copies a file into a folder, also behind a link, and to a file behind a link', async () => {
    const { root, pods } = await container(image);
    await write(root, { 'conf/': '', 'etc/app.conf': 'before' });
    await symlink('conf', join(root, 'link'));
    await symlink('etc/app.conf', join(root, 'current'));
    const local = await write(await temporaryFolder(), { one: '1', two: '2', 'app.conf': 'after' });
    await copyTo(pods, 'web-0', join(local, 'one'), join(root, 'conf'));
    await copyTo(pods, 'web-0', join(local, 'two'), join(root, 'link/'));
    await copyTo(pods, 'web-0', join(local, 'app.conf'), join(root, 'current'));
    expect(await contentOf(root)).toEqual({
      ...{ conf: 'folder', 'conf/one': '1', 'conf/two': '2', link: '-> conf' },
      ...{ current: '-> etc/app.conf', etc: 'folder', 'etc/app.conf': 'after' },
    });
  });

  it.each<[string, Readonly<Record<string, string>>, string, string, RegExp]>([
    ['a file to a name that is a folder in a folder', { 'a/file/': '' }, 'file', 'a', /a\/file is a folder$/],
    ['a file to a FIFO', {}, 'file', 'fifo', /fifo is a special file$/],
    ['a file to a dangling link', {}, 'file', 'dangling', /dangling is a dangling link$/],
    ['a folder to a file', { a: 'kept' }, 'tree', 'a', /a exists and is not a folder$/],
    ['a folder to a dangling link', {}, 'tree', 'dangling', /dangling exists and is not a folder$/],
    ['a nested file to an empty folder', { 'a/sub/one/': '' }, 'tree', 'a', /a\/sub\/one is a folder$/],
    ['a nested folder to a file', { 'a/sub': 'kept' }, 'tree', 'a', /a\/sub exists and is not a folder$/],
    ['a link to a folder', { 'a/link/x': 'kept' }, 'tree', 'a', /a\/link is a folder$/],
    ['a file to a folder that does not exist', {}, 'file', 'none/x', /the container has no folder .*none$/],
    ['a file below a file', { a: 'kept' }, 'file', 'a/x', /the container has no folder .*a$/],
  ])('changes nothing, and rejects: %s', async (_, present, source, target, message) => {
    const { root, pods } = await container(image);
    await write(root, present);
    execFileSync('mkfifo', [join(root, 'fifo')]);
    await symlink('nowhere', join(root, 'dangling'));
    const before = await contentOf(root);
    const local = await write(await temporaryFolder(), { file: 'f', 'tree/sub/one': '1', 'tree/0': '0' });
    await symlink('sub', join(local, 'tree/link'));
    const error = await failure(copyTo(pods, 'web-0', join(local, source), join(root, target)));
    expect(error.message).toMatch(/^web-0: nothing was copied: /);
    expect(error.message).toMatch(message);
    expect(await contentOf(root)).toEqual(before);
  });

  it('copies any names, and into folders with any names', async () => {
    const { root, pods } = await container(image);
    const names = [
      '-x',
      'a b',
      'line\nbreak\n',
      'back\\0134slash',
      '$(touch pwned)',
      "quote'",
      'ü',
      '*',
      '!',
      '(',
    ];
    const files = Object.fromEntries(
      names.flatMap((name) => [
        [`${name}/${name}`, name],
        [`new ${name}`, name],
      ]),
    );
    const local = await write(await temporaryFolder(), {
      ...files,
      [`${'long'.repeat(30)}/${'ü'.repeat(90)}`]: 'l',
    });
    for (const name of names) await mkdir(join(root, 'target', name), { recursive: true });
    for (const name of names) await chmod(join(root, 'target', name), 0o700);
    await symlink('x'.repeat(120), join(local, 'link'));
    await copyTo(pods, 'web-0', local, join(root, 'target'));
    expect(await contentOf(join(root, 'target'))).toEqual(await contentOf(local));
    for (const name of names) expect((await stat(join(root, 'target', name))).mode & 0o777).toBe(0o700);
  });

  it('replaces files and links as tar does, and copies to relative paths', async () => {
    const { root, pods } = await container(image);
    await write(root, { 'app/file': 'before', 'app/became': 'file' });
    await symlink('before', join(root, 'app/link'));
    const local = await write(await temporaryFolder(), { file: 'after' });
    await symlink('after', join(local, 'link'));
    await symlink('file', join(local, 'became'));
    await copyTo(pods, 'web-0', local, 'app/');
    expect(await contentOf(join(root, 'app'))).toEqual({
      ...{ file: 'after', link: '-> after', became: '-> file' },
    });
    await copyTo(pods, 'web-0', join(local, 'file'), '.');
    await copyTo(pods, 'web-0', join(local, 'link'), './new link');
    expect(await contentOf(root)).toMatchObject({ file: 'after', 'new link': '-> after' });
  });

  it('reports local special files, and rejects one as the source', async () => {
    const { root, pods } = await container(image);
    const local = await write(await temporaryFolder(), { file: 'x' });
    execFileSync('mkfifo', [join(local, 'fifo')]);
    const { skipped } = await copyTo(pods, 'web-0', local, join(root, 'new'));
    expect(skipped).toEqual([join(local, 'fifo')]);
    expect(await contentOf(join(root, 'new'))).toEqual({ file: 'x' });
    const error = await failure(copyTo(pods, 'web-0', join(local, 'fifo'), join(root, 'fifo')));
    expect(error.message).toMatch(/fifo is not a file, a folder or a link/);
  });

  it('without permissions applies the umask of the container', async () => {
    const { root, pods } = await container(image);
    const local = await write(await temporaryFolder(), { 'sub/file': 'x' });
    await chmod(join(local, 'sub/file'), 0o777);
    const umask = process.umask(0o027);
    try {
      await copyTo(pods, 'web-0', local, join(root, 'strict'), { preservePermissions: false });
      await copyTo(pods, 'web-0', local, join(root, 'kept'));
    } finally {
      process.umask(umask);
    }
    expect((await stat(join(root, 'strict/sub/file'))).mode & 0o777).toBe(0o750);
    expect((await stat(join(root, 'kept/sub/file'))).mode & 0o777).toBe(0o777);
  });

  it('without a shell copies only to paths that need no comparison', async () => {
    const { root, pods } = await container(image, ['tar']);
    const local = await write(await temporaryFolder(), { file: 'x', 'tree/one': '1' });
    await copyTo(pods, 'web-0', join(local, 'tree'), join(root, 'tree'));
    await copyTo(pods, 'web-0', join(local, 'file'), join(root, 'tree/one'));
    expect(await contentOf(root)).toEqual({ tree: 'folder', 'tree/one': 'x' });
    for (const [source, target] of [
      ['tree', 'tree'],
      ['file', 'tree'],
      ['tree', 'tree/one'],
    ] as const) {
      const error = await failure(copyTo(pods, 'web-0', join(local, source), join(root, target)));
      expect(error.message).toMatch(/nothing was copied: .* exists, and the container has no sh/);
    }
    expect(await contentOf(root)).toEqual({ tree: 'folder', 'tree/one': 'x' });
  });
});
