import type { Row } from './row.ts';

const text = { type: 'string' };
const named = { type: 'object', required: ['name'], properties: { name: text, size: { type: 'integer' } } };
const listMap = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };

export const lists: readonly Row[] = [
  {
    feature: 'list of texts; its bounds make no tuple',
    schema: { type: 'array', items: text, minItems: 2, maxItems: 2, uniqueItems: true },
    type: 'string[]',
    accepts: ['[]', `['a']`, `['a', 'b', 'c']`],
    rejects: [`'a'`, '[1]', '[undefined]', '{}'],
  },
  {
    feature: 'list without items',
    schema: { type: 'array' },
    type: 'unknown[]',
    accepts: ['[]', '[1]'],
    rejects: ['{}', '1'],
  },
  {
    feature: 'items without a type of the list',
    schema: { items: text },
    type: 'string[]',
    accepts: [`['a']`],
    rejects: [`'a'`, '[1]'],
  },
  {
    feature: 'items without a type of their own',
    schema: { type: 'array', items: {} },
    type: 'unknown[]',
    accepts: ['[1]'],
    rejects: ['1'],
  },
  {
    feature: 'list of lists',
    schema: { type: 'array', items: { type: 'array', items: { type: 'string', enum: ['x', 'o'] } } },
    type: `('x' | 'o')[][]`,
    accepts: ['[[]]', `[['x']]`],
    rejects: [`['x']`, `[['y']]`],
  },
  {
    feature: 'list of maps',
    schema: { type: 'array', items: { type: 'object', additionalProperties: text } },
    type: '{ [key: string]: string }[]',
    accepts: [`[{ a: '' }]`],
    rejects: ['[{ a: 1 }]', '{}'],
  },
  {
    feature: 'list of objects, atomic',
    schema: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: named },
    accepts: ['[]', `[{ name: 'a' }]`],
    rejects: ['[{}]', `[{ name: 'a', other: 1 }]`, `{ name: 'a' }`],
  },
  {
    feature: 'set',
    schema: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    type: 'string[]',
    accepts: ['[]', `['a', 'a']`],
    rejects: ['new Set()', '[1]'],
  },
  {
    feature: 'list with keys is an array to all uses',
    schema: { type: 'array', ...listMap, items: named },
    accepts: [
      '[]',
      `[{ name: 'a' }]`,
      `[{ name: 'a', size: 1 }].filter(Boolean)`,
      `Array.from([{ name: 'a' }])`,
    ],
    rejects: [
      '[{}]',
      `[{ size: 1 }]`,
      `{ name: 'a' }`,
      `new Map([['a', { name: 'a' }]])`,
      `[{ name: 'a', other: 1 }]`,
    ],
  },
  {
    feature: 'list with a key that has a default',
    schema: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        required: ['port'],
        properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
      },
    },
    accepts: ['[{ port: 1 }]', `[{ port: 1, protocol: 'UDP' }]`],
    rejects: [`[{ protocol: 'UDP' }]`],
  },
  {
    feature: 'list with a key that its items do not have',
    schema: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['ghost'],
      items: named,
    },
    accepts: [`[{ name: 'a' }]`],
    rejects: [`[{ ghost: 'a' }]`],
  },
  {
    feature: 'list with a key whose name is not an identifier',
    schema: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ["k'e-y"],
      items: { type: 'object', required: ["k'e-y"], properties: { "k'e-y": text } },
    },
    accepts: [`[{ "k'e-y": 'a' }]`],
    rejects: ['[{}]'],
  },
  {
    feature: 'nullable list inside a nullable object inside a list',
    schema: {
      type: 'array',
      items: {
        type: 'object',
        nullable: true,
        properties: { a: { type: 'array', nullable: true, items: { type: 'number', nullable: true } } },
      },
    },
    accepts: ['[null, {}, { a: null }, { a: [null, 1] }]'],
    rejects: [`[{ a: '' }]`, '[{ b: 1 }]'],
  },
];
