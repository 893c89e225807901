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
        changes: [{ kind: 'updated', text: next }],
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
    expect(planProject(map(own), map(was), new Map([['a', next]]))).toMatchObject(expected);
  });
});
