import { ts } from 'ts-morph';
import { expect, it } from 'vitest';
import { outputContract } from './output-contract.ts';

const index = `
import { crud, defineResource, watchResource } from '@kgen/runtime/gen/v1';
const schema = () => import('./schemas.js').then((module) => module.schemas);
export const foos = defineResource({
  group: 'example.com', version: 'v1', kind: 'Foo', plural: 'foos', scope: 'Namespaced', verbs: crud, schema,
});
export const watchFoos = watchResource(foos);
`;

const schemas = `
const part_1 = { definitions: { type: 'object' }, kinds: { type: 'string' } };
const part_2: SchemaDocument = { properties: part_1, items: [part_1, -1n] };
export const schemas: SchemaModule = {
  definitions: { 'com.example.v1.Foo': { properties: { a: part_2, b: part_2, c: part_3 } } },
  kinds: { Foo: 'com.example.v1.Foo' },
  imports: {},
};
`;

it('reads descriptors, and schemas whose repeated parts are constants', () => {
  const files = new Map([
    ['example.com/v1/index.ts', index],
    ['example.com/v1/schemas.ts', schemas],
  ]);
  const found = outputContract(ts, files);
  const first = { definitions: { type: 'object' }, kinds: { type: 'string' } };
  const second = { properties: first, items: [first, -1n] };
  expect(found).toMatchObject([
    {
      resource: { kind: 'Foo', verbs: expect.arrayContaining(['get', 'watch']) },
      schema: { root: { properties: { a: second, b: second } } },
    },
  ]);
  expect(found[0]?.schema?.definition('definitions')).toBeUndefined();
});
