/** A new project, as its author creates it: commands, compiler and tests. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';

const run = promisify(execFile);
let cwd = '';

const node = async (...args: readonly string[]): Promise<string> =>
  (await run(process.execPath, [...args], { cwd })).stdout;
const kgen = (line: string): Promise<string> =>
  node(join(repository, 'src/kgen/bin/kgen.js'), ...line.split(' ').filter((word) => word !== ''));
const tool = (path: string, ...args: readonly string[]): Promise<string> =>
  node(join(repository, 'node_modules', path), ...args);

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-project-'));
  symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'), 'junction');
  await kgen('init my-operator --domain example.com');
  await kgen('create api --group shop --version v1alpha1 --kind Cart');
  await kgen('create api --group shop --version v1 --kind Store --scope Cluster');
});
afterAll(() => rmSync(cwd, { recursive: true }));

describe('a new project', () => {
  test('is written by one command, and is then up to date', { timeout: 120_000 }, async () => {
    expect(await kgen('')).toMatch(/^config: \d+ new, .*, 0 removed, 2 unchanged$/m);
    const check = await kgen('--check');
    expect(check).toContain('./generated is up to date\n');
    expect(check).toContain('config is up to date\n');
  });

  test('compiles', { timeout: 120_000 }, async () => {
    expect(await tool('typescript/bin/tsc', '--noEmit')).toBe('');
  });

  test('passes its table tests', { timeout: 120_000 }, async () => {
    await tool('vitest/vitest.mjs', 'run', 'test/cart.test.ts', 'test/store.test.ts');
  });

  test('passes its simulation as its service account', { timeout: 120_000 }, async () => {
    const path = join(cwd, 'test/cart.simulation.test.ts');
    writeFileSync(path, readFileSync(path, 'utf8').replace('seeds: 100', 'seeds: 3'));
    await tool('vitest/vitest.mjs', 'run', path);
  });

  test('is out of date after a change of a type, with the names of the files', {
    timeout: 120_000,
  }, async () => {
    const path = join(cwd, 'api/cart.ts');
    writeFileSync(path, readFileSync(path, 'utf8').replace('@maximum 10', '@maximum 20'));
    await expect(kgen('--check')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('config/crd/shop.example.com_carts.yaml'),
    });
    await kgen('');
    expect(await kgen('--check')).toContain('config is up to date\n');
  });
});
