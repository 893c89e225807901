import { describe, expect, test } from 'vitest';
import { planProject } from './plan.ts';

const base = 'one\ntwo\nthree\nfour\nfive\n';
const next = 'one\ntwo\nthree\nfour\nFIVE\n';

describe('files of a project', () => {
  const cases: readonly [
    title: string,
    own: string | undefined,
    was: string | undefined,
    expected: object,
  ][] = [
    ['are created', undefined, undefined, { changes: [{ kind: 'created', text: next }] }],
    ['that existed before are kept', 'mine', undefined, { kept: ['a'], changes: [], files: new Map() }],
    ['that the author deleted stay deleted', undefined, base, { changes: [] }],
    ['without changes of the author are updated', base, base, { changes: [{ kind: 'updated', text: next }] }],
    [
      'with other line ends count as unchanged',
      base.replaceAll('\n', '\r\n'),
      base,
      {
        changes: [{ kind: 'updated', text: next.replaceAll('\n', '\r\n') }],
      },
    ],
    [
      'with changes of the author are merged',
      base.replace('one', 'ONE'),
      base,
      {
        changes: [{ kind: 'merged', text: next.replace('one', 'ONE'), conflicts: 0 }],
      },
    ],
    [
      'that both sides changed have marks',
      base.replace('five', 'V'),
      base,
      {
        changes: [
          {
            kind: 'merged',
            text: 'one\ntwo\nthree\nfour\n<<<<<<< yours\nV\n=======\nFIVE\n>>>>>>> kgen\n',
            conflicts: 1,
          },
        ],
      },
    ],
    ['with the same change on both sides stay', next, base, { changes: [] }],
    ['of an unchanged template stay', 'mine', next, { changes: [] }],
  ];
  test.each(cases)('%s', (_, own, was, expected) => {
    const map = (text: string | undefined): ReadonlyMap<string, string> =>
      new Map(text === undefined ? [] : [['a', text]]);
    const texts = { present: map(own), bases: map(was), templates: new Map([['a', next]]) };
    expect(planProject(texts)).toMatchObject(expected);
  });
});

describe('renamed files', () => {
  const lines = (...names: readonly string[]): string => names.map((name) => `line ${name}\n`).join('');
  const old = lines('a', 'b', 'c', 'd');
  const now = lines('a', 'b', 'c', 'D');
  const edited = lines('A', 'b', 'c', 'd');
  const both = lines('A', 'b', 'c', 'D');
  const plan = (present: object, bases: object, templates: object, candidates: object) => {
    const map = (texts: object): ReadonlyMap<string, string> => new Map(Object.entries(texts));
    const texts = { bases: map(bases), templates: map(templates), candidates: map(candidates) };
    return planProject({ present: map(present), ...texts });
  };
  const bases = { 'a.ts': old };

  test('of the author are merged where they are', () => {
    const { changes, files } = plan({}, bases, { 'a.ts': now }, { 'b.ts': edited, 'c.ts': lines('x') });
    expect(changes).toEqual([{ path: 'b.ts', kind: 'merged', text: both, conflicts: 0 }]);
    expect([...files]).toEqual([['a.ts', now]]);
  });

  test('of another extension, or with less than half of the lines, are other files', () => {
    const few = lines('a', 'x', 'y');
    expect(plan({}, bases, { 'a.ts': now }, { 'b.yaml': old, 'c.ts': few }).changes).toEqual([]);
  });

  test('of kgen move with the edits of the author', () => {
    const { changes, files } = plan({ 'a.ts': edited }, bases, { 'z.ts': now }, {});
    expect(changes).toEqual([{ path: 'z.ts', from: 'a.ts', kind: 'merged', text: both, conflicts: 0 }]);
    expect([...files.keys()]).toEqual(['z.ts']);
  });

  test('of both stay where the author has them', () => {
    const { changes } = plan({}, bases, { 'z.ts': now }, { 'b.ts': edited });
    expect(changes).toMatchObject([{ path: 'b.ts', kind: 'merged', text: both }]);
  });

  test('of kgen do not replace a file of the author', () => {
    const { changes, kept } = plan({ 'a.ts': edited, 'z.ts': 'mine' }, bases, { 'z.ts': now }, {});
    expect({ changes, kept }).toEqual({ changes: [], kept: ['z.ts', 'a.ts'] });
  });

  test('of kgen that the author has deleted stay deleted', () => {
    const { changes, files } = plan({}, bases, { 'z.ts': now }, {});
    expect({ changes, files: [...files.keys()] }).toEqual({ changes: [], files: ['z.ts'] });
  });
});

test.each([
  ['without changes of the author are removed', 'old\r\n', ['removed'], []],
  ['with changes of the author are kept', 'mine\n', [], ['a']],
])('files without a template %s', (_, own, kinds, kept) => {
  const plan = planProject({
    present: new Map([['a', own]]),
    bases: new Map([['a', 'old\n']]),
    templates: new Map(),
  });
  expect(plan.changes.map(({ kind }) => kind)).toEqual(kinds);
  expect({ kept: plan.kept, files: plan.files.size }).toEqual({ kept, files: 0 });
});
