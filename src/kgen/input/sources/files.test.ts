import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatProblem } from '../../common/problems.ts';
import { loadCrds } from '../load.ts';
import { crdText } from '../reading.fixture.ts';

let cwd = '';

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-input-'));
  const files = {
    'a.yaml': crdText('Alpha'),
    'crds/b.yml': crdText('Beta'),
    'crds/deep/c.json': JSON.stringify({ apiVersion: 'v1', kind: 'Pod' }),
    'crds/deep/d.YAML': crdText('Delta'),
    'crds/readme.md': 'no input: at all',
    'crds/node_modules/x/e.yaml': 'broken: [',
    'crds/.hidden/f.yaml': 'broken: [',
    'crds/kgen.lock.json': 'broken: [',
    'mixed/kgen.lock.json': 'broken: [',
    'mixed/one.json': JSON.stringify({ apiVersion: 'v1', kind: 'Pod' }),
    'mixed/deep/b.yaml': crdText('Deep'),
    'none/readme.md': '',
    'void.yaml': '# nothing\n',
    'we[i]rd.yaml': crdText('Weird'),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(cwd, path, '..'), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  symlinkSync('loop.yaml', join(cwd, 'loop.yaml'));
  symlinkSync('../a.yaml', join(cwd, 'mixed/z.yaml'));
  symlinkSync('../crds', join(cwd, 'mixed/crds'));
});

afterAll(() => rmSync(cwd, { recursive: true }));

interface Case {
  readonly input: readonly string[];
  readonly want: readonly string[];
  readonly problems?: readonly string[];
}

const cases: readonly Case[] = [
  { input: ['a.yaml'], want: ['Alpha'] },
  { input: ['a.yaml', './a.yaml', '*.yaml'], want: ['Alpha', 'Weird'] },
  {
    input: ['loop.yaml'],
    want: [],
    problems: ['loop.yaml: error: symbolic links lead in a circle here: repair them'],
  },
  { input: ['crds'], want: ['Beta', 'Delta'] },
  { input: ['crds', 'crds/b.yml'], want: ['Beta', 'Delta'] },
  { input: ['crds/**/*.{yml,YAML}'], want: ['Beta', 'Delta'] },
  { input: ['crds/**'], want: ['Beta', 'Delta'], problems: [expect.stringContaining('crds/readme.md')] },
  {
    input: ['crds/node_modules/x/*.yaml'],
    want: [],
    problems: [
      'crds/node_modules/x/e.yaml:1:10: warning: this is not valid YAML and has no CustomResourceDefinition: it is skipped',
      expect.stringContaining('error: the input has no CustomResourceDefinition'),
    ],
  },
  {
    input: ['crds/node_modules/x/e.yaml'],
    want: [],
    problems: [expect.stringMatching(/e\.yaml:1:10: error: broken YAML/)],
  },
  { input: ['mixed/*.json', 'a.yaml'], want: ['Alpha'] },
  { input: ['mixed'], want: ['Deep', 'Alpha'] },
  { input: ['mixed/**/*.{yaml,yml}'], want: ['Deep', 'Alpha'] },
  { input: ['mixed/crds/*.yml'], want: ['Beta'] },
  { input: ['none/../mixed/deep/*.yaml'], want: ['Deep'] },
  { input: ['mixed/z.yaml', 'a.yaml', 'mixed'], want: ['Alpha', 'Deep'] },
  { input: ['we[i]rd.yaml'], want: ['Weird'] },
  { input: ['-'], want: ['Stdin'] },
  {
    input: ['no.yaml', 'a.yaml'],
    want: ['Alpha'],
    problems: ['no.yaml: error: file or folder not found: check the path'],
  },
  {
    input: ['a.yaml/x'],
    want: [],
    problems: ['a.yaml/x: error: file not found: a part of its path is a file, not a folder'],
  },
  { input: ['no*.yaml'], want: [], problems: ['no*.yaml: error: no file matches the pattern: check it'] },
  {
    input: ['none'],
    want: [],
    problems: ['none: error: the folder has no *.yaml, *.yml or *.json file: give another folder'],
  },
  {
    input: ['/dev/null'],
    want: [],
    problems: ['/dev/null: error: this is a device or a socket: give a file or a folder'],
  },
  {
    input: ['http://h/x.yaml'],
    want: [],
    problems: ['http://h/x.yaml: error: only https addresses are read: use https, or download the file'],
  },
  {
    input: ['void.yaml', 'crds/deep/c.json'],
    want: [],
    problems: [
      'error: the input has no CustomResourceDefinition (but 1 other object), 2 sources read: give other files',
    ],
  },
];

test.each(cases)('$input', async ({ input, want, problems = [] }) => {
  const loaded = await loadCrds({ input, cwd, stdin: Readable.from([Buffer.from(crdText('Stdin'))]) });
  expect(loaded.crds.map(({ names }) => names.kind)).toEqual(want);
  expect(loaded.problems.map(formatProblem)).toEqual(problems);
});

test('returns names and positions of sources', async () => {
  const { crds } = await loadCrds({ input: ['crds/b.yml', 'crds'], cwd, stdin: Readable.from([]) });
  expect(crds.map(({ input }) => input.file)).toEqual(['crds/b.yml', 'crds/deep/d.YAML']);
  expect(crds[0]?.input.position(['spec', 'names', 'kind'])).toEqual({
    file: 'crds/b.yml',
    line: 9,
    column: 5,
  });
});

test.each([
  { input: ['mixed/z.yaml', 'a.yaml'] },
  { input: ['a.yaml', 'mixed/z.yaml'] },
  { input: ['mixed', '*.yaml'] },
])('returns one name for a file with two names, in any order: $input', async ({ input }) => {
  const { crds, sources } = await loadCrds({ input, cwd, stdin: Readable.from([]) });
  const alpha = crds.filter(({ names }) => names.kind === 'Alpha');
  expect(alpha.map(({ input: { file } }) => file)).toEqual(['a.yaml']);
  expect(sources).toBe(input.includes('mixed') ? 5 : 1);
});

test('reads UTF-16 from standard input', async () => {
  const text = crdText('Wide');
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  const { crds } = await loadCrds({ input: ['-'], cwd, stdin: Readable.from([bytes]) });
  expect(crds.map(({ name, input }) => [name, input.file])).toEqual([['wides.my.domain', '<stdin>']]);
});

test.each([
  { cause: Object.assign(new Error('x'), { code: 'EISDIR' }), want: /^<stdin>: error: this is a folder/ },
  { cause: new Error('cut off'), want: /^<stdin>: error: the file cannot be read \(Error: cut off\)/ },
])('reports standard input that cannot be read: $cause', async ({ cause, want }) => {
  const stdin = new Readable({ read: () => stdin.destroy(cause) });
  const { problems } = await loadCrds({ input: ['-'], cwd, stdin });
  expect(problems.map(formatProblem)).toEqual([expect.stringMatching(want)]);
});

test('reports a missing CRD besides warnings', async () => {
  const stdin = Readable.from([Buffer.from('foo: 1\n')]);
  const { problems } = await loadCrds({ input: ['-'], cwd, stdin });
  expect(problems.map(formatProblem)).toEqual([
    '<stdin>:1:1: warning: the object has no apiVersion and kind: it is skipped',
    'error: the input has no CustomResourceDefinition (but 1 other object), 1 source read: give other files',
  ]);
});

test('limits the number of problems of one source', async () => {
  const stdin = Readable.from([Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: list }))]);
  const { problems, skipped } = await loadCrds({ input: ['-'], cwd, stdin });
  expect(skipped).toBe(list.length);
  expect(problems).toHaveLength(102);
  expect(problems[100]?.what).toBe(
    `${list.length - 100} more warnings from here on, which are left out: correct the others first`,
  );
});

const list = Array.from({ length: 300_000 }, () => ({}));

test('reads a pipe like a file', async () => {
  const pipe = join(cwd, 'pipe');
  rmSync(pipe, { force: true });
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', 'cat a.yaml > pipe'], { cwd });
  const { crds } = await loadCrds({ input: ['pipe'], cwd, stdin: Readable.from([]) });
  writer.kill();
  expect(crds.map(({ names }) => names.kind)).toEqual(['Alpha']);
});

test('reports files and folders without permission', async () => {
  for (const path of ['locked', 'locked/in']) mkdirSync(join(cwd, path), { recursive: true });
  writeFileSync(join(cwd, 'secret.yaml'), crdText('Secret'));
  chmodSync(join(cwd, 'secret.yaml'), 0);
  chmodSync(join(cwd, 'locked'), 0);
  chmodSync(cwd, 0o755);
  const { problems } = await asUnprivileged(() =>
    loadCrds({ input: ['secret.yaml', 'locked'], cwd, stdin: Readable.from([]) }),
  );
  chmodSync(join(cwd, 'locked'), 0o755);
  expect(problems.map(formatProblem).sort()).toEqual([
    'locked: error: permission to read it is denied: change its mode or run kgen as its owner',
    'secret.yaml: error: permission to read it is denied: change its mode or run kgen as its owner',
  ]);
});

/** Runs as another user for a moment, because root may read everything. */
async function asUnprivileged<T>(act: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(65534);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}
