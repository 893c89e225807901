import { describe, expect, test } from 'vitest';
import { isDecodeError } from '../api/errors.ts';
import { DiscoveryClient } from './client.ts';
import { isNoMatch } from './mapping/errors.ts';
import { tabulate } from './mapping/mappings.ts';
import { distance, nearest } from './mapping/no-match.ts';
import { RESTMapper } from './mapping/rest-mapper.ts';
import { isAggregated, parseAggregated } from './reading/aggregated.ts';
import { getting } from './reading/discovery-request.ts';
import { parseGroups, parseResourceList, parseVersions } from './reading/legacy.ts';
import { groupVersionOf } from './reading/names.ts';
import { aggregated, plain, StubServer } from './server.fixture.ts';

const operation = getting('/apis');

describe('rejects responses that are not discovery', () => {
  test.each<{ given: unknown }>([
    { given: null },
    { given: [] },
    { given: 'groups' },
    { given: 1 },
    { given: { kind: 'Pod' } },
    { given: { kind: 'APIGroupList', groups: {} } },
    { given: { kind: 'APIGroupDiscoveryList', items: 'x' } },
    { given: { kind: 'APIVersions', versions: 1 } },
    { given: { kind: 'APIResourceList', resources: {} } },
  ])('$given', async ({ given }) => {
    const parsers = [parseAggregated, parseGroups, parseVersions];
    for (const parse of parsers) expect(() => parse(given, operation)).toThrow(/expected an/);
    expect(() => parseResourceList(given, 'v1', operation)).toThrow(/expected an APIResourceList/);
    const server = new StubServer({ '/api': plain(given), '/apis': aggregated(given) });
    await expect(new DiscoveryClient(server.rest).serverGroups()).rejects.toSatisfy(isDecodeError);
  });

  test('rejects a truncated response', async () => {
    const server = new StubServer({ '/apis': () => ({ value: '{"kind":"APIGroupList","groups":[' }) });
    await expect(new DiscoveryClient(server.rest).serverGroups()).rejects.toSatisfy(isDecodeError);
  });
});

describe('drops invalid entries', () => {
  const kind = { group: 'a.io', version: 'v1', kind: 'X' };
  const good = { resource: 'xs', responseKind: kind, scope: 'Cluster', verbs: ['get'] };

  test('in aggregated discovery', () => {
    const value = JSON.parse(`{
      "kind": "APIGroupDiscoveryList",
      "items": [
        null, 1, "a.io", [], {}, { "metadata": null }, { "metadata": { "name": "../../etc" } },
        { "metadata": { "name": "__proto__" }, "versions": [{ "version": "v1" }] },
        { "metadata": { "name": "constructor" }, "versions": [{ "version": "__proto__" }, { "version": "v1" }] },
        { "metadata": { "name": "a.io" }, "versions": [
          null, { "version": "../v1" }, { "version": "v1/../v2" }, { "version": 1 },
          { "version": "v1", "__proto__": { "freshness": "Stale" }, "resources": [
            null, {}, { "resource": "../ys", "responseKind": { "version": "v1", "kind": "Y" } },
            { "resource": "ys" }, { "resource": "zs", "responseKind": { "group": "a/b", "version": "v1", "kind": "Z" } },
            { "resource": "__proto__", "responseKind": { "group": "a.io", "version": "v1", "kind": "__proto__" },
              "verbs": "get", "shortNames": [1, null, "\\u001b[2J", "__proto__"], "categories": { "0": "all" } },
            { "resource": "es", "responseKind": {}, "subresources": [
              { "subresource": "status", "responseKind": { "group": "a.io", "version": "v1", "kind": "E" } },
              { "subresource": "..", "responseKind": { "group": "a.io", "version": "v1", "kind": "E" } },
              { "subresource": "log" }, null ] },
            ${JSON.stringify(good)}, ${JSON.stringify({ ...good, scope: 'Namespaced' })}
          ] },
          { "version": "v1", "resources": [] }
        ] },
        { "metadata": { "name": "a.io" }, "versions": [{ "version": "v1beta1", "freshness": "Stale" }] }
      ] }`);
    const { groups, lists, failed } = parseAggregated(value, operation);
    expect(groups.map(({ name, versions }) => [name, versions.map(({ version }) => version)])).toEqual([
      ['', []],
      ['constructor', ['v1']],
      ['a.io', ['v1']],
    ]);
    expect(lists.get('a.io/v1')?.resources.map(({ name, kind }) => [name, kind])).toEqual([
      ['__proto__', '__proto__'],
      ['es/status', 'E'],
      ['xs', 'X'],
    ]);
    expect(lists.get('a.io/v1')?.resources[0]).toMatchObject({
      verbs: [],
      shortNames: ['__proto__'],
      categories: [],
    });
    expect([...failed.keys()]).toEqual(['a.io/v1beta1']);
    const { categories, all } = tabulate(groups, [...lists.values()]);
    expect([categories.get('__proto__'), all.length]).toEqual([undefined, 2]);
    expect(Object.hasOwn(Object.prototype, 'freshness')).toBe(false);
  });

  test('in lists', () => {
    const groups = [
      null,
      { name: 1, versions: null },
      {
        name: 'b',
        versions: [null, { version: 'v1' }, { version: '..' }],
        preferredVersion: { version: 'v9' },
      },
      { name: 'b', versions: [] },
      { name: 'B', versions: [] },
    ];
    expect(parseGroups({ kind: 'APIGroupList', groups }, operation)).toEqual([
      { name: '', versions: [] },
      {
        name: 'b',
        versions: [{ groupVersion: 'b/v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'b/v1', version: 'v1' },
      },
    ]);
    expect(
      parseVersions({ kind: 'APIVersions', versions: ['v1', 'v1', '', 'v 1', null] }, operation),
    ).toEqual([
      {
        name: '',
        versions: [{ groupVersion: 'v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'v1', version: 'v1' },
      },
    ]);
    const resources = [
      { name: 'pods/http:rate', kind: 'MetricValueList' },
      { name: 'a/b/c', kind: 'MetricValueList', namespaced: 'yes' },
      { name: 'scales', kind: 'Scale', group: 'autoscaling', version: 'v1' },
      { name: 'x', kind: '' },
      { name: 'x%2f', kind: 'X' },
      { name: 'x y', kind: 'X' },
    ];
    const list = parseResourceList({ groupVersion: 'else/v9', resources }, 'm.io/v1', operation);
    expect(list.groupVersion).toBe('m.io/v1');
    expect(list.resources.map(({ name, group, namespaced }) => [name, group, namespaced])).toEqual([
      ['pods/http:rate', undefined, false],
      ['a/b/c', undefined, false],
      ['scales', 'autoscaling', false],
    ]);
  });
});

test.each<{ type: string | undefined; want: boolean }>([
  { type: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', want: true },
  { type: 'application/json; as=APIGroupDiscoveryList; v=v2beta1; g=apidiscovery.k8s.io', want: true },
  { type: 'application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList', want: false },
  { type: 'application/json;g=apidiscovery.k8s.io;v=v2', want: false },
  { type: 'application/json', want: false },
  { type: 'text/html;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', want: false },
  { type: undefined, want: false },
])('returns whether a response of type $type is aggregated: $want', ({ type, want }) => {
  expect(isAggregated(type)).toBe(want);
});

test.each<{ name: string; fit: boolean }>([
  { name: 'v1', fit: true },
  { name: 'apps/v1', fit: true },
  { name: 'rbac.authorization.k8s.io/v1alpha1', fit: true },
  { name: '', fit: false },
  { name: '/v1', fit: false },
  { name: '..', fit: false },
  { name: 'a/../v1', fit: false },
  { name: '../v1', fit: false },
  { name: 'a..b/v1', fit: false },
  { name: 'a/b/v1', fit: false },
  { name: 'A/v1', fit: false },
  { name: `${'a'.repeat(64)}/v1`, fit: false },
  { name: `${'a.'.repeat(200)}a/v1`, fit: false },
  { name: 'a\0/v1', fit: false },
])('returns whether $name is a group version: $fit', ({ name, fit }) => {
  expect(groupVersionOf(name) !== undefined).toBe(fit);
});

test('returns edit distances', () => {
  const of = (a: string, b: string): number => distance(a, b);
  expect([of('', ''), of('', 'abc'), of('pods', 'pods'), of('pdos', 'pods')]).toEqual([0, 3, 0, 1]);
  expect([of('kitten', 'sitting'), of('pods', 'pod'), of('ab', 'ba')]).toEqual([3, 1, 1]);
});

test('compares many long names in bounded time', async () => {
  const shortNames = Array.from({ length: 200_000 }, (_, i) => `n${i}`);
  const resources = Array.from({ length: 20_000 }, (_, i) => ({
    resource: `x${i}${'s'.repeat(40)}`,
    responseKind: { group: 'a.io', version: 'v1', kind: 'X' },
    ...(i === 0 && { shortNames }),
  }));
  const items = [{ metadata: { name: 'a.io' }, versions: [{ version: 'v1', resources }] }];
  const server = new StubServer({ '/apis': aggregated({ kind: 'APIGroupDiscoveryList', items }) });
  const mapper = new RESTMapper(new DiscoveryClient(server.rest));
  await expect(mapper.mappingFor(`y1${'s'.repeat(40)}`)).rejects.toSatisfy(isNoMatch);
  expect(nearest('x'.repeat(1000), ['x'], (word) => [word])).toEqual([]);
});
