import { describe, expect, test } from 'vitest';
import { formatProblem } from '../../common/problems.ts';
import type { JsonValue } from '../../input/crd/crd-input.ts';
import { parseAggregated } from './discovery.ts';

const v2 = 'apidiscovery.k8s.io/v2';

function list(items: JsonValue, apiVersion = v2): JsonValue {
  return { kind: 'APIGroupDiscoveryList', apiVersion, metadata: {}, items };
}

function group(name: string, version: Readonly<Record<string, JsonValue>>): JsonValue {
  return { metadata: name === '' ? {} : { name }, versions: [{ version: 'v1', ...version }] };
}

const widgets: JsonValue = {
  resource: 'widgets',
  responseKind: { group: '', version: '', kind: 'Widget' },
  scope: 'Namespaced',
  singularResource: '',
  verbs: ['watch', 'get', 'proxy', 'get'],
  shortNames: ['wd', 'not a name'],
  categories: ['all'],
  subresources: [
    { subresource: 'status', responseKind: { kind: 'Widget' }, verbs: ['get'] },
    {
      subresource: 'scale',
      responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      verbs: ['get', 'patch'],
    },
  ],
};

const readWidgets = {
  plural: 'widgets',
  singular: 'widget',
  kind: { group: 'example.com', version: 'v1', kind: 'Widget' },
  scope: 'Namespaced',
  verbs: ['watch', 'get'],
  shortNames: ['wd'],
  categories: ['all'],
  subresources: [
    { name: 'scale', kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get', 'patch'] },
    { name: 'status', kind: { group: 'example.com', version: 'v1', kind: 'Widget' }, verbs: ['get'] },
  ],
};

const changed = (change: Readonly<Record<string, JsonValue>>): JsonValue => ({
  ...Object(widgets),
  ...change,
});

describe('aggregated discovery', () => {
  test.each([v2, 'apidiscovery.k8s.io/v2beta1'])('parses %s', (apiVersion) => {
    const given = list([group('example.com', { freshness: 'Current', resources: [widgets] })], apiVersion);
    expect(parseAggregated(given, '/apis')).toEqual({
      value: [{ group: 'example.com', version: 'v1', resources: [readWidgets] }],
      problems: [],
    });
  });

  test('has the core group without a name', () => {
    const { value, problems } = parseAggregated(list([group('', { resources: [widgets] })]), '/api');
    expect(problems).toEqual([]);
    expect(value[0]?.group).toBe('');
    expect(value[0]?.resources[0]?.kind).toEqual({ group: '', version: 'v1', kind: 'Widget' });
  });

  test('is used with a warning if it is stale', () => {
    const given = list([group('example.com', { freshness: 'Stale', resources: [widgets] })]);
    const { value, problems } = parseAggregated(given, '/apis');
    expect(value[0]?.resources).toEqual([readWidgets]);
    expect(problems.map(formatProblem)).toEqual([
      '/apis: warning: example.com/v1 is stale, the server behind it does not respond at the moment: its last response is used',
    ]);
  });

  test.each([
    { name: 'no kind', given: [changed({ responseKind: null, subresources: [] })] },
    { name: 'the same plural twice', given: [widgets, changed({ scope: 'Cluster' })] },
  ])('ignores $name', ({ given }) => {
    const { value, problems } = parseAggregated(list([group('example.com', { resources: given })]), '/apis');
    expect(problems).toEqual([]);
    expect(value[0]?.resources).toEqual(given.includes(widgets) ? [readWidgets] : []);
  });

  test.each([
    { name: 'no kind', given: [changed({ responseKind: null })] },
    { name: 'an empty kind', given: [changed({ responseKind: { kind: '' } })] },
  ])('reports subresources of resources with $name', ({ given }) => {
    const { value, problems } = parseAggregated(list([group('example.com', { resources: given })]), '/apis');
    expect(value[0]?.resources).toEqual([]);
    expect(problems.map(formatProblem)).toEqual([
      '/apis: warning: example.com/v1 has subresources of resources that it does not have itself, they are left out: "widgets/status", "widgets/scale"',
    ]);
  });
});

describe('names in paths and identifiers', () => {
  test.each([
    {
      name: 'a group',
      given: group('../etc', { resources: [widgets] }),
      want: 'the group "../etc" is not a DNS name',
    },
    {
      name: 'a group in upper case',
      given: group('Example.com', {}),
      want: 'the group "Example.com" is not a DNS name',
    },
    {
      name: 'a version',
      given: group('example.com', { version: 'v1/..' }),
      want: '"example.com/v1/.." is not a group version',
    },
    {
      name: 'no version',
      given: group('example.com', { version: null }),
      want: '"example.com/" is not a group version',
    },
    {
      name: 'a plural',
      given: group('example.com', {
        resources: [changed({ resource: 'a/b' }), changed({ resource: '__proto__' })],
      }),
      want: 'example.com/v1 has resources with names that cannot be used in code, they are left out: "a/b", "__proto__"',
    },
    {
      name: 'a kind',
      given: group('example.com', { resources: [changed({ responseKind: { kind: 'X; alert()' } })] }),
      want: 'left out: "widgets"',
    },
    {
      name: 'a version of a kind',
      given: group('example.com', { resources: [changed({ responseKind: { version: '..', kind: 'X' } })] }),
      want: 'left out: "widgets"',
    },
  ])('$name', ({ given, want }) => {
    const { value, problems } = parseAggregated(list([given, group('ok.io', { resources: [] })]), '/apis');
    expect(problems).toMatchObject([{ severity: 'warning', what: expect.stringContaining(want) }]);
    expect(value.flatMap(({ resources }) => resources)).toEqual([]);
    expect(value.at(-1)?.group).toBe('ok.io');
  });

  test('drop only the subresource if they are invalid', () => {
    const subresources = [{ subresource: 'a/b', responseKind: { kind: 'Widget' } }];
    const given = list([group('example.com', { resources: [changed({ subresources })] })]);
    const { value, problems } = parseAggregated(given, '/apis');
    expect(value[0]?.resources).toEqual([{ ...readWidgets, subresources: [] }]);
    expect(problems[0]?.what).toContain('left out: "widgets/a/b"');
  });
});

describe('values of an invalid type', () => {
  const proto = JSON.parse('{"__proto__": {"kind": "APIGroupDiscoveryList"}}') as JsonValue; // seam: a literal
  test.each<{ name: string; given: JsonValue; want: string }>([
    { name: 'nothing', given: null, want: 'expected an APIGroupDiscoveryList and found nothing' },
    { name: 'a list', given: [], want: 'found a list' },
    { name: 'a text', given: 'x', want: 'found the string "x"' },
    { name: 'another kind', given: { kind: 'Status', apiVersion: 'v1' }, want: 'found an object' },
    { name: 'another version', given: list([], 'apidiscovery.k8s.io/v9'), want: 'found an object' },
    { name: 'a prototype', given: proto, want: 'found an object' },
    { name: 'items', given: list('x'), want: 'items is the string "x"' },
    { name: 'an item', given: list([null]), want: 'items[0] is nothing' },
    {
      name: 'metadata',
      given: list([{ metadata: 1, versions: [] }]),
      want: 'items[0].metadata is the number "1"',
    },
    {
      name: 'versions',
      given: list([{ metadata: { name: 'a' }, versions: {} }]),
      want: 'items[0].versions is an object',
    },
    { name: 'a version', given: list([{ versions: [7] }]), want: 'items[0].versions[0] is the number "7"' },
    { name: 'resources', given: list([group('a', { resources: 1 })]), want: 'resources is the number "1"' },
    { name: 'a resource', given: list([group('a', { resources: [[]] })]), want: 'resources[0] is a list' },
    {
      name: 'a scope',
      given: list([group('a', { resources: [changed({ scope: 'Universe' })] })]),
      want: 'the scope of a resource is "Universe"',
    },
    {
      name: 'verbs',
      given: list([group('a', { resources: [changed({ verbs: { get: true } })] })]),
      want: 'verbs is an object',
    },
    {
      name: 'a kind',
      given: list([group('a', { resources: [changed({ responseKind: { kind: 3 } })] })]),
      want: 'responseKind.kind is the number "3"',
    },
    {
      name: 'a subresource',
      given: list([group('a', { resources: [changed({ subresources: [false] })] })]),
      want: 'subresources[0] is the boolean "false"',
    },
  ])('$name', ({ given, want }) => {
    const { problems } = parseAggregated(given, '/apis');
    expect(problems.map(({ severity }) => severity)).toEqual(['error']);
    expect(problems[0]?.what).toContain(want);
  });

  test('are reported a limited number of times', () => {
    const given = list(Array.from({ length: 5000 }, () => 0));
    expect(parseAggregated(given, '/apis').problems).toHaveLength(101);
  });
});
