import type { Row } from './row.ts';

const preserve = { 'x-kubernetes-preserve-unknown-fields': true };
const embedded = { 'x-kubernetes-embedded-resource': true };
/** A string like a JavaScript template. */
const template = ['`$', '{1}`'].join('');
const text = { type: 'string' };
const count = { type: 'integer' };

const properties: readonly Row[] = [
  {
    feature: 'required and optional properties',
    schema: { type: 'object', required: ['a'], properties: { a: text, b: count } },
    accepts: [`{ a: '' }`, `{ a: '', b: 1 }`, `{ a: '', b: undefined }`],
    rejects: ['{}', '{ b: 1 }', `{ a: '', c: 1 }`, `{ a: null }`, 'null', '[]'],
  },
  {
    feature: 'required with a default may be left out',
    schema: { type: 'object', required: ['a'], properties: { a: { type: 'string', default: 'x' } } },
    accepts: ['{}', `{ a: '' }`, '{ a: undefined }'],
    rejects: ['{ a: null }', '{ a: 1 }'],
  },
  {
    feature: 'required and nullable must be there',
    schema: { type: 'object', required: ['a'], properties: { a: { type: 'string', nullable: true } } },
    accepts: ['{ a: null }', `{ a: '' }`],
    rejects: ['{}', '{ a: undefined }'],
  },
  {
    feature: 'optional with a default and nullable',
    schema: { type: 'object', properties: { a: { type: 'string', nullable: true, default: null } } },
    accepts: ['{}', '{ a: null }', `{ a: '' }`],
    rejects: ['{ a: 1 }'],
  },
  {
    feature: 'required name without a property',
    schema: { type: 'object', required: ['ghost'], properties: { a: text } },
    accepts: [`{ a: '' }`],
    rejects: [`{ a: 1 }`],
  },
  {
    feature: 'properties without a type',
    schema: { properties: { a: text }, required: ['a'] },
    accepts: [`{ a: '' }`],
    rejects: ['{}', `''`],
  },
  {
    feature: 'a type that is not object beside properties',
    schema: { type: 'string', properties: { a: text } },
    type: 'string',
    accepts: [`''`],
    rejects: [`{ a: '' }`],
  },
  {
    feature: 'object in object in object',
    schema: {
      type: 'object',
      required: ['a'],
      properties: {
        a: {
          type: 'object',
          required: ['b'],
          properties: { b: { type: 'object', properties: { c: count } } },
        },
      },
    },
    accepts: ['{ a: { b: {} } }', '{ a: { b: { c: 1 } } }'],
    rejects: ['{ a: {} }', `{ a: { b: { c: '1' } } }`, '{ a: { b: { d: 1 } } }'],
  },
  {
    feature: 'names that are not identifiers, or mean something to JavaScript',
    schema: {
      type: 'object',
      required: [
        '$ref',
        'x-y',
        'a.b/c',
        '9lives',
        'with space',
        "quote'd",
        'class',
        'constructor',
        '__proto__',
        '',
        '-flag',
        '_a',
      ],
      properties: {
        $ref: text,
        'x-y': text,
        'a.b/c': text,
        '9lives': count,
        'with space': text,
        "quote'd": text,
        class: text,
        constructor: text,
        ['__proto__']: text,
        '': text,
        '-flag': text,
        _a: text,
        toString: text,
        'new\nline': text,
        [template]: text,
        naïve: text,
      },
    },
    accepts: [
      `{ $ref: '', 'x-y': '', 'a.b/c': '', '9lives': 1, 'with space': '', "quote'd": '', class: '', constructor: '', ['__proto__']: '', '': '', '-flag': '', _a: '', toString: '', 'new\\nline': '', naïve: '' }`,
    ],
    rejects: [
      '{}',
      `{ $ref: '', 'x-y': '', 'a.b/c': '', '9lives': '', 'with space': '', "quote'd": '', class: '', constructor: '', ['__proto__']: '', '': '', '-flag': '', _a: '' }`,
      `{ $ref: '', 'x-y': '', 'a.b/c': '', '9lives': 1, 'with space': '', "quote'd": '', class: '', ['__proto__']: '', '': '', '-flag': '', _a: '' }`,
    ],
  },
  {
    feature: 'names that differ only in case',
    schema: {
      type: 'object',
      properties: { initContainers: count, init_containers: text, InitContainers: { type: 'boolean' } },
    },
    accepts: [`{ initContainers: 1, init_containers: '', InitContainers: true }`],
    rejects: [`{ initContainers: '' }`, '{ init_containers: 1 }', '{ InitContainers: 1 }'],
  },
  {
    feature: 'paths that lead to one name',
    schema: {
      type: 'object',
      required: ['aB', 'a'],
      properties: {
        aB: {
          type: 'object',
          properties: { c: { type: 'object', required: ['one'], properties: { one: text } } },
        },
        a: {
          type: 'object',
          properties: { bC: { type: 'object', required: ['two'], properties: { two: text } } },
        },
      },
    },
    accepts: [`{ aB: { c: { one: '' } }, a: { bC: { two: '' } } }`],
    rejects: [`{ aB: { c: { two: '' } }, a: {} }`, `{ aB: {}, a: { bC: { one: '' } } }`],
  },
  {
    feature: 'an item and a list of items',
    schema: {
      type: 'object',
      properties: {
        item: { type: 'object', required: ['one'], properties: { one: text } },
        items: { type: 'array', items: { type: 'object', required: ['two'], properties: { two: text } } },
      },
    },
    accepts: [`{ item: { one: '' }, items: [{ two: '' }] }`],
    rejects: [`{ items: [{ one: '' }] }`, `{ item: { two: '' } }`],
  },
];

const open: readonly Row[] = [
  {
    feature: 'object alone',
    schema: { type: 'object' },
    type: '{ [key: string]: unknown }',
    accepts: ['{}', '{ a: 1, b: [{}] }'],
    rejects: [`''`, '1', 'null', '[]'],
  },
  {
    feature: 'nothing at all',
    schema: {},
    type: 'unknown',
    accepts: ['1', 'null', '{}', 'undefined'],
    rejects: [],
  },
  {
    feature: 'preserve-unknown alone',
    schema: preserve,
    type: 'unknown',
    accepts: ['1', '[]', '{}'],
    rejects: [],
  },
  {
    feature: 'preserve-unknown object',
    schema: { type: 'object', ...preserve },
    type: '{ [key: string]: unknown }',
    accepts: ['{}', '{ a: 1 }'],
    rejects: [`''`, 'null', '[]'],
  },
  {
    feature: 'preserve-unknown beside properties',
    schema: {
      type: 'object',
      ...preserve,
      required: ['known'],
      properties: { known: count, deep: { type: 'object', properties: { a: text } } },
    },
    accepts: ['{ known: 1 }', `{ known: 1, other: '', deep: { a: '' } }`],
    rejects: [
      '{}',
      `{ known: '' }`,
      `{ other: 1 }`,
      '{ known: 1, deep: { a: 1 } }',
      '{ known: 1, deep: { b: 1 } }',
    ],
  },
  {
    feature: 'preserve-unknown beside additionalProperties',
    schema: { type: 'object', ...preserve, additionalProperties: { type: 'string' } },
    type: '{ [key: string]: string }',
    accepts: [`{ a: '' }`],
    rejects: ['{ a: 1 }'],
  },
  {
    feature: 'preserve-unknown on a list',
    schema: { type: 'array', ...preserve },
    type: 'unknown[]',
    accepts: ['[]', `[1, '']`],
    rejects: ['{}', '1'],
  },
  {
    feature: 'preserve-unknown on a list of objects',
    schema: { type: 'array', ...preserve, items: { type: 'object', ...preserve } },
    type: '{ [key: string]: unknown }[]',
    accepts: ['[]', '[{ a: 1 }]'],
    rejects: ['[1]'],
  },
  {
    feature: 'preserve-unknown in the values of a map',
    schema: { type: 'object', additionalProperties: preserve },
    type: '{ [key: string]: unknown }',
    accepts: ['{ a: 1 }'],
    rejects: ['1', '[]'],
  },
  {
    feature: 'additionalProperties true',
    schema: { type: 'object', additionalProperties: true },
    type: '{ [key: string]: unknown }',
    accepts: ['{ a: 1 }'],
    rejects: ['[]', `''`],
  },
  {
    feature: 'additionalProperties {}',
    schema: { type: 'object', additionalProperties: {} },
    type: '{ [key: string]: unknown }',
    accepts: ['{ a: 1 }'],
    rejects: ['[]'],
  },
  {
    feature: 'additionalProperties false beside properties',
    schema: { type: 'object', additionalProperties: false, properties: { a: text } },
    accepts: ['{}', `{ a: '' }`],
    rejects: ['{ b: 1 }'],
  },
  {
    feature: 'additionalProperties false alone',
    schema: { type: 'object', additionalProperties: false },
    accepts: ['{}'],
    rejects: ['{ b: 1 }'],
  },
  {
    feature: 'properties beside additionalProperties of another type',
    schema: {
      type: 'object',
      required: ['known'],
      properties: { known: count },
      additionalProperties: { type: 'string' },
    },
    accepts: ['{ known: 1 }', `{ known: 1, other: '' }`],
    rejects: ['{}', `{ known: '' }`, '{ known: 1, other: true }'],
  },
  {
    feature: 'additionalProperties without a type of the object',
    schema: { additionalProperties: { type: 'string' } },
    type: '{ [key: string]: string }',
    accepts: [`{ a: '' }`],
    rejects: ['{ a: 1 }'],
  },
  {
    feature: 'patternProperties',
    schema: { type: 'object', patternProperties: { '^x-': { type: 'string' } } },
    accepts: [`{ 'x-a': '' }`],
    rejects: ['1', '[]'],
  },
  {
    feature: 'a recursion that was cut off',
    schema: {
      type: 'object',
      properties: {
        and: {
          type: 'array',
          items: { type: 'object', properties: { and: { type: 'array', items: preserve } } },
        },
      },
    },
    accepts: ['{ and: [{ and: [1, {}] }] }'],
    rejects: ['{ and: [1] }'],
  },
];

const maps: readonly Row[] = [
  {
    feature: 'map of texts',
    schema: {
      type: 'object',
      additionalProperties: text,
      minProperties: 1,
      'x-kubernetes-map-type': 'atomic',
    },
    type: '{ [key: string]: string }',
    accepts: ['{}', `{ a: '' }`],
    rejects: ['{ a: 1 }', '{ a: undefined }', '[]'],
  },
  {
    feature: 'map of lists of texts',
    schema: { type: 'object', additionalProperties: { type: 'array', items: text } },
    type: '{ [key: string]: string[] }',
    accepts: [`{ a: [''] }`],
    rejects: [`{ a: '' }`, '{ a: [1] }'],
  },
  {
    feature: 'map of maps of numbers',
    schema: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: { type: 'number' } },
    },
    type: '{ [key: string]: { [key: string]: number } }',
    accepts: ['{ a: { b: 1 } }'],
    rejects: ['{ a: 1 }', `{ a: { b: '' } }`],
  },
  {
    feature: 'map of objects',
    schema: {
      type: 'object',
      additionalProperties: { type: 'object', required: ['w'], properties: { w: count } },
    },
    accepts: ['{}', '{ a: { w: 1 } }'],
    rejects: ['{ a: {} }', '{ a: { w: 1, x: 1 } }'],
  },
  {
    feature: 'map of free-form objects',
    schema: { type: 'object', additionalProperties: { type: 'object' } },
    type: '{ [key: string]: { [key: string]: unknown } }',
    accepts: ['{ a: {} }', '{ a: { b: 1 } }'],
    rejects: ['{ a: 1 }'],
  },
];

const wholes: readonly Row[] = [
  {
    feature: 'embedded resource of any kind',
    schema: { type: 'object', ...embedded, ...preserve },
    accepts: [
      `{ apiVersion: 'v1', kind: 'Pod' }`,
      `{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: {} }`,
    ],
    rejects: ['{}', `{ kind: 'Pod' }`, `{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 1 } }`],
  },
  {
    feature: 'embedded resource with properties',
    schema: {
      type: 'object',
      ...embedded,
      required: ['spec'],
      properties: { spec: { type: 'object', properties: { image: text } } },
    },
    accepts: [
      `{ apiVersion: 'v1', kind: 'Pod', spec: { image: '' } }`,
      `{ apiVersion: 'v1', kind: 'Pod', metadata: { labels: {} }, spec: {} }`,
    ],
    rejects: [
      `{ apiVersion: 'v1', kind: 'Pod' }`,
      `{ spec: {} }`,
      `{ apiVersion: 'v1', kind: 'Pod', spec: { image: 1 } }`,
      `{ apiVersion: 'v1', kind: 'Pod', spec: {}, other: 1 }`,
    ],
  },
  {
    feature: 'embedded resource with an apiVersion and kind of its own',
    schema: {
      type: 'object',
      ...embedded,
      ...preserve,
      properties: { apiVersion: { type: 'string', enum: ['v1'] }, kind: { type: 'string', enum: ['Pod'] } },
    },
    accepts: [`{ apiVersion: 'v1', kind: 'Pod', spec: 1 }`],
    rejects: [`{ apiVersion: 'v2', kind: 'Pod' }`, `{ apiVersion: 'v1' }`],
  },
  {
    feature: 'a part of ObjectMeta, as an object of its own',
    schema: {
      type: 'object',
      properties: { name: text, labels: { type: 'object', additionalProperties: text } },
    },
    accepts: ['{}', `{ name: 'a', labels: { b: 'c' } }`],
    rejects: ['{ uid: 1 }', '{ labels: { b: 1 } }'],
  },
];

export const objects: readonly Row[] = [...properties, ...open, ...maps, ...wholes];
