import { describe, expect, test } from 'vitest';
import type { GroupVersionSchemas, JsonObject, Model } from '../model/ir.ts';
import { declaration, groupVersion, model, printed, resource } from './emit.fixture.ts';

function withSchemas(...schemas: readonly GroupVersionSchemas[]): Model {
  const foos = groupVersion('example.com', 'v1', { resources: [resource('Foo'), resource('Bar')] });
  return { ...model(foos), schemas };
}

function schemasOf(schema: JsonObject, imports: GroupVersionSchemas['imports'] = []): GroupVersionSchemas {
  return {
    home: { group: 'example.com', version: 'v1' },
    definitions: new Map([['com.example.v1.Foo', schema]]),
    parts: new Map(),
    kinds: new Map([['Foo', 'com.example.v1.Foo']]),
    imports,
  };
}

const string: JsonObject = { type: 'string' };
const path = 'example.com/v1/schemas.ts';

/** Evaluates the object literal of a printed module. */
function literalOf(text: string): unknown {
  return new Function(`return ${text.slice(text.indexOf('= {') + 2)}`)();
}

describe('schemas.ts', () => {
  test('loads the modules that it refers to', () => {
    const file = printed(withSchemas(schemasOf({ $ref: 'x' }, [{ group: '', version: 'v1' }])))(path);
    expect(file).toContain(
      "    v1: () => import('../../core/v1/schemas.js').then((module) => module.schemas),\n",
    );
  });

  test('contains exactly the values of a schema, also hostile ones', () => {
    const schema: JsonObject = {
      ...JSON.parse('{ "__proto__": { "type": "object" } }'),
      enum: ['*/', '`x`', '$(1)', "it's", 'a\nb\u2028c', 'x'.repeat(200), -1, 0.5, 1e21, null, true, [], {}],
      list: [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => letter.repeat(12)),
      nested: [
        { properties: { a: { ...string, pattern: 'y'.repeat(80) } } },
        [[1, 2], [3]],
        [string, string],
      ],
    };
    const file = printed(withSchemas(schemasOf(schema)))(path);
    expect(literalOf(file)).toEqual({
      definitions: { 'com.example.v1.Foo': schema },
      kinds: { Foo: 'com.example.v1.Foo' },
      imports: {},
    });
    const long = file.split('\n').filter((line) => line.length > 110 && !line.includes('x'.repeat(200)));
    expect(long).toEqual([]);
  });

  test('has a constant for each named part', () => {
    const inner: JsonObject = { properties: { x: string }, type: 'object' };
    const outer: JsonObject = { properties: { a: inner, b: { ...inner, nullable: true } }, allOf: [inner] };
    const schema: JsonObject = { properties: { list: { anyOf: [outer, string], items: outer }, inner } };
    const schemas: GroupVersionSchemas = {
      ...schemasOf(schema),
      parts: new Map([
        [inner, 'part_1'],
        [outer, 'part_2'],
      ]),
    };
    const files = printed(withSchemas(schemas), { emit: 'js' });
    const file = files('example.com/v1/schemas.js');
    expect(new Function(file.replace('export const schemas =', 'return'))()).toEqual({
      definitions: { 'com.example.v1.Foo': schema },
      kinds: { Foo: 'com.example.v1.Foo' },
      imports: {},
    });
    expect(file).toContain('anyOf: [part_2, {');
    expect(file.match(/x: \{ type: 'string' \}/g)).toHaveLength(2);
    expect(files('example.com/v1/schemas.d.ts')).not.toContain('part_');
    expect(printed(withSchemas(schemas))(path)).toContain('const part_2: SchemaDocument = {');
  });

  test('keeps the digits of integers beyond 2^53', () => {
    const file = printed(withSchemas(schemasOf({ maximum: 9223372036854775807n })))(path);
    expect(file).toContain('{ maximum: 9223372036854775807n }');
  });
});

describe('descriptors', () => {
  const index = 'example.com/v1/index.ts';

  test('load the schema of kinds that have one', () => {
    const file = printed(withSchemas(schemasOf(string)))(index);
    expect(file).toContain(
      "const schema: LoadSchemas = () => import('./schemas.js').then((module) => module.schemas);",
    );
    expect(declaration(file, 'export const foos')).toContain('schema,');
    expect(declaration(file, 'export const bars')).not.toContain('schema');
  });

  test('have no schema if schemas are left out', () => {
    const file = printed(withSchemas(schemasOf(string)), { schemas: false });
    expect(file(index)).not.toContain('schema');
    expect(file(path)).toMatch(/^there is no /);
  });
});
