import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { built, type CrdSketch, crdOf, namesOf, propertyOf, typeOf } from '../model.fixture.ts';
import { assignNames, type NameClaim } from './assign-names.ts';

const string = { type: 'string' };
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
/** An object that is not equal to any other. */
const only = (name: string): JsonObject => object({ [`only${name}`]: string });

/** Returns the name of the type at a path of properties. */
function nameAt(sketch: CrdSketch, ...path: readonly string[]): string {
  const { groupVersion } = built([crdOf(sketch)]);
  return path.reduce((name, property) => {
    const { schema } = propertyOf(typeOf(groupVersion, name), property);
    return schema.shape === 'ref' ? schema.name : '';
  }, sketch.kind ?? 'Foo');
}

describe('names of nested types', () => {
  test.each<{ title: string; schema: JsonObject; want: readonly string[] }>([
    {
      title: 'path',
      schema: object({ spec: object({ template: only('A') }) }),
      want: ['FooSpec', 'FooSpecTemplate'],
    },
    {
      title: 'items and map values add nothing',
      schema: object({
        list: { type: 'array', items: { type: 'array', items: only('A') } },
        map: { type: 'object', additionalProperties: only('B') },
      }),
      want: ['FooList_#', 'FooMap'],
    },
    {
      title: 'items of a list are singular, and their properties too',
      schema: object({
        nodes: { type: 'array', items: object({ ports: { type: 'array', items: only('A') } }) },
        hostAliases: { type: 'object', additionalProperties: { type: 'array', items: only('B') } },
        policies: { type: 'object', additionalProperties: only('C') },
      }),
      want: ['FooHostAliases', 'FooNode', 'FooNodePort', 'FooPolicies'],
    },
    {
      title: 'items of a list beside a property with the singular name keep the plural',
      schema: object({ nodes: { type: 'array', items: only('A') }, node: only('B') }),
      want: ['FooNode', 'FooNodes'],
    },
    {
      title: 'items of a list whose singular is another name keep the plural',
      schema: object({
        clients: { type: 'array', items: only('A') },
        listers: { type: 'array', items: object({ x: only('B') }) },
      }),
      want: ['FooClients', 'FooListerX', 'FooListers'],
    },
    {
      title: 'the rest beside properties adds Value',
      schema: object({ spec: { ...only('A'), additionalProperties: only('B') } }),
      want: ['FooSpec', 'FooSpecValue'],
    },
    {
      title: 'a property named value comes before the rest',
      schema: object({ spec: { ...object({ value: only('A') }), additionalProperties: only('B') } }),
      want: ['FooSpec', 'FooSpecValue', 'FooSpecValue_#'],
    },
    {
      title: 'an object in a union adds Option and its place',
      schema: object({ spec: { oneOf: [string, only('A')] } }),
      want: ['FooSpecOption2'],
    },
    {
      title: 'several objects in a union, and objects in lists and maps there',
      schema: object({
        spec: {
          anyOf: [
            only('A'),
            string,
            { type: 'array', items: only('B') },
            { type: 'object', additionalProperties: only('C') },
          ],
        },
      }),
      want: ['FooSpecOption1', 'FooSpecOption3', 'FooSpecOption4'],
    },
    {
      title: 'a property of a member',
      schema: object({ spec: { oneOf: [string, object({ inner: only('A') })] } }),
      want: ['FooSpecOption2', 'FooSpecOption2Inner'],
    },
    {
      title: 'equal words at equal depth',
      schema: object({ a: object({ bC: only('A') }), aB: object({ c: only('B') }) }),
      want: ['FooA', 'FooAB', 'FooABC', 'FooABC_#'],
    },
  ])('$title', ({ schema, want }) => {
    expect(
      namesOf({ schema })
        .filter((name) => name !== 'Foo' && name !== 'FooList')
        .sort(),
    ).toEqual(want);
  });

  test('keep the name of the shallower path', () => {
    const sketch = { schema: object({ a: object({ b: only('A') }), aB: only('B') }) };
    expect(nameAt(sketch, 'aB')).toBe('FooAB');
    expect(nameAt(sketch, 'a', 'b')).toMatch(/^FooAB_[0-9a-f]{6}$/);
  });

  test('keep the name of the alphabetically first path among equally deep ones', () => {
    const sketch = { schema: object({ aB: object({ c: only('B') }), a: object({ bC: only('A') }) }) };
    expect(nameAt(sketch, 'a', 'bC')).toBe('FooABC');
    expect(nameAt(sketch, 'aB', 'c')).toMatch(/^FooABC_[0-9a-f]{6}$/);
  });

  test('keep the name of a property before other paths of the same depth', () => {
    const sketch = {
      schema: object({ spec: { ...object({ value: only('A') }), additionalProperties: only('B') } }),
    };
    expect(nameAt(sketch, 'spec', 'value')).toBe('FooSpecValue');
  });

  test('do not change if siblings are added, removed or changed', () => {
    const before = { schema: object({ spec: object({ template: only('A') }) }) };
    const after = {
      schema: object({
        status: only('A'),
        spec: object({ a: only('B'), template: { ...only('A'), nullable: true } }),
      }),
    };
    expect(nameAt(before, 'spec', 'template')).toBe('FooSpecTemplate');
    expect(namesOf(after)).toContain('FooSpecTemplate');
  });

  test('do not change if a union gets another member', () => {
    const union = (...members: readonly JsonValue[]) => ({ schema: object({ spec: { anyOf: members } }) });
    const before = namesOf(union(string, only('A')));
    expect(namesOf(union(string, only('A'), only('B')))).toEqual(expect.arrayContaining([...before]));
  });
});

describe('names of kinds and their helpers', () => {
  const namesIn = (kind: string, ...sketches: readonly CrdSketch[]): unknown => {
    const { resources } = built(sketches.map((sketch) => crdOf(sketch))).groupVersion;
    return resources.find((resource) => resource.kind === kind)?.names;
  };

  test('are derived from the kind', () => {
    expect(namesIn('MyApp', { kind: 'MyApp' })).toEqual({
      accessor: 'myApps',
      constant: 'myApps',
      type: 'MyApp',
      list: 'MyAppList',
      client: 'MyAppClient',
      lister: 'MyAppLister',
      informer: 'MyAppInformer',
      event: 'MyAppWatchEvent',
      field: 'MyAppSelectableField',
      watch: 'watchMyApps',
    });
  });

  test('of the group version are derived from its name', () => {
    expect(built([crdOf({ group: 'my-team.example.com' })]).groupVersion.names).toEqual({
      clients: 'MyTeamV1Client',
      informers: 'MyTeamV1Informers',
    });
  });

  test('of the group version are renamed if a kind has their name', () => {
    const { groupVersion } = built([crdOf({ group: 'cache.example.com', kind: 'CacheV1' })]);
    expect(groupVersion.names).toEqual({
      clients: 'CacheV1GroupVersionClient',
      informers: 'CacheV1Informers',
    });
    expect(groupVersion.resources[0]?.names.client).toBe('CacheV1Client');
  });

  test.each(['client', 'lister', 'informer', 'watchEvent'])(
    'keep the name of a helper if a property %s has the same',
    (name) => {
      const names = (schema: JsonObject): unknown => namesIn('Foo', { schema });
      expect(names(object({ [name]: only('A') }))).toEqual(names(object({})));
    },
  );

  test('keep the name of the group version if a property has the same', () => {
    const schema = object({ v1Client: only('A'), v1Informers: only('B') });
    const { groupVersion } = built([crdOf({ group: 'cache.example.com', kind: 'Cache', schema })]);
    expect(groupVersion.names).toEqual({ clients: 'CacheV1Client', informers: 'CacheV1Informers' });
    expect(groupVersion.types.map(({ name }) => name.replace(/_[0-9a-f]{6}$/, '_#'))).toEqual([
      'Cache',
      'CacheList',
      'CacheV1Client_#',
      'CacheV1Informers_#',
    ]);
  });

  test('rename a watch helper if a descriptor has its name', () => {
    const kinds = [{ kind: 'Foo' }, { kind: 'WatchFoo' }];
    expect(namesIn('Foo', ...kinds)).toMatchObject({ constant: 'foos', watch: 'watchFoosResource' });
    expect(namesIn('WatchFoo', ...kinds)).toMatchObject({ constant: 'watchFoos', watch: 'watchWatchFoos' });
  });

  test('50: prefer a kind to a nested type', () => {
    const foo = { schema: object({ spec: only('A') }) };
    const fooSpec = { kind: 'FooSpec', schema: object({ x: string }) };
    expect(namesOf(foo, fooSpec)).toEqual(['Foo', 'FooList', 'FooSpec', 'FooSpecList', 'FooSpec_#']);
    expect(namesOf(fooSpec, foo)).toEqual(namesOf(foo, fooSpec));
  });

  test('prefer a list to a nested type', () => {
    expect(namesOf({ schema: object({ list: only('A') }) })).toEqual(['Foo', 'FooList', 'FooList_#']);
  });

  test('prefer a helper to a nested type', () => {
    const sketch = { schema: object({ client: only('A') }) };
    expect(namesIn('Foo', sketch)).toMatchObject({ client: 'FooClient' });
    expect(namesOf(sketch)).toEqual(['Foo', 'FooClient_#', 'FooList']);
  });

  test('use fallbacks for helpers if kinds have their names', () => {
    const kinds = [{ kind: 'Foo' }, { kind: 'FooClient' }, { kind: 'FooLister' }, { kind: 'FooInformer' }];
    expect(namesIn('Foo', ...kinds)).toMatchObject({
      client: 'FooResourceClient',
      lister: 'FooResourceLister',
      informer: 'FooResourceInformer',
    });
    expect(namesIn('FooClient', ...kinds)).toMatchObject({ client: 'FooClientClient' });
  });

  test('48: handle kinds that end in List', () => {
    expect(namesOf({ kind: 'AllowList' })).toEqual(['AllowList', 'AllowListList']);
  });

  test('48: rename a list if a kind has its name', () => {
    expect(namesIn('Foo', { kind: 'Foo' }, { kind: 'FooList' })).toMatchObject({
      list: expect.stringMatching(/^FooList_[0-9a-f]{6}$/),
    });
  });

  test('47: use the list kind of the CRD', () => {
    expect(namesIn('Foo', { kind: 'Foo', listKind: 'Foos' })).toMatchObject({ list: 'Foos' });
  });

  test('49: keep the names of kinds that are also globals', () => {
    const kinds = [
      'Array',
      'Date',
      'Record',
      'Map',
      'Object',
      'Function',
      'Event',
      'Node',
      'Image',
      'Proxy',
      'Promise',
      'Partial',
    ];
    expect(namesOf(...kinds.map((kind) => ({ kind })))).toEqual(expect.arrayContaining(kinds));
  });

  test('are unique for kinds with equal identifiers', () => {
    expect(namesOf({ kind: 'My-App' }, { kind: 'MyApp' })).toEqual([
      'MyApp',
      'MyAppList',
      'MyAppList_#',
      'MyApp_#',
    ]);
  });
});

describe('assignNames', () => {
  const claim = (path: string, depth = 1): NameClaim => ({ wants: ['Same'], rank: 'nested', depth, path });

  test('returns a unique name for each claim in any order', () => {
    const claims = Array.from({ length: 500 }, (_, index) => claim(`Foo.${index}`, index % 3));
    const names = assignNames(claims);
    expect(new Set(names).size).toBe(claims.length);
    expect(assignNames([...claims].reverse())).toEqual([...names].reverse());
  });

  test('extends a suffix that results in a used name', () => {
    const [, suffixed = ''] = assignNames([claim('a'), claim('b')]);
    const taken: NameClaim = { wants: [suffixed], rank: 'kind', depth: 0, path: 'c' };
    const [, , longer = ''] = assignNames([taken, claim('a'), claim('b')]);
    expect(longer).toMatch(/^Same_[0-9a-f]{8}$/);
    expect(longer.startsWith(suffixed)).toBe(true);
  });
});
