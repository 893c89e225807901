import { expect, test } from 'vitest';

interface Field {
  readonly number: number;
  readonly json: string;
  readonly type: string;
  readonly omission: string;
}
interface Table {
  readonly messages: Readonly<Record<string, { readonly fields: readonly Field[] }>>;
  readonly kinds: readonly object[];
}
interface Union {
  union(releases: readonly { readonly release: string; readonly table: Table }[]): Table;
}

// seam: the program is JavaScript; its own comments state this type
const { union } = (await import(new URL('./union.mjs', import.meta.url).href)) as Union;

/** Parses a field from `number name type omission`. */
function field(text: string): Field {
  const [number = '', json = '', type = '', omission = ''] = text.split(' ');
  return { number: Number(number), json, type, omission };
}

function joined(...releases: readonly (readonly string[])[]): readonly Field[] | undefined {
  const tables = releases.map((texts, index) => ({
    release: `1.${index}.0`,
    table: { messages: { 'a/v1.Thing': { fields: texts.map(field) } }, kinds: [] },
  }));
  return union(tables).messages['a/v1.Thing']?.fields;
}

test.each<{ name: string; given: readonly (readonly string[])[]; want: readonly string[] }>([
  {
    name: 'the newer rule holds',
    given: [['1 a string never'], ['1 a *string omitempty']],
    want: ['1 a *string omitempty'],
  },
  {
    name: 'fields are sorted by number',
    given: [['2 b string never'], ['1 a string never', '2 b string never']],
    want: ['1 a string never', '2 b string never'],
  },
  {
    name: 'a removed field is optional',
    given: [
      [
        '1 a string never',
        '2 b {}string never',
        '3 c a/v1.Thing omitempty',
        '4 d bytes never',
        '5 e *string never',
      ],
      ['6 f string never'],
    ],
    want: [
      '1 a *string omitempty',
      '2 b {}string omitempty',
      '3 c *a/v1.Thing omitempty',
      '4 d bytes omitempty',
      '5 e *string omitempty',
      '6 f string never',
    ],
  },
  {
    name: 'a field that was added again has its newest type',
    given: [['1 a string never'], [], ['1 a string never']],
    want: ['1 a string never'],
  },
  {
    name: 'a number that another field got is that field',
    given: [['1 a string never'], [], ['1 b int32 never']],
    want: ['1 b int32 never'],
  },
  {
    name: 'a name that got another number is that field',
    given: [['1 a string never'], ['2 a string never']],
    want: ['2 a string never'],
  },
])('$name', ({ given, want }) => expect(joined(...given)).toEqual(want.map(field)));

test('keeps removed messages and kinds', () => {
  const message = { fields: [field('1 a string never')] };
  const kind = { apiVersion: 'a/v1', kind: 'Thing', message: 'a/v1.Thing' };
  const older = { messages: { 'a/v1.Thing': message }, kinds: [kind] };
  const all = union([
    { release: '1.0.0', table: older },
    { release: '1.1.0', table: { messages: {}, kinds: [] } },
  ]);
  expect(all).toEqual(older);
});
