import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { crdText } from '../input/reading.fixture.ts';
import { type Ran, runIn } from './console.fixture.ts';

let cwd = '';

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-run-'));
  put('good.yaml', crdText('Good'));
});

afterEach(() => rmSync(cwd, { recursive: true }));

function put(name: string, text: string): void {
  writeFileSync(join(cwd, name), text);
}

function kgen(line: string, isTerminal = false): Promise<Ran> {
  return runIn(cwd, line, { isTerminal });
}

function generated(): readonly string[] {
  return readdirSync(join(cwd, 'generated'), { recursive: true }).map(String).sort();
}

describe('exit status and messages', () => {
  test('returns 0 without errors', async () => {
    expect(await kgen('good.yaml')).toEqual({
      code: 0,
      stdout:
        '1 source read: 1 kind in 1 group version, 0 other objects skipped\n./generated: 8 new, 0 changed, 0 removed, 0 unchanged\n',
      stderr: '',
    });
    expect(generated()).toContain('my.domain/v1/types.ts');
  });

  test('returns 1 with an error and generates the valid documents', async () => {
    put('bad.yaml', 'a: [\n');
    const { code, stdout, stderr } = await kgen('bad.yaml good.yaml no.yaml');
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^bad\.yaml:2:1: error: broken YAML: /),
      'no.yaml: error: file or folder not found: check the path',
      '',
    ]);
    expect(stdout).toContain('parts with errors are left out');
    expect(generated()).toContain('my.domain/v1/types.ts');
  });

  test('--exactly-one limits members that exclude each other', async () => {
    const source =
      '{type: object, maxProperties: 1, minProperties: 1, properties: {a: {type: string}, b: {type: string}}}';
    put('one.yaml', crdText('One', `{type: object, properties: {spec: ${source}}}`));
    const written = async (line: string): Promise<string> => {
      expect(await kgen(line)).toMatchObject({ code: 0, stderr: '' });
      return readFileSync(join(cwd, 'generated/my.domain/v1/types.ts'), 'utf8');
    };
    expect(await written('one.yaml')).toContain('export interface OneSpec {');
    const limited = "export type OneSpec = ExactlyOne<OneSpecMembers, 'a' | 'b'>;";
    expect(await written('one.yaml --exactly-one')).toContain(limited);
    put('kgen.config.json', JSON.stringify({ input: 'one.yaml', exactlyOne: true }));
    expect(await written('--no-docs')).toContain(limited);
  });

  test('accepts the name of the command', async () => {
    expect(await kgen('generate good.yaml')).toMatchObject({ code: 0, stderr: '' });
    expect(generated()).toContain('my.domain/v1/types.ts');
  });

  test.each([
    ['gen good.yaml', '`kgen generate`'],
    ['genrate good.yaml', '`kgen generate`'],
    ['inti', '`kgen init`'],
    ['check good.yaml', '`--check`'],
    ['hlep', '`kgen help`'],
    ['compl', '`kgen completion`'],
    ['from-cluster', '`--from-cluster`'],
  ])('returns 2 and writes nothing for %j', async (line, want) => {
    expect(await kgen(line)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: "${line.split(' ')[0]}" is not a file, a folder or a command: did you mean ${want}?\n`,
    });
    expect(readdirSync(cwd)).toEqual(['good.yaml']);
  });

  test('reads a folder with the name of an option', async () => {
    mkdirSync(join(cwd, 'check'));
    put('check/a.yaml', crdText('Other'));
    expect(await kgen('check good.yaml')).toMatchObject({ code: 0, stderr: '' });
  });

  test('returns 1 without a CRD and does not write the output folder', async () => {
    await kgen('good.yaml');
    const before = generated();
    expect(await kgen('no.yaml')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('nothing was written'),
    });
    expect(generated()).toEqual(before);
  });

  test.each([
    ['--flavour', /unknown option/],
    ['', /no input/],
    ['good.yaml --from-cluster', /CRD files and --from-cluster cannot be combined/],
    ['good.yaml --context c', /--context requires --from-cluster/],
    ['good.yaml --paths', /--paths requires --from-cluster, --openapi, or --kubernetes/],
    [
      'good.yaml --config no.json',
      /no\.json: error: (file or folder not found|the file, or a module that it imports, does not exist)/,
    ],
    ['good.yaml --emit js --import-extension .ts', /--import-extension \.ts has no effect with --emit js/],
    ['good.yaml --group-alias a=x --group-alias b=x', /names that differ/],
  ])('returns 2 for %j', async (line, want) => {
    expect(await kgen(line)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(want) });
    const { code, stdout, stderr } = await kgen(`${line} --json`);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      problems: [
        { severity: 'error', message: expect.stringMatching(want.source.replace(/^.*error: /, '')) },
      ],
    });
    expect(readdirSync(cwd)).toEqual(['good.yaml']);
  });

  test.each([
    [
      { kind: 'Good', served: false },
      '',
      /none of the 1 CustomResourceDefinition of the input has a version/,
    ],
    [{ kind: 'Good', served: false }, '--include *', /none of the 1 CustomResourceDefinition of the input/],
    [{ kind: 'Good', served: true }, '--include other', /--include and --exclude select nothing of the 1/],
    [{ kind: 'Good', served: true }, '--exclude *', /--include and --exclude select nothing of the 1/],
    [{ kind: 'Pod', served: true }, '', /the input has no CustomResourceDefinition \(but 1 other/],
    [{ kind: undefined, served: true }, '', /the input has no CustomResourceDefinition, 1 source/],
  ] as const)('returns 1 if the selection of %j with %j is empty', async ({ kind, served }, flags, want) => {
    await kgen('good.yaml');
    const before = generatedTexts('generated');
    const none = kind === undefined ? '' : 'apiVersion: v1\nkind: Pod\n';
    put('good.yaml', kind === 'Good' ? crdText('Good').replace('served: true', `served: ${served}`) : none);
    for (const mode of ['', '--check', '--dry-run']) {
      const { code, stdout, stderr } = await kgen(`good.yaml ${flags} ${mode}`);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(want) });
      expect(stdout).not.toContain('up to date');
    }
    expect(generatedTexts('generated')).toEqual(before);
  });

  test('keeps a stale file while the input has errors and removes it afterwards', async () => {
    put('other.yaml', crdText('Other').replaceAll('my.domain', 'other.domain'));
    await kgen('good.yaml other.yaml');
    put('other.yaml', 'a: [\n');
    await kgen('good.yaml other.yaml');
    expect(generated()).toContain('other.domain/v1/types.ts');
    put('other.yaml', '');
    expect(await kgen('good.yaml other.yaml')).toMatchObject({ code: 0 });
    expect(generated()).not.toContain('other.domain');
  });
});

describe('modes', () => {
  test('lists files and writes nothing with --dry-run', async () => {
    const { code, stdout } = await kgen('good.yaml --dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^new {5}\.\/generated\/my\.domain\/v1\/types\.ts \(\+\d+ -0 lines\)$/m);
    expect(readdirSync(cwd)).toEqual(['good.yaml']);
  });

  test('reports differences per file with --check', async () => {
    const missing = await kgen('good.yaml --check');
    expect(missing).toMatchObject({ code: 1, stdout: expect.stringContaining('is not up to date') });
    expect(missing.stderr.split('\n')[0]).toBe('./generated/catalog.ts: error: the file is missing');
    expect(readdirSync(cwd)).toEqual(['good.yaml']);
    await kgen('good.yaml');
    expect(await kgen('good.yaml --check')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('./generated is up to date\n'),
      stderr: '',
    });
    put('good.yaml', crdText('Good', '{type: object, properties: {a: {type: string}}}'));
    const { code, stderr } = await kgen('good.yaml --check');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^\.\/generated\/my\.domain\/v1\/types\.ts: error: the file differs from the output of kgen \(\+\d+ -\d+ lines\)$/m,
    );
    expect(readFileSync(join(cwd, 'generated/my.domain/v1/types.ts'), 'utf8')).not.toContain('a?: string');
  });

  test('does not report the folder as up to date for --check with errors', async () => {
    await kgen('good.yaml');
    expect(await kgen('good.yaml no.yaml --check')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('./generated cannot be checked, because of the errors'),
    });
  });

  test('reports that nothing was written in --json after a clash', async () => {
    mkdirSync(join(cwd, 'generated'));
    put('generated/index.ts', 'mine');
    const { code, stdout } = await kgen('good.yaml --json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      files: { created: [], updated: [], removed: [], unchanged: 0 },
      problems: [{ file: './generated/index.ts' }],
    });
    expect(generated()).toEqual(['index.ts']);
  });

  test('prints only problems, without progress, with --quiet', async () => {
    expect(await kgen('good.yaml --quiet', true)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await kgen('good.yaml no.yaml --quiet', true)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'no.yaml: error: file or folder not found: check the path\n',
    });
  });

  test('prints one object with --json', async () => {
    put('bad.yaml', 'a: [\n');
    const { stdout, stderr } = await kgen('good.yaml bad.yaml --json', true);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      mode: 'write',
      out: './generated',
      files: {
        created: expect.arrayContaining(['index.ts', 'my.domain/v1/types.ts']),
        updated: [],
        removed: [],
        unchanged: 0,
      },
      groups: [{ group: 'my.domain', version: 'v1', kinds: ['Good'] }],
      kinds: 1,
      sources: 2,
      skipped: 0,
      problems: [expect.objectContaining({ severity: 'error', file: 'bad.yaml', line: 2, column: 1 })],
      durationMs: 0,
    });
  });

  test('prints progress and a table on a terminal', async () => {
    const { stdout, stderr } = await kgen('good.yaml -', true);
    expect(stdout).toBe(
      'group      version  kinds\nmy.domain  v1       Good Piped\n\n1 group, 2 kinds, 8 files, 0 warnings, 0.00 s\n./generated: 8 new, 0 changed, 0 removed, 0 unchanged\n',
    );
    expect(stderr).toContain('reading …');
    expect(stderr).toMatch(/\r +\r$/);
    expect(stderr).not.toContain('\u001b');
  });
});

describe('settings', () => {
  test('gives flags precedence over the file', async () => {
    put('kgen.config.json', JSON.stringify({ input: ['good.yaml'], out: 'from-file', informers: false }));
    expect(await kgen('--out from-flag')).toMatchObject({ code: 0 });
    expect(readdirSync(join(cwd, 'from-flag')).sort()).toEqual([
      'catalog.ts',
      'clientset.ts',
      'index.ts',
      'kgen.lock.json',
      'my.domain',
    ]);
  });

  test('selects with --include and --exclude, and warns about patterns without a match', async () => {
    put('other.yaml', crdText('Other').replaceAll('my.domain', 'other.domain'));
    const { code, stderr } = await kgen(
      'good.yaml other.yaml --include *.domain --exclude other.domain,nope',
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: .*nope/);
    expect(generated()).not.toContain('other.domain');
  });

  test('writes JavaScript with --emit js', async () => {
    await kgen('good.yaml --emit js');
    expect(generated()).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'package.json']));
  });

  test('warns about --group-alias for a group that is not in the input', async () => {
    const { code, stderr } = await kgen('good.yaml --group-alias my.domain=own --group-alias your.domain=x');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'warning: --group-alias "your.domain=x" is for a group that is not in the input: correct or remove it\n',
    });
  });

  test('creates a package.json with --emit js and removes it with --emit ts', async () => {
    await kgen('good.yaml --emit js');
    await kgen('good.yaml --emit ts');
    expect(generated().filter((path) => /\.(js|d\.ts|json)$/.test(path))).toEqual(['kgen.lock.json']);
  });

  test('keeps --group-alias in the manifest for later runs', async () => {
    await kgen('good.yaml --group-alias my.domain=own');
    await kgen('good.yaml');
    expect(readFileSync(join(cwd, 'generated/clientset.ts'), 'utf8')).toContain('ownV1');
  });
});

test('writes equal bytes for equal input in any order', async () => {
  put('other.yaml', crdText('Other'));
  await kgen('good.yaml other.yaml --out a');
  await kgen('other.yaml good.yaml --out b');
  expect(generatedTexts('a')).toEqual(generatedTexts('b'));
});

test('writes equal bytes for equal copies of a CRD in any order', async () => {
  put('copy.yaml', `# a copy\n${crdText('Good')}`);
  await kgen('good.yaml copy.yaml --out a');
  await kgen('copy.yaml good.yaml --out b');
  expect(generatedTexts('a')).toEqual(generatedTexts('b'));
});

function generatedTexts(out: string): readonly string[] {
  const files = readdirSync(join(cwd, out), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files
    .map((entry) => `${entry.name} ${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`)
    .sort();
}

test('reports patterns of the configuration file with its name, and none if a part of the input is missing', async () => {
  put('kgen.config.json', '{"include": ["my.domain", "nobody"], "groupAlias": {"other.domain": "other"}}');
  expect((await runIn(cwd, 'good.yaml')).stderr.split('\n').sort()).toEqual([
    '',
    'kgen.config.json: warning: groupAlias "other.domain=other" is for a group that is not in the input: correct or remove it',
    'kgen.config.json: warning: include "nobody" matches nothing in the input: correct or remove it',
  ]);
  expect((await runIn(cwd, 'good.yaml missing.yaml')).stderr).toMatch(/^missing\.yaml: error: [^\n]*\n$/);
});
