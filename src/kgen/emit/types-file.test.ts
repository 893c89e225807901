import { describe, expect, it } from 'vitest';
import type { GroupVersion, NamedType, Property, Schema, Shape } from '../model/ir.ts';
import { outputOf } from './clients/scope.ts';
import { defaultEmitOptions } from './options.ts';
import { typesModule } from './types-file.ts';

function schema(shape: Shape): Schema {
  return { ...shape, nullable: false, facts: { keywords: {} } };
}

const text = schema({ shape: 'string' });
const values = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(30));
const literals = schema({ shape: 'enum', values, open: false });
const lines = values.map((value) => `\n    | '${value}'`).join('');
const unknown = schema({ shape: 'unknown', reason: 'free-form' });
const embedded = schema({ shape: 'runtime', name: 'EmbeddedObject' });

function property(name: string, of: Schema, optional: boolean): Property {
  return { name, schema: of, required: !optional, optional, defaulted: false };
}

function printed(members: Pick<NamedType, 'properties' | 'rest' | 'exclusive' | 'aliases'>): string {
  const facts = { keywords: {} };
  const type: NamedType = { name: 'Foo', role: 'nested', path: 'Foo', facts, ...members };
  const groupVersion: GroupVersion = {
    group: 'my.domain',
    version: 'v1',
    accessor: 'myV1',
    apiVersion: 'my.domain/v1',
    names: { clients: 'MyV1Client', informers: 'MyV1Informers' },
    resources: [],
    types: [type],
    runtimeTypes: [],
    crds: [],
  };
  const model = { groupVersions: [groupVersion], schemas: [] };
  const options = { ...defaultEmitOptions, version: '0', docs: 'none', runtimeImport: 'door' } as const;
  return typesModule(groupVersion, outputOf(model, options, new Set()))
    .print('')
    .ts.trim();
}

describe('typesModule', () => {
  it.each([
    {
      of: 'without members',
      given: { properties: [] },
      want: 'export interface Foo {\n  [key: string]: never;\n}',
    },
    {
      of: 'with an optional member and typed others',
      given: { properties: [property('a', text, true)], rest: schema({ shape: 'integer' }) },
      want: 'export interface Foo {\n  a?: string | undefined;\n  [key: string]: number | string | undefined;\n}',
    },
    {
      of: 'with literals and typed others, whose union takes several lines',
      given: { properties: [property('a', literals, true)], rest: schema({ shape: 'integer' }) },
      want: `export interface Foo {
  a?:${lines}
    | undefined;
  [key: string]:\n    | number${lines}\n    | undefined;
}`,
    },
    {
      of: 'with an unknown member and typed others, whose type is not imported',
      given: { properties: [property('a', unknown, false)], rest: embedded },
      want: 'export interface Foo {\n  a: unknown;\n  [key: string]: unknown;\n}',
    },
  ])('prints an object $of', ({ given, want }) => {
    expect(printed({ aliases: [], ...given })).toBe(want);
  });

  it('prints members that exclude each other as a union over an interface', () => {
    const members = ['a', 'b', 'c', 'd'].map((name) => property(name, text, true));
    const exclusive = [
      { names: ['a', 'b'], isRequired: true },
      { names: ['c', 'd'], isRequired: false },
    ];
    const lines = printed({ properties: members, exclusive, aliases: [] }).split('\n');
    expect([lines[0], lines[2], lines.at(-1)]).toEqual([
      "import type { AtMostOne, ExactlyOne } from 'door';",
      'export interface FooMembers {',
      "export type Foo = ExactlyOne<FooMembers, 'a' | 'b'> & AtMostOne<FooMembers, 'c' | 'd'>;",
    ]);
  });

  it('names the interface of the members by a free name', () => {
    const exclusive = [{ names: ['a'], isRequired: true }];
    const given = { properties: [property('a', text, true)], exclusive, aliases: ['FooMembers'] };
    expect(printed(given)).toContain("export type Foo = ExactlyOne<FooMembers2, 'a'>;");
  });
});
