import { describe, expect, test } from 'vitest';
import { formatProblem } from '../../common/problems.ts';
import { crdText, readText } from '../reading.fixture.ts';
import { settleClashes } from './clashes.ts';

const good = crdText('Good');

const cases: readonly {
  name: string;
  given: readonly string[];
  kept: readonly string[];
  want: readonly string[];
}[] = [
  {
    name: 'different CRDs',
    given: [good, crdText('Other')],
    kept: ['goods.my.domain', 'others.my.domain'],
    want: [],
  },
  { name: 'a copy', given: [good, good], kept: ['goods.my.domain'], want: [] },
  {
    name: 'a copy with other labels and key order',
    given: [
      good,
      good
        .replace('metadata:\n', 'metadata:\n  labels: {a: b}\n')
        .replace('    kind: Good\n    plural: goods\n', '    plural: goods\n    kind: Good\n'),
    ],
    kept: ['goods.my.domain'],
    want: [],
  },
  {
    name: 'a copy that differs',
    given: [good, crdText('Other'), `# moved\n${crdText('Good', '{type: object, description: x}')}`],
    kept: ['others.my.domain'],
    want: [
      '2.yaml:13:7: error: version v1 of CRD goods.my.domain is also defined at 0.yaml:12:7 and differs from it: remove one of the two',
    ],
  },
  {
    name: 'a copy with other short names',
    given: [good, good.replace('    kind: Good', '    shortNames: [g]\n    kind: Good')],
    kept: [],
    want: [
      '1.yaml:4:3: error: CRD goods.my.domain is also defined at 0.yaml:4:3 and differs from it: remove one of the two',
    ],
  },
  {
    name: 'two CRDs of one kind',
    given: [good, crdText('Other').replace('kind: Other', 'kind: Good')],
    kept: [],
    want: [
      '1.yaml:9:5: error: kind Good of others.my.domain is also kind of goods.my.domain at 0.yaml:9:5: rename one of them, or give kgen only one',
    ],
  },
  {
    name: 'a kind that is the list of another',
    given: [good, crdText('GoodList')],
    kept: [],
    want: [
      '1.yaml:9:5: error: kind GoodList of goodlists.my.domain is also listKind of goods.my.domain at 0.yaml:8:3: rename one of them, or give kgen only one',
    ],
  },
  {
    name: 'the same kind in another group',
    given: [good, good.replaceAll('my.domain', 'your.domain')],
    kept: ['goods.my.domain', 'goods.your.domain'],
    want: [],
  },
  {
    name: 'a short name of two',
    given: ['Good', 'Other'].map((kind) =>
      crdText(kind).replace('    kind:', '    shortNames: [g]\n    kind:'),
    ),
    kept: ['goods.my.domain', 'others.my.domain'],
    want: [
      '1.yaml:9:5: warning: shortNames g of others.my.domain is also shortNames of goods.my.domain (0.yaml:9:5), and the API server accepts only one of the two: rename one',
    ],
  },
];

test.each(cases)('$name', ({ given, kept, want }) => {
  const settled = settleClashes(given.flatMap((text, index) => readText(text, `${index}.yaml`).crds));
  expect(settled.value.map(({ name }) => name)).toEqual(kept);
  expect(settled.problems.map(formatProblem)).toEqual(want);
});

describe('versions in several documents', () => {
  const version = (name: string, schema = '{type: object}', storage = 'false'): string =>
    `    - {name: ${name}, served: true, storage: ${storage}, schema: {openAPIV3Schema: ${schema}}}\n`;
  const older = good.replace('storage: true', 'storage: false');
  const other = '{type: object, description: x}';
  const settle = (texts: readonly string[]): ReturnType<typeof settleClashes> =>
    settleClashes(texts.flatMap((text, index) => readText(text, `${index}.yaml`).crds));

  test.each([
    { name: 'one each', given: [good, `${headOf(good)}${version('v2')}`], want: ['v1', 'v2'] },
    {
      name: 'a newer document with another stored version',
      given: [good, `${older}${version('v2', other, 'true')}`],
      want: ['v1', 'v2'],
    },
    {
      name: 'three documents',
      given: [`${headOf(good)}${version('v1beta1')}`, good, `${older}${version('v2')}`],
      want: ['v1', 'v1beta1', 'v2'],
    },
  ])('are merged: $name', ({ given, want }) => {
    for (const texts of [given, [...given].reverse()]) {
      const { value, problems } = settle(texts);
      expect(value.map(({ name }) => name)).toEqual(['goods.my.domain']);
      expect(value[0]?.versions.map(({ name }) => name).sort()).toEqual(want);
      expect(problems).toEqual([]);
    }
  });

  test('are dropped with an error if they differ, and the others are kept', () => {
    const { value, problems } = settle([
      `${good}${version('v2')}`,
      `${headOf(good)}${version('v2', other)}${version('v3')}`,
    ]);
    expect(value[0]?.versions.map(({ name }) => name)).toEqual(['v1', 'v3']);
    expect(problems.map(formatProblem)).toEqual([
      '1.yaml:12:7: error: version v2 of CRD goods.my.domain is also defined at 0.yaml:17:7 and differs from it: remove one of the two',
    ]);
  });

  test('keep their positions', () => {
    const { value } = settle([good, `${headOf(good)}${version('v2')}`]);
    const added = value[0]?.versions.find(({ name }) => name === 'v2');
    expect(added?.input?.position(added.schemaPath)).toMatchObject({
      file: '1.yaml',
      line: 12,
    });
  });
});

/** Returns a definition up to its versions. */
function headOf(text: string): string {
  return text.slice(0, text.indexOf('    - name: v1'));
}

test.each([
  { given: ['b.yaml', 'a.yaml', 'x/c.yaml'], want: 'a.yaml' },
  { given: ['x/a.yaml', 'b.yaml'], want: 'b.yaml' },
  { given: ['x/a.yaml', 'a.yaml'], want: 'a.yaml' },
])('returns the source $want for equal copies in $given, in any order', ({ given, want }) => {
  for (const files of [given, [...given].reverse()]) {
    const crds = files.flatMap((file) => readText(good, file).crds);
    expect(settleClashes(crds).value.map(({ input }) => input.file)).toEqual([want]);
  }
});

test('reports clashes independently of the order', () => {
  const texts = [good, crdText('Good', '{type: object, description: x}'), crdText('GoodList')];
  const crds = texts.flatMap((text, index) => readText(text, `${index}.yaml`).crds);
  const reported = settleClashes(crds).problems.map(formatProblem);
  expect(reported).toHaveLength(1);
  expect(settleClashes([...crds].reverse()).problems.map(formatProblem)).toEqual(reported);
});
