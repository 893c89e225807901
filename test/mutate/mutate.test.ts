import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { candidatesOf } from '../../scripts/mutate/candidates.mjs';
import { explanationOf, readExplained } from '../../scripts/mutate/equivalent.mjs';
import { nearestFirst, testsInMemory } from '../../scripts/mutate/files.mjs';
import { instrument } from '../../scripts/mutate/instrument.mjs';
import { sample } from '../../scripts/mutate/sample.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns each mutant of a source as its changed source, as in the report. */
function changes(source: string): readonly string[] {
  return candidatesOf('a.ts', source).map(({ token: [start, end, replacement] }) =>
    [source.slice(0, start), replacement, source.slice(end)].join(''),
  );
}

describe('candidates', () => {
  test.each<[source: string, ...changed: string[]]>([
    ['x = a === b;', 'x = a !== b;'],
    ['x = a < b;', 'x = a <= b;'],
    ['x = a && b;', 'x = a || b;'],
    ['x = a ?? b;', 'x = a && b;'],
    ['x = a - b;', 'x = a + b;'],
    ['x += a;', 'x -= a;'],
    ['x = !a;', 'x = a;'],
    ['x++;', 'x--;'],
    ['x = -a;', 'x = a;'],
    ['x = 1_000;', 'x = 1001;'],
    ['x = true;', 'x = false;'],
    ["x = 'a';", "x = '';"],
    ["x = '';", "x = 'mutated';"],
    ['x = [a];', 'x = [];'],
    ['f(a);', ';'],
    ['await a.b();', ';'],
    ['x = a ? b : c;', 'x = false ? b : c;', 'x = true ? b : c;'],
    ['if (a) x = b;', 'if (false) x = b;', 'if (true) x = b;'],
    ['while (a) x = b;', 'while (false) x = b;'],
    [
      'function f() { if (a) return; }',
      'function f() { if (false) return; }',
      'function f() { if (true) return; }',
      'function f() { if (a) ; }',
    ],
    [
      'for (const a of b) { if (c) continue; }',
      'for (const a of b) { if (false) continue; }',
      'for (const a of b) { if (true) continue; }',
      'for (const a of b) { if (c) ; }',
    ],
  ])('%s', (source, ...changed) => {
    expect(changes(source)).toEqual(changed);
  });

  test.each([
    ['types', "type A = 'a' | 1; interface B { c: true }"],
    ['type arguments', "const x = f<'a'>;"],
    ['imports and exports', "import a from 'a'; export * from 'b';"],
    ['declarations', 'declare const a: 1;'],
    ['directives', "'use strict';"],
    ['names of members', "x = { 'a': b, 1: c };"],
    ['thrown messages', "throw new Error('a' + b);"],
    ['arguments of errors', "x = new SomeError('name');"],
    ['arguments of warnings', "x = emitWarning('name');"],
    ['sentences', "x = 'is not a name';"],
    ['joined strings', "x = a + ' is not ' + b;"],
    ['targets of assignments', '[a, b] = c;'],
    ['the last return of a function', 'function f() { return a; }'],
    ['the call of the parent constructor', 'class A extends B { constructor() { super(); } }'],
  ])('ignores %s', (_, source) => {
    expect(changes(source)).toEqual([]);
  });
});

describe('switches', () => {
  /** Returns the value of `x` after the source, without a mutant and with each mutant. */
  function values(source: string): readonly unknown[] {
    const mutants = candidatesOf('a.ts', source).map((one, id) => ({ ...one, id }));
    const javascript = (typed: string): string => ts.transpile(typed, { target: ts.ScriptTarget.ES2022 });
    const run = new Function('globalThis', javascript(`let x; ${instrument(source, mutants)}; return x;`));
    return [-1, ...mutants.keys()].map((active) => run({ __kgenMutant: (id: number) => id === active }));
  }

  test.each<[source: string, ...values: unknown[]]>([
    ['x = true;', true, false],
    ['x = [x];', [undefined], []],
    ['x = x === null;', false, true],
    ['x = x ?? null === x;', false, undefined, true],
    ['x = (1 < 1) as boolean;', false, false, true, true],
    ['x = 0 || 1 && 2;', 2, 1, 0, 2, 1, 3],
    ['if (x) x = null; else x = !x;', true, true, null, undefined],
    ['x = []; x.push(x.length); x.at(-1);', [0], [], [0], [0], [0]],
  ])('%s', (source, ...expected) => {
    expect(values(source)).toEqual(expected);
  });

  test('a removed exit keeps the else of its if', () => {
    const source = 'x = ((a) => { if (a) return 1; else a = 2; return a; })(x);';
    const exit = candidatesOf('a.ts', source).findIndex(({ operator }) => operator === 'exit');
    expect([values(source)[0], values(source)[exit + 1]]).toEqual([2, 2]);
  });
});

describe('samples', () => {
  const items = Array.from({ length: 1000 }, (_, index) => index);

  test('are the same for a seed, and others for another', () => {
    expect(sample(items, 20, 7)).toEqual(sample(items, 20, 7));
    expect(sample(items, 20, 7)).not.toEqual(sample(items, 20, 8));
  });

  test('contain no item twice, and all items if there are fewer', () => {
    expect(new Set(sample(items, 200, 1)).size).toBe(200);
    expect(sample([1, 2, 3], 200, 1)).toEqual([1, 2, 3]);
  });
});

test('tests beside the source come first, then those of the package, then the others', () => {
  const tests = [
    'test/a.test.ts',
    'src/kgen/b.test.ts',
    'src/runtime/rest/c.test.ts',
    'src/runtime/watch/d.test.ts',
  ];
  expect(nearestFirst(tests, 'src/runtime/watch')).toEqual([tests[3], tests[2], tests[1], tests[0]]);
});

describe('the tests of mutants', () => {
  let tests: Awaited<ReturnType<typeof testsInMemory>>;
  beforeAll(async () => {
    tests = await testsInMemory(root);
  });

  test('are those of npm test, with the sources that they load', () => {
    expect([...tests.keys()]).toEqual(
      expect.arrayContaining([
        'src/runtime/api/errors.test.ts',
        'src/runtime/rest/response/api-error.test.ts',
        'test/transport/proxy.test.ts',
        'test/types/run.test.ts',
      ]),
    );
    expect(
      tests.get('src/runtime/rest/response/api-error.test.ts')?.has('src/runtime/rest/response/api-error.ts'),
    ).toBe(true);
    expect(
      tests.get('test/transport/proxy.test.ts')?.has('src/runtime/rest/proxy/proxied-connector.ts'),
    ).toBe(true);
  });

  test.each([
    ['server', 'src/kgen/openapi/live.test.ts'],
    ['server', 'test/e2e/real.test.ts'],
    ['server', 'test/kubeconfig/write.test.ts'],
    ['shared', 'test/manifests/kubectl.test.ts'],
    ['corpus', 'test/fuzz/values-corpus.test.ts'],
  ])('exclude files of the project %s: %s', (_, file) => {
    expect(existsSync(`${root}/${file}`)).toBe(true);
    expect(tests.has(file)).toBe(false);
  });
});

test('an explanation applies to the content of a line, at any position', () => {
  const explained = { file: 'a.ts', original: 'a < b', mutated: 'a <= b', why: 'they are never equal' };
  const mutant = { file: 'a.ts', original: 'a < b', changed: 'a <= b' };
  expect(explanationOf(mutant, [explained])).toBe(explained);
  expect(explanationOf({ ...mutant, changed: 'a > b' }, [explained])).toBeUndefined();
});

test('explanations refer to lines that exist', () => {
  const linesOf = (file: string): readonly string[] =>
    existsSync(`${root}/${file}`) ? readFileSync(`${root}/${file}`, 'utf8').split('\n') : [];
  const stale = readExplained().filter(
    ({ file, original }) => !linesOf(file).some((line) => line.trim() === original),
  );
  expect(stale.map(({ file, original }) => `${file}: ${original}`)).toEqual([]);
});
