import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setEntry } from './change.ts';
import { writeChanges } from './write-changes.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kgen-write-'));
});
afterEach(() => rm(dir, { recursive: true }));

const change = setEntry('cluster', 'c1', { server: 'https://h' });

describe('changes of kubeconfigs', () => {
  it('make the last file where none is there, and no folder for another one', async () => {
    const [first, last] = [join(dir, 'first', 'config'), join(dir, 'last', 'config')];
    await writeChanges([first, last], [change]);
    expect(await readFile(last, 'utf8')).toContain('https://h');
    expect(existsSync(join(dir, 'first'))).toBe(false);
    expect(existsSync(`${last}.lock`)).toBe(false);
  });

  it('return the files as they are afterwards', async () => {
    const path = join(dir, 'config');
    const [written] = await writeChanges([path], [change]);
    expect(written).toMatchObject({ path, exists: true });
    expect(written?.document.changed).toBe(false);
  });

  it('are refused where one of the files is no kubeconfig', async () => {
    const [good, bad] = [join(dir, 'good'), join(dir, 'bad')];
    await writeFile(good, 'clusters: []\n');
    await writeFile(bad, 'clusters: 5\n');
    await expect(writeChanges([good, bad], [change])).rejects.toMatchObject({ name: 'ConfigError' });
    expect(await readFile(good, 'utf8')).toBe('clusters: []\n');
  });
});
