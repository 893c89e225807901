import type { Row } from './row.ts';

const text = { type: 'string' };
const count = { type: 'integer' };
const fileAndUrl = { file: text, url: text };

export const unions: readonly Row[] = [
  {
    feature: 'oneOf of required does not hide the properties',
    schema: {
      type: 'object',
      properties: fileAndUrl,
      oneOf: [{ required: ['file'] }, { required: ['url'] }],
    },
    accepts: ['{}', `{ file: '' }`, `{ file: '', url: '' }`],
    rejects: ['{ file: 1 }', `{ other: '' }`],
  },
  {
    feature: 'anyOf of required with not',
    schema: {
      type: 'object',
      properties: fileAndUrl,
      anyOf: [{ not: { required: ['file'] } }, { required: ['url'] }],
    },
    accepts: ['{}', `{ url: '' }`],
    rejects: ['{ url: 1 }'],
  },
  {
    feature: 'oneOf of properties that the object has already',
    schema: {
      type: 'object',
      properties: fileAndUrl,
      oneOf: [{ properties: { file: { pattern: '^a' } } }, { properties: { url: { maxLength: 3 } } }],
    },
    accepts: [`{ file: '' }`],
    rejects: ['{ file: 1 }'],
  },
  {
    feature: 'properties that only members of oneOf have',
    schema: {
      type: 'object',
      properties: { a: text },
      oneOf: [{ properties: { b: count } }, { properties: { c: text } }],
    },
    accepts: [`{ a: '', b: 1 }`, `{ c: '' }`],
    rejects: [`{ b: '' }`, '{ d: 1 }'],
  },
  {
    feature: 'oneOf of types',
    schema: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    type: 'string | string[]',
    accepts: [`''`, `['']`],
    rejects: ['1', '[1]', 'null'],
  },
  {
    feature: 'anyOf of a type and null',
    schema: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    accepts: [`''`, 'null'],
    rejects: ['1'],
  },
  {
    feature: 'anyOf of two objects',
    schema: {
      anyOf: [
        { type: 'object', required: ['a'], properties: { a: text } },
        { type: 'object', required: ['b'], properties: { b: count } },
      ],
    },
    accepts: [`{ a: '' }`, '{ b: 1 }'],
    rejects: ['{}', '{ a: 1 }', `''`],
  },
  {
    feature: 'anyOf with a member without a type',
    schema: { anyOf: [{ type: 'string' }, {}] },
    type: 'unknown',
    accepts: [`''`, '1', '{}'],
    rejects: [],
  },
  {
    feature: 'list of types',
    schema: { type: ['string', 'boolean'] },
    type: 'string | boolean',
    accepts: [`''`, 'true'],
    rejects: ['1', 'null'],
  },
  {
    feature: 'list of types with null',
    schema: { type: ['string', 'null'] },
    type: 'string | null',
    accepts: [`''`, 'null'],
    rejects: ['1'],
  },
  {
    feature: 'allOf with the type',
    schema: { allOf: [{ type: 'string' }, { minLength: 1 }] },
    type: 'string',
    accepts: [`''`],
    rejects: ['1'],
  },
  {
    feature: 'allOf that adds properties',
    schema: {
      type: 'object',
      properties: { a: text },
      allOf: [{ required: ['b'], properties: { b: count } }],
    },
    accepts: ['{ b: 1 }', `{ a: '', b: 1 }`],
    rejects: ['{}', `{ b: '' }`],
  },
  {
    feature: 'an unknown type',
    schema: { type: 'thing' },
    type: 'unknown',
    accepts: ['1', '{}'],
    rejects: [],
  },
  {
    feature: 'a reference, which is not followed',
    schema: { $ref: '#/definitions/other' },
    type: 'unknown',
    accepts: ['1'],
    rejects: [],
  },
];
