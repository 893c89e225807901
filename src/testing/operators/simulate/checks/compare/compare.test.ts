import type { JsonObject } from '@kgen/schema/values/json';
import { describe, expect, it, test } from 'vitest';
import { configMaps, secrets } from '../../../../../../generated/kubernetes/core/v1/index.ts';
import { Chance } from './chance.ts';
import { differenceLines } from './differences.ts';
import { Exceptions, fieldOf } from './exceptions.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';

/** Objects of a run: resource, name, and the rest of the object. */
type Objects = readonly (readonly [resource: string, name: string, value: JsonObject])[];

/** Returns the snapshot of objects, whose uids begin with the name of the run. */
function run(name: string, objects: Objects): Snapshot {
  const entries = objects.map(([resource, key, value]): [string, JsonObject] => {
    const { metadata, ...rest } = { metadata: {}, ...value };
    const own = { name: key, namespace: 'shop', uid: `${name}-uid-of-${key}`, ...Object(metadata) };
    return [resource, { ...rest, metadata: own }];
  });
  const resources = new Set(entries.map(([resource]) => resource));
  const content = new Map(
    [...resources].map((resource) => [
      resource,
      entries.filter(([each]) => each === resource).map(([, value]) => [`${value}`, value] as const),
    ]),
  );
  const scope = { resources, withStatus: resources, base: new Map(), outlives: () => false };
  return snapshotOf({ content: () => content }, scope);
}

/** Returns the differences of a run to the first of several runs without faults. */
function differences(ideals: readonly Objects[], actual: Objects, exceptions = new Exceptions([])) {
  const [first = [], ...others] = ideals;
  const chance = new Chance(run('ideal', first), exceptions);
  for (const [index, other] of others.entries()) chance.add(run(`other-${index}`, other));
  const found = run('actual', actual);
  return differenceLines(chance.differences(found), found);
}

const map = (value: JsonObject): Objects => [['configmaps', 'x', value]];

describe('runs', () => {
  test.each<[title: string, expected: JsonObject, actual: JsonObject, lines: readonly string[]]>([
    ['equal members', { data: { a: [1] } }, { data: { a: [1] } }, []],
    ['a member', { spec: { a: 1 } }, { spec: { a: 2 } }, ['spec.a is 2 in place of 1']],
    ['an item', { a: [1, 2] }, { a: [1, 3] }, ['a[1] is 3 in place of 2']],
    ['a list of another length', { a: [1] }, { a: [] }, ['a is [] in place of [1]']],
    ['an absent member', { a: 1 }, {}, ['a is absent in place of 1']],
    ['an additional member', {}, { a: 1 }, ['a is 1 and should be absent']],
    ['times', { a: 'at 2026-01-01T00:00:00Z' }, { a: 'at 2027-02-02T00:00:00Z' }, []],
    [
      'copies of generations',
      { metadata: { generation: 3 }, status: { observedGeneration: 3, text: 'saw 3' } },
      { metadata: { generation: 2 }, status: { observedGeneration: 2, text: 'saw 2' } },
      [],
    ],
    [
      'an old generation',
      { metadata: { generation: 3 }, data: { seen: 3 } },
      { metadata: { generation: 2 }, data: { seen: 1 } },
      ['data.seen is 1 in place of 3'],
    ],
    [
      'a specification with the values of generations',
      { metadata: { generation: 3 }, spec: { replicas: 3 } },
      { metadata: { generation: 2 }, spec: { replicas: 2 } },
      ['spec.replicas is 2 in place of 3'],
    ],
    ['metadata of the server', { metadata: { resourceVersion: '1' } }, { metadata: {} }, []],
  ])('compares %s', (_, expected, actual, lines) => {
    expect(differences([map(expected)], map(actual))).toEqual(
      lines.map((line) => `configmaps shop/x: ${line}`),
    );
  });

  it('have missing and additional objects', () => {
    const [one, other]: Objects[] = [[['configmaps', 'a', {}]], [['configmaps', 'b', {}]]];
    expect(differences([one ?? []], other ?? [])).toEqual([
      'configmaps shop/a is missing',
      'configmaps shop/b should not exist',
    ]);
  });

  it('may have an own rule for a field', () => {
    const [one, two] = [map({ data: { a: '1' } }), map({ data: { a: '2' } })];
    const [field, other] = [fieldOf(configMaps, ['data', 'a']), fieldOf(secrets, ['data', 'a'])];
    const isNear = (x?: unknown, y?: unknown): boolean => Math.abs(Number(x) - Number(y)) < 2;
    expect(differences([one], two, new Exceptions([field]))).toEqual([]);
    expect(differences([one], two, new Exceptions([other]))).toHaveLength(1);
    expect(differences([one], two, new Exceptions([{ ...field, isSame: isNear }]))).toEqual([]);
    expect(
      differences([one], map({ data: { a: '3' } }), new Exceptions([{ ...field, isSame: isNear }])),
    ).toHaveLength(1);
    // @ts-expect-error The type has no such member.
    fieldOf(configMaps, ['dato', 'a']);
  });
});

/** Two Jobs with generated names, and a ConfigMap that refers to the second one. */
function jobs(first: string, second: string, used: string, run: string): Objects {
  const metadata = { generateName: 'job-' };
  return [
    ['configmaps', 'x', { metadata: { labels: { job: used } }, data: { [used]: `${run}-uid-of-${used}` } }],
    ['jobs.batch', first, { metadata }],
    ['jobs.batch', second, { metadata }],
  ];
}

describe('generated names', () => {
  it('are those of the same objects, which refer to each other in the same way', () => {
    expect(
      differences(
        [jobs('job-aaaaa', 'job-bbbbb', 'job-bbbbb', 'ideal')],
        jobs('job-ccccc', 'job-ddddd', 'job-ccccc', 'actual'),
      ),
    ).toEqual([]);
  });

  it('do not hide a reference to an object that does not exist', () => {
    expect(
      differences(
        [jobs('job-aaaaa', 'job-bbbbb', 'job-bbbbb', 'ideal')],
        jobs('job-ccccc', 'job-ddddd', 'job-eeeee', 'actual'),
      ),
    ).not.toEqual([]);
  });

  it('may be uids in the names of items, which another object has in the other run', () => {
    const [one, two] = ['3081a5a4-b735-4f1a-bd86-8a0514370000', 'bd1a73ad-79da-4c1b-9ea7-1a21b7390000'];
    const objects = (first: string, second: string): Objects => [
      ['records', first, { value: { target: 'a' } }],
      ['records', second, { value: { target: 'b' } }],
      ['apps', 'first', { metadata: { uid: first } }],
      ['apps', 'second', { metadata: { uid: second } }],
    ];
    expect(differences([objects(one, two)], objects(two, one))).toEqual([]);
  });

  it('do not hide one object more', () => {
    const metadata = { generateName: 'job-' };
    expect(
      differences(
        [[['jobs.batch', 'job-aaaaa', { metadata }]]],
        [
          ['jobs.batch', 'job-bbbbb', { metadata }],
          ['jobs.batch', 'job-ccccc', { metadata }],
        ],
      ),
    ).toEqual(['jobs.batch shop/job-* (2) should not exist: job-ccccc; job-bbbbb may']);
  });

  it('may determine the order of a list', () => {
    const objects = (names: readonly string[]): Objects => [
      ['configmaps', 'x', { data: { names: names.toSorted() } }],
      ...names.map((name, role) => ['pods', name, { metadata: { generateName: 'p-' }, role }] as const),
    ];
    expect(differences([objects(['p-aaaaa', 'p-bbbbb'])], objects(['p-ddddd', 'p-ccccc']))).toEqual([]);
  });

  it.each([', ', '\n', ','])('may determine the order of words with %j between them', (separator) => {
    const objects = (names: readonly string[], shown: readonly string[]): Objects => [
      ['configmaps', 'x', { data: { names: shown.map((name) => `${name}@a`).join(separator) } }],
      ...names.map((name, role) => ['pods', name, { metadata: { generateName: 'p-' }, role }] as const),
    ];
    const ideal = objects(['p-aaaaa', 'p-bbbbb'], ['p-aaaaa', 'p-bbbbb']);
    expect(differences([ideal], objects(['p-ddddd', 'p-ccccc'], ['p-ccccc', 'p-ddddd']))).toEqual([]);
    expect(differences([ideal], objects(['p-ddddd', 'p-ccccc'], ['p-ccccc']))).toHaveLength(1);
    expect(differences([map({ data: { names: 'a, b' } })], map({ data: { names: 'b, a' } }))).toHaveLength(1);
  });
});

describe('objects from before the run', () => {
  const former = { metadata: { name: 'x', namespace: 'shop', resourceVersion: '1' }, data: { a: '1' } };

  test.each<[title: string, changed: JsonObject, isShown: boolean]>([
    ['that are as they were', former, false],
    [
      'that are again as they were',
      { ...former, metadata: { ...former.metadata, resourceVersion: '3' } },
      false,
    ],
    ['that have changed', { ...former, data: {} }, true],
  ])('%s', (_, value, isShown) => {
    const resources = new Set(['configmaps']);
    const base = new Map([['configmaps', [['shop/x', former] as const]]]);
    const content = new Map([['configmaps', [['shop/x', value] as const]]]);
    const scope = { resources, withStatus: resources, base, outlives: () => false };
    expect(snapshotOf({ content: () => content }, scope)).toMatchObject([{ isShown }]);
  });
});

/** A password in two objects, and a name with a hash. */
function secretsOf(password: string, copy: string, hash: string): Objects {
  return [
    ['secrets', 'x', { data: { password } }],
    ['configmaps', `map-${hash}`, { data: { copy, hash, [hash]: 'key' } }],
  ];
}

describe('chance', () => {
  const ideals = [
    secretsOf('secret-one', 'secret-one', '11111111'),
    secretsOf('secret-two', 'secret-two', '22222222'),
  ];

  it('explains fields and names that differ between runs without faults', () => {
    expect(differences(ideals, secretsOf('secret-three', 'secret-three', '33333333'))).toEqual([]);
    expect(differences(ideals.slice(0, 1), secretsOf('secret-three', 'x', '3'))).not.toEqual([]);
  });

  it('does not explain two values that are equal without faults', () => {
    expect(differences(ideals, secretsOf('secret-three', 'secret-four', '33333333'))).toEqual([
      expect.stringMatching(
        /^secrets shop\/x: data.password is "secret-three" in place of "secret-four"|copy/,
      ),
    ]);
  });

  it('does not explain a name that is the same without faults', () => {
    const named = (name: string): Objects => [['configmaps', name, {}]];
    expect(differences([named('a-1'), named('a-1')], named('a-2'))).toEqual([
      'configmaps shop/a-1 is missing',
      'configmaps shop/a-2 should not exist',
    ]);
  });

  it('names the fields', () => {
    const [first = [], second = []] = ideals;
    const chance = new Chance(run('ideal', first), new Exceptions([]));
    chance.add(run('other', second));
    expect(chance.lines).toEqual(
      expect.arrayContaining(['configmaps: metadata.name', 'secrets: data.password']),
    );
  });
});
