import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFiles } from './read-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'kgen-manifests-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  const files = [
    'b.yaml',
    'a.yml',
    'c.json',
    'notes.txt',
    'kgen.config.json',
    '.hidden.yaml',
    '.git/x.yaml',
    'deep/d.YAML',
    'deep/er/e.yaml',
    'node_modules/m.yaml',
    'odd[1].yaml',
  ];
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `text of ${file}`);
  }
  symlinkSync(join(folder, 'b.yaml'), join(folder, 'deep/link.yaml'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'deep/dangling.yaml'));
  symlinkSync(folder, join(folder, 'deep/loop'));
  mkdirSync(join(folder, 'empty'));
});

async function pathsOf(files: string | readonly string[]): Promise<readonly string[]> {
  return (await readFiles(files, folder)).map(({ path }) => path);
}

describe('manifest files', () => {
  it.each<[string | readonly string[], readonly string[]]>([
    ['b.yaml', ['b.yaml']],
    ['notes.txt', ['notes.txt']],
    ['odd[1].yaml', ['odd[1].yaml']],
    ['.', ['a.yml', 'b.yaml', 'c.json', 'deep/d.YAML', 'deep/er/e.yaml', 'deep/link.yaml', 'odd[1].yaml']],
    ['deep/', ['deep/d.YAML', 'deep/er/e.yaml', 'deep/link.yaml']],
    ['node_modules', ['node_modules/m.yaml']],
    ['*.yaml', ['b.yaml', 'odd[1].yaml']],
    ['*.{yml,json}', ['a.yml', 'c.json']],
    ['**/*.yaml', ['b.yaml', 'deep/er/e.yaml', 'deep/link.yaml', 'odd[1].yaml']],
    ['deep/../*.yml', ['a.yml']],
    ['deep/*/*.yaml', ['deep/er/e.yaml']],
    ['.git/*', ['.git/x.yaml']],
    ['node_modules/*', ['node_modules/m.yaml']],
    [
      ['b.yaml', '*.y*'],
      ['b.yaml', 'a.yml', 'odd[1].yaml'],
    ],
  ])('of %j are found', async (files, want) => {
    expect(await pathsOf(files)).toEqual(want);
  });

  it('of an absolute pattern are found', async () => {
    expect(await pathsOf(join(folder, '?.yml'))).toEqual([join(folder, 'a.yml')]);
  });

  it('have their text', async () => {
    expect(await readFiles('a.yml', folder)).toEqual([{ path: 'a.yml', text: 'text of a.yml' }]);
  });

  it.each<[string, string | readonly string[], string]>([
    ['a missing file', 'missing.yaml', 'missing.yaml: no such file or folder'],
    ['an empty folder', 'empty', 'empty: the folder has no *.yaml, *.yml or *.json file'],
    ['a pattern without matches', 'missing/*.yaml', 'missing/*.yaml: no file matches the pattern'],
    ['a pattern below a file', 'b.yaml/*', 'b.yaml/*: no file matches the pattern'],
    ['no argument', [], 'files must be a path'],
    ['an empty argument', ['a.yml', ''], 'files must be a path'],
  ])('throws for %s', async (_, files, message) => {
    await expect(readFiles(files, folder)).rejects.toThrow(message);
  });

  it('throws TypeError for arguments that are not strings', async () => {
    await expect(Reflect.apply(readFiles, undefined, [5])).rejects.toBeInstanceOf(TypeError);
  });
});
