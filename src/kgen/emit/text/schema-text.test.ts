import { describe, expect, it } from 'vitest';
import type { Schema, Shape } from '../../model/ir.ts';
import type { Scope } from '../clients/scope.ts';
import { Module } from './module.ts';
import { typeText } from './schema-text.ts';

function schema(shape: Shape, nullable = false): Schema {
  return { ...shape, nullable, facts: { keywords: {} } };
}

const text = schema({ shape: 'string' });
const unknown = schema({ shape: 'unknown', reason: 'untyped' });
const embedded = schema({ shape: 'runtime', name: 'EmbeddedObject' });
const letters = schema({ shape: 'enum', values: ['a', "b'c", 1, null], open: false });
const list = (items: Schema): Schema => schema({ shape: 'array', items, list: 'atomic', mapKeys: [] });

function scope(): Scope {
  return { module: new Module('door', []), refer: ({ name }) => name, own: (name) => name };
}

describe('typeText', () => {
  it.each([
    { of: 'a text', given: text, want: 'string' },
    { of: 'a text or null', given: { ...text, nullable: true }, want: 'string | null' },
    { of: 'nothing that is known', given: { ...unknown, nullable: true }, want: 'unknown' },
    { of: 'literals', given: letters, want: `'a' | 'b\\'c' | 1 | null` },
    { of: 'a list of literals', given: list(letters), want: `('a' | 'b\\'c' | 1 | null)[]` },
    { of: 'a list of lists', given: list(list(text)), want: 'string[][]' },
    {
      of: 'a map',
      given: schema({ shape: 'map', values: list(text) }),
      want: '{ [key: string]: string[] }',
    },
    {
      of: 'a union with doubles',
      given: schema({ shape: 'union', members: [text, schema({ shape: 'int-or-string' })] }),
      want: 'string | number',
    },
    {
      of: 'a union whose member may be null',
      given: schema({ shape: 'union', members: [{ ...text, nullable: true }, list(text)] }),
      want: 'string | null | string[]',
    },
    {
      of: 'a union with something unknown',
      given: schema({ shape: 'union', members: [embedded, unknown] }),
      want: 'unknown',
    },
  ])('prints $of', ({ given, want }) => {
    expect(typeText(given, scope())).toBe(want);
  });

  it('imports only names that it prints', () => {
    const { module, ...rest } = scope();
    typeText(schema({ shape: 'union', members: [embedded, unknown] }), { module, ...rest });
    expect(module.print('').ts).not.toContain('import');
  });
});
