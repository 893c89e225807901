import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problem } from '../kubeconfig-text.fixture.ts';
import { setEntry } from './change.ts';
import { writeChanges } from './write-changes.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kgen-write-'));
});
afterEach(() => rm(dir, { recursive: true }));

const change = setEntry('cluster', 'c1', { server: 'https://h' });

/** An empty file in a folder in which nobody can create files. */
const locked = '/sys/class/net/lo/ifalias';
const hasLocked = existsSync(locked) && readFileSync(locked, 'utf8') === '';

describe('changes of kubeconfigs', () => {
  it('create the last file if none exists, and no folder for another one', async () => {
    const [first, last] = [join(dir, 'first', 'config'), join(dir, 'last', 'config')];
    await writeChanges([first, last], [change]);
    expect(await readFile(last, 'utf8')).toContain('https://h');
    expect(existsSync(join(dir, 'first'))).toBe(false);
    expect(existsSync(`${last}.lock`)).toBe(false);
  });

  it('return the files with their new content', async () => {
    const path = join(dir, 'config');
    const [written] = await writeChanges([path], [change]);
    expect(written).toMatchObject({ path, exists: true });
    expect(written?.document.changed).toBe(false);
  });

  it('are rejected if one of the files is not a kubeconfig', async () => {
    const [good, bad] = [join(dir, 'good'), join(dir, 'bad')];
    await writeFile(good, 'clusters: []\n');
    await writeFile(bad, 'clusters: 5\n');
    await expect(writeChanges([good, bad], [change])).rejects.toMatchObject({ name: 'ConfigError' });
    expect(await readFile(good, 'utf8')).toBe('clusters: []\n');
  });

  it.runIf(hasLocked)('are rejected in a folder in which no lock file can be created', async () => {
    expect(await problem(writeChanges([locked], [change]))).toBe(
      `cannot write the kubeconfig ${locked}: its folder, which needs a lock file, is not writable for this process`,
    );
  });

  it('are rejected for a file that appears once the lock is held', async () => {
    const [first, last] = [join(dir, 'first'), join(dir, 'new', 'last')];
    await writeFile(join(dir, 'config'), 'clusters: []\n');
    // The link leads through the folder that is created for the lock.
    await symlink('new/../config', first);
    expect(await problem(writeChanges([first, last], [change]))).toBe(
      `cannot write the kubeconfig ${first}: another program has just created it; write again`,
    );
    expect([await readFile(first, 'utf8'), existsSync(last)]).toEqual(['clusters: []\n', false]);
  });
});
