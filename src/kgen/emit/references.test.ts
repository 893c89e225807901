import { describe, expect, it } from 'vitest';
import {
  declaration,
  groupVersion,
  model,
  namedType,
  printed,
  property,
  resource,
  schema,
} from './emit.fixture.ts';

const meta = { group: 'meta', version: 'v1' };
const elsewhere = (name: string) => schema({ shape: 'ref', name, from: meta });

describe('a type of another group version', () => {
  const holder = namedType('Holder', {
    properties: [
      property('own', schema({ shape: 'ref', name: 'Event' })),
      property('other', elsewhere('Event')),
      property('more', schema({ shape: 'array', items: elsewhere('Part'), list: 'map', mapKeys: ['name'] })),
    ],
  });
  const home = groupVersion('meta', 'v1', { types: [namedType('Event'), namedType('Part')] });
  const files = printed(model(groupVersion('apps', 'v1', { types: [namedType('Event'), holder] }), home));

  it('is imported once, under another name if its own is used', () => {
    const lines = files('apps/v1/types.ts')
      .split('\n')
      .filter((line) => line.includes('../../meta'));
    expect(lines).toEqual(["import type { Event as MetaV1Event, Part } from '../../meta/v1/types.js';"]);
    expect(declaration(files('apps/v1/types.ts'), 'export interface Holder')).toBe(
      "export interface Holder { own?: Event | undefined; other?: MetaV1Event | undefined; more?: ListMap<Part, 'name'> | undefined; }",
    );
  });

  it('is not imported if it is in the same module', () => {
    const self = namedType('Chain', { properties: [property('next', elsewhere('Chain'))] });
    const own = printed(model(groupVersion('meta', 'v1', { types: [self] })))('meta/v1/types.ts');
    expect(own).not.toContain('import');
    expect(own).toContain('  next?: Chain | undefined;\n');
  });
});

describe('a group version without resources', () => {
  const bare = groupVersion('meta', 'v1', {
    types: [namedType('Part', { properties: [property('at', schema({ shape: 'runtime', name: 'Time' }))] })],
    runtimeTypes: ['ObjectMeta', 'Time'],
  });
  const apps = groupVersion('apps', 'v1', { resources: [resource('Foo')] });

  it('re-exports types and types of the runtime', () => {
    const files = printed(model(apps, bare));
    expect(declaration(files('meta/v1/types.ts'), 'export type {')).toBe(
      "export type { ObjectMeta, Time, } from '@kgen/runtime/gen/v1';",
    );
    expect(files('meta/v1/index.ts').split('\n').slice(1).join('\n')).toBe(
      "\nexport type * from './types.js';\n",
    );
  });

  it('is exported by the index and by no module with values', () => {
    const files = printed(model(apps, bare));
    expect(files('index.ts')).toContain("export type * as metaV1 from './meta/v1/index.js';\n");
    for (const path of ['clientset.ts', 'informers.ts', 'catalog.ts'])
      expect(files(path)).not.toContain('meta');
  });

  it('can be imported as JavaScript', () => {
    expect(printed(model(apps, bare), { emit: 'js' })('meta/v1/index.js')).toMatch(/\n\nexport \{\};\n$/);
  });
});

it('uses the plain item type for lists that are not stored', () => {
  const items = property(
    'items',
    schema({ shape: 'array', items: schema({ shape: 'ref', name: 'Foo' }), list: 'atomic', mapKeys: [] }),
    false,
  );
  const types = [
    namedType('FooList', { role: 'list', properties: [items] }),
    namedType('GhostList', { role: 'virtual-list', properties: [items] }),
  ];
  const of = printed(model(groupVersion('apps', 'v1', { types })))('apps/v1/types.ts');
  expect(declaration(of, 'export interface FooList')).toContain('items: Stored<Foo>[];');
  expect(declaration(of, 'export interface GhostList')).toContain('items: Foo[];');
});
