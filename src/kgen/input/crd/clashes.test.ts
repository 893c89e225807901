import { expect, test } from 'vitest';
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
      '2.yaml:5:3: error: CRD goods.my.domain is also defined at 0.yaml:4:3 and differs from it: remove one of the two',
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

test.each([
  { given: ['b.yaml', 'a.yaml', 'x/c.yaml'], want: 'a.yaml' },
  { given: ['x/a.yaml', 'b.yaml'], want: 'x/a.yaml' },
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
  const told = settleClashes(crds).problems.map(formatProblem);
  expect(told).toHaveLength(1);
  expect(settleClashes([...crds].reverse()).problems.map(formatProblem)).toEqual(told);
});
