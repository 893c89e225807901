import { describe, expect, test } from 'vitest';
import { fieldTable, parseTable } from './table.ts';
import type { Field } from './types.ts';

const string = { scalar: 'string' } as const;
const given = '\ncore/v1\nThing a?=1 {}string\n\nNothing\nNames[] items=1 []string\n';

/** Returns the only field of the only message of a table. */
function fieldOf(text: string): Field | undefined {
  return parseTable(`core/v1\nThing ${text}`, '').messages.get('core/v1.Thing')?.fields[0];
}

describe('a field', () => {
  test.each<{ given: string; want: Field }>([
    {
      given: 'a=1 string',
      want: { number: 1, json: 'a', shape: 'value', element: string, omission: 'never' },
    },
    {
      given: 'a?=12 *int32',
      want: { number: 12, json: 'a', shape: 'pointer', element: { scalar: 'int32' }, omission: 'omitempty' },
    },
    {
      given: 'a??=8 $Time',
      want: { number: 8, json: 'a', shape: 'value', element: { special: 'Time' }, omission: 'omitzero' },
    },
    {
      given: '=2 Other',
      want: {
        number: 2,
        json: undefined,
        shape: 'value',
        element: { message: 'core/v1.Other' },
        omission: 'never',
      },
    },
    {
      given: '$ref=3 []meta/v1.Other',
      want: {
        number: 3,
        json: '$ref',
        shape: 'slice',
        element: { message: 'meta/v1.Other' },
        omission: 'never',
      },
    },
    {
      given: 'x-y?=4 {}bytes',
      want: { number: 4, json: 'x-y', shape: 'map', element: { scalar: 'bytes' }, omission: 'omitempty' },
    },
  ])('$given', ({ given, want }) => expect(fieldOf(given)).toEqual(want));
});

describe('a table', () => {
  test('has messages by home and name', () => {
    const { messages } = parseTable(given, '');
    expect([...messages.keys()]).toEqual(['core/v1.Thing', 'core/v1.Nothing', 'core/v1.Names']);
    expect([...messages.values()].map(({ bare, fields }) => [bare, fields.length])).toEqual([
      [false, 1],
      [false, 0],
      [true, 1],
    ]);
  });

  test('has kinds, and the items of lists', () => {
    const messages =
      'apps/v1\nThing\nThingList metadata?=1 meta/v1.ListMeta;items=2 []Thing\nStateList a=1 []string';
    const { kinds } = parseTable(
      messages,
      '\napps/v1 Thing ThingList StateList Other=meta/v1.Other\nv1 Thing\n',
    );
    expect(kinds).toEqual([
      { apiVersion: 'apps/v1', kind: 'Thing', message: 'apps/v1.Thing' },
      { apiVersion: 'apps/v1', kind: 'ThingList', message: 'apps/v1.ThingList', items: 'apps/v1.Thing' },
      { apiVersion: 'apps/v1', kind: 'StateList', message: 'apps/v1.StateList' },
      { apiVersion: 'apps/v1', kind: 'Other', message: 'meta/v1.Other' },
      { apiVersion: 'v1', kind: 'Thing', message: 'core/v1.Thing' },
    ]);
  });
});

describe('the table', () => {
  const { messages, kinds } = fieldTable();

  test('refers only to existing messages', () => {
    const named = [...messages.values()].flatMap(({ fields }) =>
      fields.flatMap(({ element }) => ('message' in element ? [element.message] : [])),
    );
    const all = [...named, ...kinds.flatMap(({ message, items = message }) => [message, items])];
    expect(all.length).toBeGreaterThan(2000);
    expect(all.filter((key) => !messages.has(key))).toEqual([]);
  });

  test('has each number and each name of a message once, in the order of numbers', () => {
    for (const [key, { fields }] of messages) {
      const numbers = fields.map(({ number }) => number);
      const names = fields.flatMap(({ json }) => json ?? []);
      expect(
        [...new Set(numbers)].sort((a, b) => a - b),
        key,
      ).toEqual(numbers);
      expect(new Set(names).size, key).toBe(names.length);
    }
  });

  test('defines the element of every field', () => {
    const elements = [...messages.values()].flatMap(({ fields }) => fields.map(({ element }) => element));
    const texts = elements.map((element) =>
      'message' in element ? 'message' : Object.values(element).join(),
    );
    expect([...new Set(texts)].sort()).toEqual([
      'FieldsV1',
      'IntOrString',
      'JSON',
      'JSONSchemaPropsOrArray',
      'JSONSchemaPropsOrBool',
      'JSONSchemaPropsOrStringArray',
      'MicroTime',
      'Quantity',
      'RawExtension',
      'Time',
      'bool',
      'bytes',
      'double',
      'int32',
      'int64',
      'message',
      'string',
    ]);
  });

  test('is built once', () => expect(fieldTable()).toBe(fieldTable()));
});
