/** `copyFrom` of links, and to files that exist, with each implementation of `tar` that is installed. */
import { execFileSync } from 'node:child_process';
import { chmod, link, lstat, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { copyFrom } from '@kgen/runtime/streams';
import { describe, expect, it } from 'vitest';
import { container, contentOf, images, write } from './images.ts';
import { accepting, failure, podsOf, startServer, success } from './support.ts';
import { file, temporaryFolder } from './tar-entries.ts';

/** Creates the files of a volume of a ConfigMap: links to a folder that is replaced as a whole. */
async function configMap(root: string): Promise<string> {
  const volume = join(root, 'config');
  await write(root, { 'config/..2026/app.conf': 'a', 'config/..2026/log.conf': 'l' });
  await symlink('..2026', join(volume, '..data'));
  for (const name of ['app.conf', 'log.conf']) await symlink(`..data/${name}`, join(volume, name));
  return volume;
}

describe.each(images)('copyFrom with $name', (image) => {
  it('follows a path that is a link, and keeps the requested name', async () => {
    const { root, pods } = await container(image);
    const volume = await configMap(root);
    await write(root, { 'deep/er/x': '1', 'deep/y': '2' });
    await symlink('deep/er', join(root, 'jump'));
    await symlink('jump/../y', join(root, 'up'));
    await symlink(join(volume, 'app.conf'), join(root, 'absolute'));
    await symlink('deep/er/..', join(root, 'folder'));
    const target = await temporaryFolder();
    for (const path of ['config/app.conf', 'up', 'absolute'])
      expect(await copyFrom(pods, 'web-0', join(root, path), target)).toMatchObject({
        files: 1,
        skipped: [],
      });
    await copyFrom(pods, 'web-0', 'absolute', join(target, 'renamed'));
    await copyFrom(pods, 'web-0', join(root, 'folder'), join(target, 'all'));
    expect(await contentOf(target)).toEqual({
      ...{ 'app.conf': 'a', up: '2', absolute: 'a', renamed: 'a' },
      ...{ all: 'folder', 'all/er': 'folder', 'all/er/x': '1', 'all/y': '2' },
    });
  });

  it('rejects a link that leads nowhere, in a circle, or to a device', async () => {
    const { root, pods } = await container(image);
    await symlink('nowhere', join(root, 'dangling'));
    await symlink('round', join(root, 'about'));
    await symlink('about', join(root, 'round'));
    await symlink('fifo', join(root, 'special'));
    execFileSync('mkfifo', [join(root, 'fifo')]);
    const target = await temporaryFolder();
    const messageOf = async (path: string): Promise<string> =>
      (await failure(copyFrom(pods, 'web-0', join(root, path), target))).message;
    expect(await messageOf('dangling')).toMatch(/tar failed with the exit code \d: .*nowhere/s);
    expect(await messageOf('round')).toMatch(/round leads to more than 40 symbolic links/);
    expect(await messageOf('special')).toMatch(/fifo is not a file or a folder/);
    expect(await contentOf(target)).toEqual({});
  });

  it('follows, lists or rejects the links in a folder', async () => {
    const { root, pods } = await container(image);
    const volume = await configMap(root);
    const target = await temporaryFolder();
    const result = await copyFrom(pods, 'web-0', volume, join(target, 'skip'));
    expect([result.files, result.skipped.length]).toEqual([2, 3]);
    await copyFrom(pods, 'web-0', volume, join(target, 'follow'), { links: 'follow' });
    expect(await contentOf(join(target, 'follow'))).toMatchObject({ 'app.conf': 'a', 'log.conf': 'l' });
    const reject = { links: 'reject' } as const;
    const error = await failure(copyFrom(pods, 'web-0', volume, join(target, 'reject'), reject));
    expect(error.message).toMatch(/^web-0: 3 files were not copied: .*config\/.*: is a symlink/);
    const one = await failure(copyFrom(pods, 'web-0', join(volume, 'app.conf'), target, reject));
    expect(one.message).toMatch(/app.conf is a symbolic link to ..data\/app.conf/);
  });

  it('creates hard links, also of followed links', async () => {
    const { root, pods } = await container(image);
    await write(root, { 'src/sub/one': 'content' });
    await link(join(root, 'src/sub/one'), join(root, 'src/two'));
    await symlink('two', join(root, 'src/zzz'));
    const target = await temporaryFolder();
    const { files, skipped } = await copyFrom(pods, 'web-0', join(root, 'src'), target, { links: 'follow' });
    expect([files, skipped]).toEqual([3, []]);
    expect(await contentOf(target)).toEqual({
      ...{ sub: 'folder', 'sub/one': 'content', two: 'content', zzz: 'content' },
    });
  });

  it('rejects after the other files if local files have other kinds, which it keeps', async () => {
    const { root, pods } = await container(image);
    await write(root, { 'src/a': 'new', 'src/b': 'new', 'src/folder/c': 'new', 'src/link': 'new' });
    const target = await write(await temporaryFolder(), { 'a/kept': 'k', folder: 'kept', b: 'old' });
    await symlink('b', join(target, 'link'));
    const error = await failure(copyFrom(pods, 'web-0', join(root, 'src'), target));
    expect(error.message).toMatch(/^web-0: 4 files were not copied: /);
    expect(error.message).toMatch(/src\/a: exists and is not a regular file/);
    expect(error.message).toMatch(/src\/folder\/: folder exists and is not a folder/);
    expect(await contentOf(target)).toEqual({
      ...{ a: 'folder', 'a/kept': 'k', folder: 'kept', b: 'new', link: '-> b' },
    });
  });

  it('follows a local path that is a link to a file, and rejects one that is a device', async () => {
    const { root, pods } = await container(image);
    await write(root, { src: 'new' });
    const target = await write(await temporaryFolder(), { real: 'old' });
    await symlink('real', join(target, 'link'));
    execFileSync('mkfifo', [join(target, 'fifo')]);
    await copyFrom(pods, 'web-0', join(root, 'src'), join(target, 'link'));
    expect((await lstat(join(target, 'link'))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(target, 'real'), 'utf8')).toBe('new');
    const error = await failure(copyFrom(pods, 'web-0', join(root, 'src'), join(target, 'fifo')));
    expect(error.message).toMatch(/src: exists and is not a regular file/);
  });

  it('copies without permissions', async () => {
    const { root, pods } = await container(image);
    await write(root, { 'src/run.sh': 'x' });
    await chmod(join(root, 'src/run.sh'), 0o755);
    const target = await temporaryFolder();
    await copyFrom(pods, 'web-0', join(root, 'src'), target, { preservePermissions: false });
    expect((await stat(join(target, 'run.sh'))).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it.each<[string, readonly number[]]>([
    ['', []],
    [', also in a transfer that was resumed', [1200]],
  ])('rejects a link in a folder that it cannot follow%s', async (_, cutAfter) => {
    const { root, pods } = await container(image, undefined, { cutAfter });
    await write(root, { 'src/a': 'x'.repeat(10_000) });
    await symlink('nowhere', join(root, 'src/dangling'));
    const target = await temporaryFolder();
    const copying = copyFrom(pods, 'web-0', join(root, 'src'), target, { links: 'follow' });
    expect((await failure(copying)).message).toMatch(
      /(tar failed with the exit code \d: |1 files were not copied: ).*dangling/s,
    );
    expect((await readFile(join(target, 'a'), 'utf8')).length).toBe(10_000);
  });
});

describe('copyFrom', () => {
  it('does not resolve without the exit code of tar', async () => {
    let sessions = 0;
    const server = accepting(['v5.channel.k8s.io'], (socket) => {
      sessions += 1;
      if (sessions === 1)
        socket.send(Buffer.concat([Buffer.of(1), file('src', 'content'), Buffer.alloc(1024)]));
      else if (sessions === 3) socket.send(success);
      socket.close(1000);
    });
    const target = await temporaryFolder();
    const pods = podsOf(await startServer(server));
    expect(await copyFrom(pods, 'web-0', '/src', join(target, 'x'))).toMatchObject({ files: 1 });
    expect(sessions).toBe(3);
  });

  it('rejects an archive that is larger than maxBytes', async () => {
    const server = accepting(['v5.channel.k8s.io'], (socket) => {
      const entry = Buffer.concat([file('src', 'x'.repeat(100_000)), Buffer.alloc(1024)]);
      socket.send(Buffer.concat([Buffer.of(1), entry]));
      socket.send(success);
      socket.close(1000);
    });
    const pods = podsOf(await startServer(server));
    const target = await temporaryFolder();
    const error = await failure(copyFrom(pods, 'web-0', '/src', join(target, 'x'), { maxBytes: 50_000 }));
    expect(error.message).toMatch(/more than 50000 bytes \(maxBytes\)/);
    await copyFrom(pods, 'web-0', '/src', join(target, 'y'), { maxBytes: 110_000 });
  });
});
