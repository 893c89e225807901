import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../input/crd/crd-input.ts';
import { EqualValues } from '../input/reading/equal-values.ts';
import { buildModel } from './build.ts';
import { crdOf } from './model.fixture.ts';

const string: JsonObject = { type: 'string' };
const leaf: JsonObject = { type: 'object', description: 'A leaf.', properties: { key: string } };
const node: JsonObject = {
  type: 'object',
  required: ['ports'],
  properties: {
    leaf,
    ports: { type: 'array', items: { type: 'object', properties: { port: string, leaf } } },
    addresses: { type: 'object', additionalProperties: leaf },
    policies: { type: 'array', items: { type: 'array', items: { type: 'object', properties: { leaf } } } },
    either: { anyOf: [leaf, string] },
    closed: {
      type: 'object',
      properties: { leaf },
      additionalProperties: { type: 'object', properties: { leaf } },
    },
  },
};

/** Schemas of `spec`, in which parts occur more than once. */
const cases: Readonly<Record<string, JsonObject>> = {
  'properties, items and values': {
    type: 'object',
    properties: {
      one: node,
      twos: { type: 'array', items: node },
      threes: { type: 'object', additionalProperties: node },
      four: { type: 'object', properties: { one: node, leaf } },
    },
  },
  'an item with the name of its list': {
    type: 'object',
    properties: { nodes: { type: 'array', items: node }, node, pods: { type: 'array', items: node } },
  },
  'names without letters': {
    type: 'object',
    properties: {
      a: { type: 'object', properties: { '1': leaf, '+': leaf } },
      b: { type: 'object', properties: { '1': leaf, '+': leaf } },
    },
  },
  'names that clash': {
    type: 'object',
    properties: {
      a: { type: 'object', properties: { b: node } },
      aB: { type: 'object', properties: { b: node } },
      'a-b': { type: 'object', properties: { b: { ...node, description: 'Other.' } } },
    },
  },
  'descriptions of values': {
    type: 'object',
    properties: {
      a: { type: 'array', items: leaf },
      b: { type: 'array', items: { ...leaf, description: 'Another leaf.' } },
      c: { type: 'array', items: leaf },
      d: leaf,
    },
  },
  'values limited from outside': {
    type: 'object',
    properties: {
      a: { type: 'object', properties: { mode: string } },
      b: { type: 'object', properties: { mode: string } },
    },
    anyOf: [{ properties: { b: { properties: { mode: { enum: ['x'] } } } } }],
  },
  'the same mistake': {
    type: 'object',
    properties: {
      a: { type: 'object', properties: { x: { type: 'strin' }, leaf } },
      b: { type: 'object', properties: { x: { type: 'strin' }, leaf } },
    },
  },
  'exclusive members': {
    type: 'object',
    properties: { a: { ...node, maxProperties: 1 }, b: { ...node, maxProperties: 1 } },
  },
};

describe('parts that are one object result in the same model as equal ones', () => {
  const crdsOf = (spec: JsonObject) =>
    ['Foo', 'Bar'].map((kind) => {
      const schema = structuredClone({ type: 'object', properties: { spec, status: spec } });
      return crdOf({ kind, schema: JSON.parse(JSON.stringify(schema)) });
    });

  test.each(Object.entries(cases))('%s', (_, spec) => {
    const [plain, shared] = [crdsOf(spec), crdsOf(spec)];
    const values = new EqualValues();
    for (const { input } of shared) values.share(input.value);
    expect(shared[0]?.versions[0]?.schema?.['properties']).not.toBe(undefined);
    for (const exclusive of [false, true]) {
      const summary = (crds: typeof plain) => {
        const { model, problems } = buildModel({ crds }, { exclusive });
        return { model, problems };
      };
      expect(summary(shared)).toEqual(summary(plain));
    }
  });
});
