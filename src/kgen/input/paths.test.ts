import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import { loadCrds } from './load.ts';
import { crdText } from './reading.fixture.ts';

let cwd = '';

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-paths-'));
  for (const folder of ['m', 'k']) mkdirSync(join(cwd, folder));
  writeFileSync(join(cwd, 'kgen-alpha.yaml'), crdText('Alpha'));
  writeFileSync(join(cwd, 'm/same.yaml'), crdText('Same'));
  symlinkSync('../m/same.yaml', join(cwd, 'k/same.yaml'));
  symlinkSync('l*p', join(cwd, 'l*p'));
});

afterAll(() => rmSync(cwd, { recursive: true }));

async function problemsOf(input: string, stdin: Readable = Readable.from([])): Promise<string | undefined> {
  const { problems } = await loadCrds({ input: [input], cwd, stdin });
  return problems.map(formatProblem)[0];
}

describe('paths', () => {
  const long = 'a'.repeat(300);

  test.each([
    [`${long}.yaml`, `${long}.yaml: error: the path is too long: check it`],
    [`{${long},b}.yaml`, `{${long},b}.yaml: error: no file matches the pattern: check it`],
    ['l*p', 'l*p: error: symbolic links lead in a circle here: repair them'],
    ['/kgen-alpha*.yaml', '/kgen-alpha*.yaml: error: no file matches the pattern: check it'],
    [
      'kgen-alpha.yaml/x',
      'kgen-alpha.yaml/x: error: file not found: a part of its path is a file, not a folder',
    ],
  ])('%s', async (input, problem) => {
    expect(await problemsOf(input)).toBe(problem);
  });

  test.each([[['m/same.yaml', 'k/same.yaml']], [['k/same.yaml', 'm/same.yaml']]])(
    'of two paths with one base name the first in order counts: %j',
    async (input) => {
      const { crds } = await loadCrds({ input, cwd, stdin: Readable.from([]) });
      expect(crds.map((crd) => crd.input.file)).toEqual(['k/same.yaml']);
    },
  );
});

describe('standard input', () => {
  test('that is a folder is refused', async () => {
    const fd = openSync(cwd, 'r');
    const problem = await problemsOf('-', Object.assign(Readable.from([]), { fd }));
    closeSync(fd);
    expect(problem).toBe('<stdin>: error: this is a folder and not a file: give a file');
  });

  test('that is a file is read', async () => {
    const fd = openSync(join(cwd, 'kgen-alpha.yaml'), 'r');
    const problem = await problemsOf('-', Object.assign(Readable.from([crdText('Alpha')]), { fd }));
    closeSync(fd);
    expect(problem).toBeUndefined();
  });

  test('that is larger than a file may be is refused', async () => {
    const mebibyte = Buffer.alloc(1024 * 1024, '\n');
    const parts = (count: number): Readable =>
      Readable.from([crdText('Foo'), ...Array<Buffer>(count).fill(mebibyte)]);
    expect(await problemsOf('-', parts(64))).toBe('<stdin>: error: the file has more than 64 MiB: split it');
  });
});
