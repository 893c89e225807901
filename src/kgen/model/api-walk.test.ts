import { expect, test } from 'vitest';
import {
  apiOf,
  definitionOf,
  fieldText,
  groupVersionOf,
  kindSchema,
  modelOf,
  object,
  ref,
  resourceOf,
  schemaText,
  subresourceOf,
  typeNamed,
  typeText,
} from './api.fixture.ts';

const string = { type: 'string' };
const part = definitionOf('com.example.v1.Part', object({ a: string }));
const other = definitionOf('com.other.v1.Part', object({ b: string }));

test('references to definitions keep their names in a type with nested objects', () => {
  const thing = definitionOf(
    'com.example.v1.Thing',
    kindSchema({ nested: object({ x: string }), own: ref(part.name), other: ref(other.name) }),
    ['example/v1/Thing'],
  );
  const { types } = groupVersionOf(modelOf(apiOf([thing, part, other])), 'example/v1');
  const [type] = types.filter(({ name }) => name === 'Thing');
  expect(type && typeText(type)).toContain(
    'nested?: ThingNested; other?: definitions/com-other-v1.Part; own?: Part',
  );
});

test('a definition that is a list of objects without a name has free-form items outside of types', () => {
  const list = definitionOf('com.example.v1.All', { type: 'array', items: object({ a: string }) });
  const schema = modelOf(apiOf([list])).definitions.get(list.name);
  expect(schema && schemaText(schema)).toBe('[{ [*]: unknown(free-form) }]');
});

test('a definition that preserves unknown fields is a map, not a type', () => {
  const open = definitionOf('com.example.v1.Open', {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  });
  expect(fieldText(ref(open.name), [open])).toBe('field?: { [*]: unknown(preserve-unknown) }');
});

test('an object that preserves unknown fields has those that it requires', () => {
  const given = { type: 'object', required: ['a'], 'x-kubernetes-preserve-unknown-fields': true };
  expect(fieldText(given)).toBe('field?: ThingSpecField');
});

test.each([
  [{ allOf: [string] }, 'string'],
  [{ oneOf: [ref(part.name), string] }, 'Part | string'],
  [{ anyOf: [{ 'x-kubernetes-int-or-string': true }, { type: 'boolean' }] }, 'int-or-string | boolean'],
])('a field may have the types of its members: case %#', (given, want) => {
  expect(fieldText(given, [part])).toBe(`field?: ${want}`);
});

test('a list with a merge key is a map', () => {
  const list = (strategy: string, key: string) => ({
    type: 'array',
    items: ref(part.name),
    'x-kubernetes-patch-merge-key': key,
    'x-kubernetes-patch-strategy': strategy,
  });
  expect(fieldText(list('merge', 'a'), [part])).toBe('field?: map a [Part]');
  expect(fieldText(list('retainKeys', 'a'), [part])).toBe('field?: [Part]');
});

const required = kindSchema({ status: string }, { required: ['status'] });
const status = subresourceOf('status', 'example/v1/Thing');

test('a status is required in a kind without resources', () => {
  const thing = definitionOf('com.example.v1.Thing', required, ['example/v1/Thing']);
  const { types } = groupVersionOf(modelOf(apiOf([thing])), 'example/v1');
  expect(types.map(typeText)).toEqual([expect.stringContaining('status: string')]);
});

test.each([
  [[status], 'status?: string'],
  [[], 'status: string'],
])(
  'a status that is a subresource is optional in a kind of another group version: case %#',
  (subresources, want) => {
    const thing = definitionOf('com.example.v1.Thing', required, ['example/v1/Thing']);
    const things = resourceOf('example/v1/Thing', 'things', {
      definition: thing.name,
      verbs: ['create'],
      subresources,
    });
    const built = modelOf(apiOf([thing], { 'legacy/v1': [things] }));
    expect(typeText(typeNamed(groupVersionOf(built, 'legacy/v1'), 'Thing'))).toContain(want);
  },
);

test.each([[{ connect: { methods: ['GET'], path: false } }], [{ text: true }]])(
  'definitions of connections and strings are not selected: %j',
  (more) => {
    const thing = definitionOf('com.example.v1.Thing', required, ['example/v1/Thing']);
    const subresources = [subresourceOf('exec', 'example/v1/Part', { ...more, definition: part.name })];
    const things = resourceOf('example/v1/Thing', 'things', { definition: thing.name, subresources });
    const api = apiOf([thing, part], { 'example/v1': [things] });
    const { types } = groupVersionOf(modelOf(api, { include: ['example/v1/Thing'] }), 'example/v1');
    expect(types.map(({ name }) => name)).not.toContain('Part');
  },
);

test('a resource declares the scope of its kind', () => {
  const thing = definitionOf('com.example.v1.Thing', required, ['example/v1/Thing']);
  const things = resourceOf('example/v1/Thing', 'things', {
    definition: thing.name,
    scope: 'Cluster',
    subresources: [status],
  });
  const built = modelOf(apiOf([thing], { 'example/v1': [things] }));
  const text = typeText(typeNamed(groupVersionOf(built, 'example/v1'), 'Thing'));
  expect(text).toContain('metadata?: @ClusterMeta');
  expect(text).toContain('status?: string');
});

test('descriptors of connections are named before helpers', () => {
  const connect = { methods: ['GET'], path: false };
  const pods = subresourceOf('pods', 'example/v1/Options', { connect });
  const api = apiOf([], {
    'example/v1': [
      resourceOf('example/v1/Pod', 'pods'),
      resourceOf('example/v1/Watch', 'watches', { subresources: [pods] }),
    ],
  });
  const { resources } = groupVersionOf(modelOf(api), 'example/v1');
  expect(resources.map(({ names }) => names.watch)).toEqual(['watchPodsResource', 'watchWatches']);
  expect(resources[1]?.subresources[0]?.body).toMatchObject({ connect: { constant: 'watchPods' } });
});
