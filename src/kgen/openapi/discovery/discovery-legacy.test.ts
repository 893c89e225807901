import { describe, expect, test } from 'vitest';
import { warning } from '../../common/problems.ts';
import type { JsonValue } from '../../input/crd/crd-input.ts';
import { parseGroups, parseResourceList } from './discovery-legacy.ts';

function list(resources: JsonValue, groupVersion: JsonValue = 'example.com/v1'): JsonValue {
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

const own = { group: 'example.com', version: 'v1' };

describe('a list of resources', () => {
  test('has subresources in their resources', () => {
    const given = list([
      {
        name: 'widgets/status',
        singularName: '',
        namespaced: true,
        kind: 'Widget',
        verbs: ['get', 'update'],
      },
      {
        name: 'widgets',
        singularName: 'widget',
        namespaced: true,
        kind: 'Widget',
        verbs: ['list', 'get'],
        shortNames: ['wd'],
        categories: ['all'],
      },
      { name: 'widgets/scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get'] },
      { name: 'planets', singularName: '', namespaced: false, kind: 'Planet', verbs: ['create'] },
      { name: 'strangers/open', kind: 'Stranger', verbs: ['get'] },
    ]);
    expect(parseResourceList(given, 'f')).toEqual({
      value: {
        ...own,
        resources: [
          {
            plural: 'widgets',
            singular: 'widget',
            kind: { ...own, kind: 'Widget' },
            scope: 'Namespaced',
            verbs: ['list', 'get'],
            shortNames: ['wd'],
            categories: ['all'],
            subresources: [
              { name: 'scale', kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get'] },
              { name: 'status', kind: { ...own, kind: 'Widget' }, verbs: ['get', 'update'] },
            ],
          },
          {
            plural: 'planets',
            singular: 'planet',
            kind: { ...own, kind: 'Planet' },
            scope: 'Cluster',
            verbs: ['create'],
            shortNames: [],
            categories: [],
            subresources: [],
          },
        ],
      },
      problems: [
        warning(
          'example.com/v1 has subresources of resources that it does not have itself, they are left out: "strangers/open"',
          { file: 'f' },
        ),
      ],
    });
  });

  test('of the core group', () => {
    const { value } = parseResourceList(list([{ name: 'pods', kind: 'Pod' }], 'v1'), 'f');
    expect(value?.group).toBe('');
    expect(value?.resources[0]?.kind).toEqual({ group: '', version: 'v1', kind: 'Pod' });
  });

  test('of a metrics adapter causes one warning', () => {
    const given = list([
      { name: 'pods/http:rate', kind: 'MetricValueList' },
      { name: 'a/b/c', kind: 'MetricValueList' },
      { name: 'queue_length', kind: 'ExternalMetricValueList' },
      { name: 'pods', kind: '../Pod' },
      { name: 'nodes', kind: 'NodeMetrics' },
    ]);
    const { value, problems } = parseResourceList(given, 'f');
    expect(value?.resources.map(({ plural }) => plural)).toEqual(['nodes']);
    expect(problems.map(({ severity }) => severity)).toEqual(['warning']);
    expect(problems[0]?.what).toContain('"pods/http:rate", "a/b/c", "queue_length", "pods"');
  });

  test.each<{ name: string; given: JsonValue; want: string }>([
    { name: 'nothing', given: null, want: 'expected an APIResourceList and found nothing' },
    { name: 'another kind', given: { kind: 'Status' }, want: 'expected an APIResourceList' },
    { name: 'no group version', given: list([], ''), want: '"" is not a group version' },
    { name: 'a path', given: list([], '../../x'), want: '"../../x" is not a group version' },
    { name: 'a group without name', given: list([], '/v1'), want: '"/v1" is not a group version' },
    { name: 'a number', given: list([], 1), want: 'groupVersion is the number "1"' },
    { name: 'resources', given: list({}), want: 'resources is an object' },
    { name: 'a resource', given: list([null]), want: 'resources[0] is nothing' },
    { name: 'a name', given: list([{ name: {}, kind: 'X' }]), want: 'resources[0].name is an object' },
    {
      name: 'a scope',
      given: list([{ name: 'xs', kind: 'X', namespaced: 'yes' }]),
      want: 'namespaced is the string "yes"',
    },
  ])('with an invalid $name causes a problem', ({ given, want }) => {
    const { problems } = parseResourceList(given, 'f');
    expect(problems[0]).toMatchObject({ severity: 'error', what: expect.stringContaining(want) });
  });
});

describe('a list of groups', () => {
  test.each<{ name: string; given: JsonValue; want: readonly object[] }>([
    {
      name: 'the core group',
      given: { kind: 'APIVersions', versions: ['v1'] },
      want: [{ group: '', version: 'v1' }],
    },
    {
      name: 'the others',
      given: {
        kind: 'APIGroupList',
        groups: [
          { name: 'apps', versions: [{ groupVersion: 'apps/v1' }, { groupVersion: 'apps/v1beta1' }] },
          { name: 'apps', versions: [{ groupVersion: 'apps/v1' }] },
          { name: 'none', versions: [] },
        ],
      },
      want: [
        { group: 'apps', version: 'v1' },
        { group: 'apps', version: 'v1beta1' },
      ],
    },
  ])('of $name', ({ given, want }) => {
    expect(parseGroups(given, 'f')).toEqual({ value: want, problems: [] });
  });

  test.each<{ name: string; given: JsonValue; severity: string; want: string }>([
    { name: 'no list', given: { kind: 'Pod' }, severity: 'error', want: 'expected a list of API groups' },
    { name: 'nothing', given: null, severity: 'error', want: 'found nothing' },
    { name: 'versions', given: { kind: 'APIVersions', versions: 1 }, severity: 'error', want: 'versions is' },
    {
      name: 'a name',
      given: { kind: 'APIVersions', versions: ['a/../b'] },
      severity: 'warning',
      want: '"a/../b"',
    },
  ])('with an invalid $name causes a problem', ({ given, severity, want }) => {
    const { value, problems } = parseGroups(given, 'f');
    expect(value).toEqual([]);
    expect(problems).toMatchObject([{ severity, what: expect.stringContaining(want) }]);
  });
});
