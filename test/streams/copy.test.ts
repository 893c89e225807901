import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyFrom, copyTo } from '@kgen/runtime/streams';
import { describe, expect, it } from 'vitest';
import { processes } from './processes.ts';
import { accepting, exitStatus, failure, podsOf, startServer, success } from './support.ts';
import { extract, file, folder, link, special, temporaryFolder } from './tar-entries.ts';

/** Messages of implementations of tar that could not read a file. */
const busyBox = "tar: can't open './src': Permission denied\ntar: error exit delayed from previous errors";
const bsdtar = 'tar: ./src: Permission denied\ntar: Error exit delayed from previous errors.';

describe('an archive of a hostile container', () => {
  it.each<[string, readonly Buffer[]]>([
    ['CVE-2018-1002100: a name with ..', [file('src/../../evil')]],
    ['CVE-2019-1002101: a file behind a symbolic link', [link('src/link', '..'), file('src/link/evil')]],
    ['CVE-2019-11246: a link and a path', [link('src/link', '../..'), file('src/link/../evil')]],
    ['CVE-2019-11249: .. at the end', [folder('src/a/..'), file('src/a/../../evil')]],
    ['CVE-2019-11251: two links', [link('src/a', '..'), link('src/a/b', '..'), file('src/a/b/evil')]],
    ['an empty part', [file('src/./evil')]],
    [
      'devices, FIFOs and hard links',
      [special('src/d', '3'), special('src/f', '6'), special('src/h', '1', '/etc/passwd')],
    ],
  ])('creates nothing outside of the folder: %s', async (_, entries) => {
    const outer = await temporaryFolder();
    const target = join(outer, 'inner', 'target');
    await mkdir(target, { recursive: true });
    const { skipped } = await extract(target, ...entries);
    expect(skipped.length).toBeGreaterThan(0);
    const all = await readdir(outer, { recursive: true, withFileTypes: true });
    expect(all.filter((entry) => entry.isSymbolicLink())).toEqual([]);
    const outside = all.filter(
      (entry) => !join(entry.parentPath, entry.name).startsWith(join(outer, 'inner')),
    );
    expect(outside).toEqual([]);
    expect(await readdir(join(outer, 'inner'))).toEqual(['target']);
  });

  it('writes through no link that exists', async () => {
    const outer = await temporaryFolder();
    const target = join(outer, 'target');
    await mkdir(target);
    await writeFile(join(outer, 'secret'), 'kept');
    await symlink(outer, join(target, 'dir'));
    await symlink(join(outer, 'secret'), join(target, 'file'));
    const { skipped } = await extract(target, file('src/dir/evil'), file('src/file', 'changed'));
    expect(skipped).toEqual([
      'src/dir/evil: dir exists and is not a folder',
      'src/file: exists and is not a regular file',
    ]);
    expect(await readFile(join(outer, 'secret'), 'utf8')).toBe('kept');
    expect(await readdir(outer)).toEqual(['secret', 'target']);
  });

  it('contains only the requested paths', async () => {
    const target = await temporaryFolder();
    await expect(extract(target, file('other/evil'))).rejects.toThrow(
      /contains "other\/evil", which was not requested/,
    );
  });

  it('replaces files, and sets their permissions without setuid', async () => {
    const target = await temporaryFolder();
    await writeFile(join(target, 'a'), 'old');
    const { paths } = await extract(target, file('src/a', 'new', 0o4755), file('src/b/c', 'c', 0o600));
    expect(paths).toEqual(['a', 'b', 'b/c']);
    expect(await readFile(join(target, 'a'), 'utf8')).toBe('new');
    expect((await stat(join(target, 'a'))).mode & 0o7777 & ~0o22).toBe(0o755);
    expect((await stat(join(target, 'b/c'))).mode & 0o7777).toBe(0o600);
  });
});

describe('copies with real programs', () => {
  async function sample(): Promise<string> {
    const root = await temporaryFolder();
    await mkdir(join(root, 'data/deep/er'), { recursive: true });
    await writeFile(join(root, 'data/big'), Buffer.alloc(3_000_000, 'abc'));
    await writeFile(join(root, `data/deep/${'long'.repeat(40)}`), 'long');
    await writeFile(join(root, 'data/deep/er/ü -x'), 'name');
    await writeFile(join(root, 'data/run.sh'), '#!/bin/sh\n');
    await chmod(join(root, 'data/run.sh'), 0o755);
    await symlink('/etc/passwd', join(root, 'data/link'));
    return root;
  }

  async function same(one: string, other: string): Promise<void> {
    const names = (await readdir(one, { recursive: true })).sort().filter((name) => name !== 'link');
    expect((await readdir(other, { recursive: true })).sort().filter((name) => name !== 'link')).toEqual(
      names,
    );
    for (const name of names) {
      const stats = await lstat(join(one, name));
      if (!stats.isFile()) continue;
      expect(Buffer.compare(await readFile(join(one, name)), await readFile(join(other, name))), name).toBe(
        0,
      );
      expect((await lstat(join(other, name))).mode & 0o700).toBe(stats.mode & 0o700);
    }
  }

  it('copy a folder from a container, without its links', async () => {
    const root = await sample();
    const target = join(await temporaryFolder(), 'new');
    const pods = podsOf(await startServer(processes(root)));
    let progress = 0;
    const onProgress = (bytes: number): void => {
      progress = bytes;
    };
    const { files, skipped } = await copyFrom(pods, 'web-0', join(root, 'data'), target, { onProgress });
    expect([files, skipped.length]).toEqual([4, 1]);
    expect(progress).toBeGreaterThan(3_000_000);
    await same(join(root, 'data'), target);
  });

  it('resume a truncated transfer', async () => {
    const root = await sample();
    const target = await temporaryFolder();
    const pods = podsOf(await startServer(processes(root, { cutAfter: [1000, 700_001] })));
    await copyFrom(pods, 'web-0', join(root, 'data'), target);
    await same(join(root, 'data'), target);
    const again = podsOf(await startServer(processes(root, { cutAfter: [1000] })));
    const error = await failure(copyFrom(again, 'web-0', join(root, 'data'), target, { maxRetries: 0 }));
    expect(error.message).toMatch(/without an exit status/);
  });

  it('copy one file to a name, and into a folder', async () => {
    const root = await sample();
    const target = await temporaryFolder();
    const pods = podsOf(await startServer(processes(root)));
    await copyFrom(pods, 'web-0', join(root, 'data/run.sh'), join(target, 'renamed'));
    await copyFrom(pods, 'web-0', join(root, 'data/run.sh'), target);
    expect((await readdir(target)).sort()).toEqual(['renamed', 'run.sh']);
  });

  it('copy a folder to a container, with its links', async () => {
    const root = await sample();
    const target = await temporaryFolder();
    const pods = podsOf(await startServer(processes(root)));
    const { bytes } = await copyTo(pods, 'web-0', join(root, 'data'), join(target, 'there'));
    expect(bytes).toBeGreaterThan(3_000_000);
    await same(join(root, 'data'), join(target, 'there'));
    expect((await lstat(join(target, 'there/link'))).isSymbolicLink()).toBe(true);
  });

  it('report what tar reports, and a local error', async () => {
    const root = await sample();
    const pods = podsOf(await startServer(processes(root)));
    const missing = await failure(copyFrom(pods, 'web-0', '/does/not/exist', root));
    expect(missing.message).toMatch(/web-0: tar failed with the exit code \d: .*does/s);
    const absent = await failure(copyFrom(pods, 'web-0', join(root, 'absent'), join(root, 'copy')));
    expect(absent.message).toMatch(/web-0: tar failed with the exit code \d: .*absent/s);
    const nowhere = await failure(copyTo(pods, 'web-0', join(root, 'data'), '/does/not/exist'));
    expect(nowhere.message).toBe('web-0: nothing was copied: the container has no folder /does/not');
    expect((await failure(copyTo(pods, 'web-0', join(root, 'absent'), '/srv/x'))).message).toMatch(/ENOENT/);
  });

  it.each([
    [
      'an error of the runtime',
      '{"kind":"Status","status":"Failure","code":500,"message":"exec: \\"tar\\": executable file not found in $PATH"}',
    ],
    ['the exit code 127', exitStatus(127).subarray(1).toString()],
  ])('report an image without tar: %s', async (_, status) => {
    const response = accepting(['v5.channel.k8s.io'], (socket) => {
      socket.send(Buffer.from(`\u0003${status}`));
      socket.close(1000);
    });
    const error = await failure(
      copyFrom(podsOf(await startServer(response)), 'web-0', '/x', await temporaryFolder()),
    );
    expect(error.message).toMatch(/the image of the container has no tar/);
  });

  it.each([
    ['GNU tar could not read all files', 2, '', '/srv/src', 'tar failed with the exit code 2'],
    [
      'BusyBox could not read all files',
      1,
      busyBox,
      '/srv/src',
      `tar failed with the exit code 1: ${busyBox}`,
    ],
    ['bsdtar could not read all files', 1, bsdtar, '/srv/src', `tar failed with the exit code 1: ${bsdtar}`],
    ['an entry was not requested', 0, '', '/srv/other', 'was not requested'],
  ])('fail although the archive is complete: %s', async (_, code, stderr, path, message) => {
    const pods = podsOf(await startServer(endingWith(code, stderr)));
    expect((await failure(copyFrom(pods, 'web-0', path, await temporaryFolder()))).message).toContain(
      message,
    );
  });

  it('fail if GNU tar has cut a file', async () => {
    const shrunk = 'tar: ./src: File shrank by 5 bytes; padding with zeros';
    const pods = podsOf(await startServer(endingWith(1, shrunk)));
    const error = await failure(copyFrom(pods, 'web-0', '/srv/src', await temporaryFolder()));
    expect(error.message).toBe(`web-0: tar failed with the exit code 1: ${shrunk}`);
  });

  it('succeed if GNU tar reports that a file has changed meanwhile', async () => {
    const pods = podsOf(await startServer(endingWith(1, 'tar: ./src: file changed as we read it')));
    expect(await copyFrom(pods, 'web-0', '/srv/src', await temporaryFolder())).toMatchObject({ files: 1 });
  });

  it('fail for a damaged archive', async () => {
    const damaged = accepting(['v5.channel.k8s.io'], (socket) => {
      socket.send(Buffer.concat([Buffer.of(1), Buffer.alloc(512, 'x')]));
      socket.send(success);
      socket.close(1000);
    });
    const error = await failure(
      copyFrom(podsOf(await startServer(damaged)), 'web-0', '/x', await temporaryFolder()),
    );
    expect(error.message).toMatch(/is damaged: the checksum of a header is wrong/);
  });
});

/** Returns a server whose tar sends a complete archive, and ends with an exit code and messages. */
function endingWith(code: number, stderr: string): ReturnType<typeof accepting> {
  const archive = Buffer.concat([file('src', 'content'), Buffer.alloc(1024)]);
  return accepting(['v5.channel.k8s.io'], (socket) => {
    socket.send(Buffer.concat([Buffer.of(1), archive]));
    if (stderr !== '') socket.send(Buffer.concat([Buffer.of(2), Buffer.from(stderr)]));
    socket.send(code === 0 ? success : exitStatus(code));
    socket.close(1000);
  });
}
