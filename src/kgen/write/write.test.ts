import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import { manifestName, printManifest } from './manifest.ts';
import type { WritePlan } from './plan.ts';
import { guarded, planOutput, recordOf, writeOutput } from './write.ts';

let root = '';
let out = { path: '', shown: 'out' };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kgen-write-'));
  out = { path: join(root, 'out'), shown: 'out' };
});

afterEach(() => rmSync(root, { recursive: true }));

interface Run {
  readonly plan: WritePlan;
  readonly problems: readonly string[];
}

function run(files: Readonly<Record<string, string>>, accessors: Readonly<Record<string, string>> = {}): Run {
  const requested = {
    files: new Map(Object.entries(files)),
    accessors: new Map(Object.entries(accessors)),
    definitions: new Map(),
    complete: true,
    isGenerated: (_: string, text: string) => text !== 'mine',
  };
  const planned = planOutput(out, requested);
  const problems = [...planned.problems, ...writeOutput(out, planned.value)];
  return { plan: planned.value, problems: problems.map(formatProblem) };
}

/**
 * Returns the files below the output folder with their content, without the manifest. `/` marks empty
 * folders.
 */
function tree(path = out.path, prefix = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(path)) {
    const inner = join(path, name);
    const label = `${prefix}${name}`;
    const stats = lstatSync(inner);
    if (stats.isSymbolicLink()) found[label] = 'link';
    else if (stats.isFile()) found[label] = readFileSync(inner, 'utf8');
    else if (readdirSync(inner).length === 0) found[`${label}/`] = '';
    else Object.assign(found, tree(inner, `${label}/`));
  }
  delete found[manifestName];
  return found;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(join(out.path, path)), { recursive: true });
  writeFileSync(join(out.path, path), text);
}

test('creates a missing folder, and writes nothing the second time', () => {
  const files = { 'index.ts': 'a', 'g/v1/types.ts': 'b' };
  expect(run(files).problems).toEqual([]);
  expect(tree()).toEqual(files);
  const old = new Date(0);
  for (const path of [...Object.keys(files), manifestName]) utimesSync(join(out.path, path), old, old);
  const again = run(files);
  expect(again.plan.unchanged).toHaveLength(3);
  for (const path of [...Object.keys(files), manifestName])
    expect(statSync(join(out.path, path)).mtimeMs).toBe(0);
});

test('replaces changed files, removes stale files with empty folders and keeps the rest', () => {
  run({ 'index.ts': 'a', 'old/v1/types.ts': 'b', 'g/v1/types.ts': 'c', 'g/v2/types.ts': 'd' });
  put('g/v2/notes.md', 'mine');
  put('mine.ts', 'mine');
  expect(run({ 'index.ts': 'A', 'g/v1/types.ts': 'c' }).problems).toEqual([]);
  expect(tree()).toEqual({
    'index.ts': 'A',
    'g/v1/types.ts': 'c',
    'g/v2/notes.md': 'mine',
    'mine.ts': 'mine',
  });
});

test('does not remove files that the manifest lists but kgen did not write', () => {
  put('main.ts', 'mine');
  put('src/app.ts', 'mine');
  put(
    manifestName,
    printManifest({ accessors: new Map(), files: ['main.ts', 'src/app.ts'], definitions: new Map() }),
  );
  expect(run({ 'index.ts': 'a' }).problems).toEqual([]);
  expect(tree()).toEqual({ 'index.ts': 'a', 'main.ts': 'mine', 'src/app.ts': 'mine' });
});

test('removes leftovers of a killed run and keeps files of a running one', () => {
  put('.kgen-staging-old/0', 'x');
  put('.kgen-staging-new/0', 'x');
  utimesSync(join(out.path, '.kgen-staging-old'), new Date(0), new Date(0));
  expect(run({ a: '1' }).problems).toEqual([]);
  expect(tree()).toEqual({ a: '1', '.kgen-staging-new/0': 'x' });
});

test('keeps accessors in the manifest', () => {
  expect(recordOf(out).accessors).toEqual(new Map());
  run({ a: '1' }, { 'my.domain': 'my' });
  expect(recordOf(out).accessors).toEqual(new Map([['my.domain', 'my']]));
});

const clashes: readonly { name: string; arrange: () => void; want: string }[] = [
  {
    name: 'a file of another program',
    arrange: () => put('index.ts', 'mine'),
    want: 'out/index.ts: error: kgen must write here and finds a file that kgen did not write',
  },
  {
    name: 'a folder where a file goes',
    arrange: () => put('index.ts/x', 'mine'),
    want: 'out/index.ts: error: kgen must write here and finds a folder',
  },
  {
    name: 'a file where a folder goes',
    arrange: () => put('g', 'mine'),
    want: 'out/g/v1/types.ts: error: kgen must write here and finds a file where a folder is needed (g)',
  },
  {
    name: 'a link to a file',
    arrange: () => {
      put('mine.ts', 'mine');
      symlinkSync('mine.ts', join(out.path, 'index.ts'));
    },
    want: 'out/index.ts: error: kgen must write here and finds a symbolic link',
  },
  {
    name: 'a link to a folder outside',
    arrange: () => {
      put('x', '');
      mkdirSync(join(root, 'outside'));
      symlinkSync('../outside', join(out.path, 'g'));
    },
    want: 'out/g/v1/types.ts: error: kgen must write here and finds a symbolic link where a folder is needed (g)',
  },
  {
    name: 'a manifest of something else',
    arrange: () => put(manifestName, '{}'),
    want: `out/${manifestName}: error: kgen must write here and finds a file that kgen did not write`,
  },
];

test.each(clashes)('writes nothing because of $name', ({ arrange, want }) => {
  arrange();
  const before = tree();
  const { problems } = run({ 'index.ts': 'a', 'g/v1/types.ts': 'b', 'new.ts': 'c' });
  expect(problems).toEqual([`${want}: move it away, or give another folder with --out`]);
  expect(tree()).toEqual(before);
  expect(existsSync(join(root, 'outside', 'v1'))).toBe(false);
});

test('reports an output folder that is a file', () => {
  writeFileSync(out.path, 'mine');
  expect(run({ a: '1' }).problems).toEqual([
    'out: error: a file exists at the path of the output folder: give another folder with --out',
  ]);
  expect(readFileSync(out.path, 'utf8')).toBe('mine');
});

test('follows an output folder that is a symbolic link', () => {
  mkdirSync(join(root, 'real'));
  symlinkSync('real', out.path);
  expect(run({ a: '1' }).problems).toEqual([]);
  expect(readFileSync(join(root, 'real', 'a'), 'utf8')).toBe('1');
});

const locked: readonly { name: string; lock: string; where: string }[] = [
  { name: 'in the output folder', lock: '', where: 'out' },
  { name: 'in a folder inside', lock: 'g/v1', where: 'out/g/v1' },
  { name: 'in a folder with a stale file', lock: 'old', where: 'out/old' },
];

test.each(locked)('changes nothing without permission $name', ({ lock, where }) => {
  run({ 'index.ts': 'a', 'g/v1/types.ts': 'b', 'old/x.ts': 'c' });
  const before = tree();
  const folder = join(out.path, lock);
  let problems: readonly string[] = [];
  asUnprivileged(() => {
    chmodSync(folder, 0o555);
    problems = run({ 'index.ts': 'A', 'g/v1/types.ts': 'B', 'new/y.ts': 'd' }).problems;
  });
  chmodSync(folder, 0o755);
  expect(problems).toEqual([
    `${where}: error: permission to write here is denied: change the mode of the folder or give another folder with --out`,
  ]);
  expect(tree()).toEqual(before);
});

/** Runs as another user for a moment, because root may write everywhere. */
function asUnprivileged(act: () => void): void {
  if (process.geteuid?.() !== 0) {
    act();
    return;
  }
  for (const path of [
    root,
    ...readdirSync(root, { recursive: true }).map((name) => join(root, String(name))),
  ]) {
    chownSync(path, 65534, 65534);
  }
  process.seteuid?.(65534);
  try {
    act();
  } finally {
    process.seteuid?.(0);
  }
}

test.each([
  ['EROFS', 'the file system is read-only: give another folder with --out'],
  ['ENOSPC', 'the disk is full: make room; nothing was changed'],
  [
    'EACCES',
    'permission to write here is denied: change the mode of the folder or give another folder with --out',
  ],
  ['EIO', 'the output cannot be written (EIO): check the folder and the disk; nothing was changed'],
])('a disk that fails with %s is a problem of the output', (code, what) => {
  const fail = (): never => {
    throw Object.assign(new Error(code), { code, path: out.path });
  };
  expect(guarded(out, undefined, fail).problems.map(formatProblem)).toEqual([`out: error: ${what}`]);
  const own = guarded({ ...out, remedy: 'run it elsewhere' }, undefined, fail).problems.map(formatProblem);
  expect(own).toEqual([`out: error: ${what.replace('give another folder with --out', 'run it elsewhere')}`]);
});
