import type { Row } from './row.ts';

const pair = { anyOf: [{ type: 'integer' }, { type: 'string' }] };
const intOrString = { 'x-kubernetes-int-or-string': true };
/** A string like a JavaScript template. */
const template = ['`$', '{1}`'].join('');
const either = { accepts: ['1', `'1'`, `'50%'`], rejects: ['true', 'null', 'undefined', '[1]', '{}'] };

/** Strings and numbers: a format never changes the type. */
const formats: readonly Row[] = [
  ...[
    'byte',
    'date',
    'date-time',
    'duration',
    'cidr',
    'quantity',
    'uuid',
    'binary',
    'string',
    'made-up',
    '',
  ].map((format) => ({
    feature: `string with format '${format}'`,
    schema: { type: 'string', format },
    type: 'string',
    accepts: [`''`, `'2024-01-31T12:00:00Z'`],
    rejects: ['1', 'null', 'new Date()', 'new Uint8Array()', `['a']`],
  })),
  ...['int32', 'int64', 'uint32', 'uint64', 'made-up', ''].map((format) => ({
    feature: `integer with format '${format}'`,
    schema: { type: 'integer', format },
    type: 'number',
    accepts: ['0', '-1', '2 ** 40'],
    rejects: [`'1'`, 'null', '1n', 'true'],
  })),
  ...['float', 'double', ''].map((format) => ({
    feature: `number with format '${format}'`,
    schema: { type: 'number', format },
    type: 'number',
    accepts: ['0.5', '1'],
    rejects: [`'0.5'`, 'null', '1n'],
  })),
];

const plain: readonly Row[] = [
  {
    feature: 'boolean',
    schema: { type: 'boolean' },
    type: 'boolean',
    accepts: ['true', 'false'],
    rejects: [`'true'`, '0', 'null'],
  },
  {
    feature: 'validation of a string, with a pattern that JavaScript cannot read',
    schema: { type: 'string', minLength: 1, maxLength: 3, pattern: '(?i)\\A[[:alpha:]]+\\z' },
    type: 'string',
    accepts: [`'longer than that'`],
    rejects: ['1', 'null'],
  },
  {
    feature: 'validation of a number',
    schema: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, multipleOf: 2 },
    type: 'number',
    accepts: ['100'],
    rejects: [`'1'`],
  },
  {
    feature: 'allOf that only constrains',
    schema: { type: 'integer', allOf: [{ minimum: 1 }, { maximum: 3 }] },
    type: 'number',
    accepts: ['2'],
    rejects: [`'2'`, '{}'],
  },
  {
    feature: 'not with an enum',
    schema: { type: 'string', not: { enum: ['bad'] } },
    type: 'string',
    accepts: [`'good'`],
    rejects: ['1'],
  },
];

const intOrStrings: readonly Row[] = [
  {
    feature: 'int-or-string with anyOf',
    schema: { ...intOrString, ...pair },
    type: 'number | string',
    ...either,
  },
  { feature: 'int-or-string without anyOf', schema: intOrString, type: 'number | string', ...either },
  {
    feature: 'int-or-string with anyOf inside allOf',
    schema: { ...intOrString, allOf: [pair, { pattern: '^[0-9]+%?$' }] },
    type: 'number | string',
    ...either,
  },
  {
    feature: 'int-or-string beside pattern and maxLength',
    schema: { ...intOrString, ...pair, pattern: '^a', maxLength: 3 },
    type: 'number | string',
    ...either,
  },
  { feature: 'the pair without the extension', schema: pair, type: 'number | string', ...either },
  {
    feature: 'format int-or-string, which servers ignore',
    schema: { type: 'string', format: 'int-or-string' },
    type: 'string',
    accepts: [`'1'`],
    rejects: ['1', 'null'],
  },
  {
    feature: 'nullable int-or-string',
    schema: { ...intOrString, nullable: true },
    type: 'number | string | null',
    accepts: ['1', `'1'`, 'null'],
    rejects: ['true', 'undefined', '{}'],
  },
  {
    feature: 'items that are int-or-string',
    schema: { type: 'array', items: intOrString },
    type: '(number | string)[]',
    accepts: ['[]', `[1, 'http']`],
    rejects: ['[true]', '1', '[null]'],
  },
  {
    feature: 'map of int-or-string',
    schema: { type: 'object', additionalProperties: { ...pair, ...intOrString } },
    type: '{ [key: string]: number | string }',
    accepts: ['{}', `{ cpu: 1, memory: '1Gi' }`],
    rejects: ['{ cpu: true }', '{ cpu: undefined }', '[]'],
  },
];

const nullables: readonly Row[] = [
  {
    feature: 'nullable string that is required',
    schema: { type: 'string', nullable: true },
    type: 'string | null',
    accepts: [`''`, 'null'],
    rejects: ['1', 'undefined'],
  },
  {
    feature: 'nullable object',
    schema: { type: 'object', nullable: true, required: ['a'], properties: { a: { type: 'string' } } },
    accepts: ['null', `{ a: '' }`],
    rejects: ['{}', 'undefined', `{ a: null }`],
  },
  {
    feature: 'nullable list',
    schema: { type: 'array', nullable: true, items: { type: 'string' } },
    type: 'string[] | null',
    accepts: ['null', '[]', `['a']`],
    rejects: ['[null]', '[1]'],
  },
  {
    feature: 'nullable items',
    schema: { type: 'array', items: { type: 'string', nullable: true } },
    type: '(string | null)[]',
    accepts: ['[null]', `['a', null]`],
    rejects: ['null', '[undefined]', '[1]'],
  },
  {
    feature: 'nullable values of a map',
    schema: { type: 'object', additionalProperties: { type: 'integer', nullable: true } },
    type: '{ [key: string]: number | null }',
    accepts: ['{ a: null }', '{ a: 1 }'],
    rejects: ['null', `{ a: '1' }`],
  },
  {
    feature: 'nullable items of a list map are a plain list',
    schema: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', nullable: true, required: ['name'], properties: { name: { type: 'string' } } },
    },
    accepts: ['[null]', `[{ name: 'a' }]`],
    rejects: ['null', '[{}]'],
  },
];

const enums: readonly Row[] = [
  {
    feature: 'enum of strings, with punctuation, case variants, the empty one and a double',
    schema: {
      type: 'string',
      enum: [
        'a-b',
        'A-B',
        'a_b',
        '',
        'a/b c',
        "it's",
        '"',
        template,
        'back\\slash',
        'a-b',
        '\n',
        '\u2028',
        '*/',
      ],
    },
    accepts: [`'a-b'`, `'A-B'`, `'a_b'`, `''`, `'a/b c'`, `"it's"`, `'"'`, `'${template}'`, `'*/'`],
    rejects: [`'A-b'`, `'other'`, 'null', '0', `'back'`],
  },
  {
    feature: 'enum of one',
    schema: { type: 'string', enum: ['Only'] },
    type: `'Only'`,
    accepts: [`'Only'`],
    rejects: [`'only'`, `''`],
  },
  {
    feature: 'enum of integers',
    schema: { type: 'integer', enum: [0, 1, -2] },
    type: '0 | 1 | -2',
    accepts: ['0', '-2'],
    rejects: ['2', `'1'`],
  },
  {
    feature: 'enum of numbers',
    schema: { type: 'number', enum: [0.5, 1e21] },
    type: '0.5 | 1e21',
    accepts: ['0.5', '1e21'],
    rejects: ['1', `'0.5'`],
  },
  {
    feature: 'enum of booleans',
    schema: { type: 'boolean', enum: [true] },
    type: 'true',
    accepts: ['true'],
    rejects: ['false', `'true'`],
  },
  {
    feature: 'enum without a type',
    schema: { enum: ['a', 1, true] },
    type: `'a' | 1 | true`,
    accepts: [`'a'`, '1', 'true'],
    rejects: [`'1'`, 'false', 'null'],
  },
  {
    feature: 'enum with null, nullable',
    schema: { type: 'string', nullable: true, enum: ['a', null] },
    type: `'a'`,
    accepts: [`'a'`],
    rejects: [`'b'`, `'null'`, 'null'],
  },
  {
    feature: 'nullable enum without null',
    schema: { type: 'string', nullable: true, enum: ['a'] },
    type: `'a'`,
    accepts: [`'a'`],
    rejects: [`'b'`, 'null'],
  },
  {
    feature: 'enum of values of another type than the stated one',
    schema: { type: 'string', enum: [1, 2, 'three'] },
    accepts: [`'three'`],
    rejects: ['true', '{}'],
  },
  {
    feature: 'enum in items',
    schema: { type: 'array', items: { type: 'string', enum: ['x', 'o'] } },
    type: `('x' | 'o')[]`,
    accepts: ['[]', `['x', 'o']`],
    rejects: [`['y']`, `'x'`],
  },
  {
    feature: 'enum of a list does not make the list an enum',
    schema: { type: 'array', enum: [['a'], ['b']], items: { type: 'string' } },
    type: 'string[]',
    accepts: [`['a']`],
    rejects: [`'a'`, '[1]'],
  },
  {
    feature: 'enum in the values of a map',
    schema: { type: 'object', additionalProperties: { type: 'string', enum: ['on', 'off'] } },
    type: `{ [key: string]: 'on' | 'off' }`,
    accepts: [`{ a: 'on' }`],
    rejects: [`{ a: 'no' }`],
  },
  {
    feature: 'enum beyond 2^53 is a number',
    schema: { type: 'integer', enum: [2 ** 60, 1] },
    type: 'number',
    accepts: ['1', '2 ** 60'],
    rejects: [`'1'`],
  },
];

export const scalars: readonly Row[] = [...formats, ...plain, ...intOrStrings, ...nullables, ...enums];
