/**
 * The command line with the paths of Windows: `node:path` is that of Windows, the files of drive `C:` are
 * in a temporary folder, and the file system has backslashes.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { posix } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runIn } from '../../src/kgen/cli/console.fixture.ts';
import { crdText } from '../../src/kgen/input/reading.fixture.ts';

const drive = vi.hoisted(() => ({ root: '' }));

/** Returns functions of a module of the file system with paths on `C:` as their first two arguments. */
const translated = vi.hoisted(() => {
  const pathOf = (value: unknown): unknown =>
    typeof value === 'string' && /^[A-Z]:/i.test(value)
      ? drive.root + value.slice(2).replaceAll('\\', '/')
      : value;
  return <T extends object>(module: T): T =>
    Object.fromEntries(
      Object.entries(module).map(([name, member]) => [
        name,
        typeof member === 'function' && /^[a-z]/.test(name)
          ? (first: unknown, second: unknown, ...rest: unknown[]) =>
              Reflect.apply(member, module, [pathOf(first), pathOf(second), ...rest])
          : member,
      ]),
    ) as T;
});

vi.mock('node:path', async (original) => {
  const { win32 } = await original<typeof import('node:path')>();
  return { ...win32, default: win32 };
});
vi.mock('node:fs', async (original) => translated(await original<typeof import('node:fs')>()));
vi.mock('node:fs/promises', async (original) =>
  translated(await original<typeof import('node:fs/promises')>()),
);
vi.mock('tinyglobby', async (original) => {
  const tinyglobby = await original<typeof import('tinyglobby')>();
  return {
    ...tinyglobby,
    glob: (patterns: string, { cwd, fs: _, ...options }: { cwd: string; fs: object }) =>
      tinyglobby.glob(patterns, { ...options, cwd: drive.root + cwd.slice(2).replaceAll('\\', '/') }),
  };
});

const cwd = 'C:\\work';
const onDisk = (...parts: readonly string[]): string => posix.join(drive.root, 'work', ...parts);

beforeEach(() => {
  drive.root = mkdtempSync(posix.join(tmpdir(), 'kgen-windows-'));
  mkdirSync(onDisk('crds'), { recursive: true });
  writeFileSync(onDisk('crds/good.yaml'), crdText('Good').replaceAll('\n', '\r\n'));
  writeFileSync(onDisk('crds/other.yaml'), crdText('Other'));
});
afterEach(() => rmSync(drive.root, { recursive: true }));

describe('kgen on Windows', () => {
  it.each([
    ['a pattern with backslashes', 'crds\\*.yaml'],
    ['a pattern with slashes', 'crds/*.yaml'],
    ['a folder', 'crds'],
    ['an absolute folder', 'C:\\work\\crds'],
    ['a relative path', '.\\crds\\good.yaml crds\\other.yaml'],
  ])('reads %s, and writes files with slashes and line feeds', async (_, inputs) => {
    const { code, stderr } = await runIn(cwd, `${inputs} --out out\\clients`);
    expect([code, stderr]).toEqual([0, '']);
    const files = readdirSync(onDisk('out/clients'), { recursive: true, encoding: 'utf8' });
    expect(files).toContain('index.ts');
    const lock = readFileSync(onDisk('out/clients/kgen.lock.json'), 'utf8');
    expect(lock).not.toContain('\\');
    const index = readFileSync(onDisk('out/clients/index.ts'), 'utf8');
    expect(index).not.toContain('\r');
    expect(index).not.toMatch(/from '[^']*\\/);
  });

  it('finds files unchanged that git has checked out with carriage returns', async () => {
    const line = 'crds --out out';
    await runIn(cwd, line);
    const index = readFileSync(onDisk('out/index.ts'), 'utf8');
    writeFileSync(onDisk('out/index.ts'), index.replaceAll('\n', '\r\n'));
    const { code, stdout } = await runIn(cwd, `${line} --check`);
    expect([code, stdout]).toEqual([0, expect.stringContaining('out is up to date')]);
  });

  it.each([
    ['missing.yaml', 'missing.yaml: error: file or folder not found'],
    ['none\\*.yaml', 'none\\*.yaml: error: no file matches the pattern'],
  ])('names %s in its error', async (input, message) => {
    const { code, stderr } = await runIn(cwd, `${input} --out out`);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});
