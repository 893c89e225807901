/**
 * Objects that protobuf cannot represent throw a TypeError with the path; nothing is dropped. Values that
 * JSON would accept with changes are written as Go writes them after reading that JSON.
 */
import { describe, expect, it } from 'vitest';
import { decode } from './codec.ts';
import type { JsonObject } from './expected.ts';
import { container, limited, metadata, pod, ported, schema, secretWith, write } from './invalid-objects.ts';

const second = 'spec.containers[1]';
const inSchema = 'spec.versions[0].schema.openAPIV3Schema';

/** Invalid members, and the path in the error. */
const cases: readonly { readonly name: string; readonly object: object; readonly path: string }[] = [
  { name: 'text: a number', object: container({ image: 7 }), path: `${second}.image` },
  { name: 'text: true', object: container({ image: true }), path: `${second}.image` },
  { name: 'text: an object', object: container({ image: {} }), path: `${second}.image` },
  { name: 'text: a list', object: container({ image: ['a'] }), path: `${second}.image` },
  { name: 'text: a String object', object: container({ image: Object('a') }), path: `${second}.image` },
  { name: 'text: a symbol', object: container({ image: Symbol('a') }), path: `${second}.image` },
  { name: 'text: a function', object: container({ image: () => 'a' }), path: `${second}.image` },
  { name: 'pointer to text: a number', object: pod({ runtimeClassName: 7 }), path: 'spec.runtimeClassName' },
  { name: 'truth: text', object: container({ stdin: 'true' }), path: `${second}.stdin` },
  { name: 'truth: 1', object: container({ stdin: 1 }), path: `${second}.stdin` },
  { name: 'int32: text', object: pod({ priority: '1' }), path: 'spec.priority' },
  { name: 'int32: a fraction', object: pod({ priority: 1.5 }), path: 'spec.priority' },
  { name: 'int32: not a number', object: pod({ priority: Number.NaN }), path: 'spec.priority' },
  { name: 'int32: too large', object: pod({ priority: 2 ** 31 }), path: 'spec.priority' },
  { name: 'int32: too small', object: pod({ priority: -(2 ** 31) - 1 }), path: 'spec.priority' },
  { name: 'int32: true', object: pod({ priority: true }), path: 'spec.priority' },
  { name: 'int32: a bigint', object: pod({ priority: 1n }), path: 'spec.priority' },
  { name: 'int64: a fraction', object: metadata({ generation: 0.5 }), path: 'metadata.generation' },
  { name: 'int64: infinite', object: metadata({ generation: 1 / 0 }), path: 'metadata.generation' },
  { name: 'int64: too large', object: metadata({ generation: 2 ** 63 + 2048 }), path: 'metadata.generation' },
  {
    name: 'int64: too small',
    object: metadata({ generation: -(2 ** 63) - 2048 }),
    path: 'metadata.generation',
  },
  { name: 'double: text', object: schema({ maximum: '1' }), path: `${inSchema}.maximum` },
  { name: 'double: infinite', object: schema({ maximum: 1 / 0 }), path: `${inSchema}.maximum` },
  { name: 'message: text', object: container({ resources: 'a' }), path: `${second}.resources` },
  { name: 'message: a list', object: container({ resources: [] }), path: `${second}.resources` },
  { name: 'message: a number', object: pod({ securityContext: 1 }), path: 'spec.securityContext' },
  { name: 'list: an object', object: container({ args: {} }), path: `${second}.args` },
  { name: 'list: text', object: container({ args: 'a' }), path: `${second}.args` },
  { name: 'list of text: a number in it', object: container({ args: ['a', 1] }), path: `${second}.args[1]` },
  { name: 'list of messages: text in it', object: container({ env: ['a'] }), path: `${second}.env[0]` },
  { name: 'list of messages: a list in it', object: container({ env: [[]] }), path: `${second}.env[0]` },
  { name: 'map: a list', object: metadata({ labels: ['a'] }), path: 'metadata.labels' },
  { name: 'map: text', object: metadata({ labels: 'a' }), path: 'metadata.labels' },
  { name: 'map of text: a number in it', object: metadata({ labels: { a: 1 } }), path: 'metadata.labels' },
  { name: 'bytes: not base64', object: secretWith('!!!'), path: 'data' },
  { name: 'bytes: base64 without its end', object: secretWith('YQ'), path: 'data' },
  { name: 'bytes: base64 of URLs', object: secretWith('_-8='), path: 'data' },
  { name: 'bytes: a number', object: secretWith(7), path: 'data' },
  {
    name: 'time: no time',
    object: metadata({ creationTimestamp: 'today' }),
    path: 'metadata.creationTimestamp',
  },
  {
    name: 'time: no such day',
    object: metadata({ creationTimestamp: '2024-02-30T00:00:00Z' }),
    path: 'metadata.creationTimestamp',
  },
  { name: 'time: a number', object: metadata({ creationTimestamp: 7 }), path: 'metadata.creationTimestamp' },
  {
    name: 'time: without a zone',
    object: metadata({ creationTimestamp: '2024-01-01T00:00:00' }),
    path: 'metadata.creationTimestamp',
  },
  { name: 'quantity: no number', object: limited('abc'), path: `${second}.resources.limits` },
  { name: 'quantity: nothing', object: limited(''), path: `${second}.resources.limits` },
  { name: 'quantity: a space', object: limited('1 Gi'), path: `${second}.resources.limits` },
  { name: 'quantity: true', object: limited(true), path: `${second}.resources.limits` },
  { name: 'number or text: true', object: ported(true), path: 'spec.ports[0].targetPort' },
  { name: 'number or text: a fraction', object: ported(1.5), path: 'spec.ports[0].targetPort' },
  { name: 'number or text: too large', object: ported(2 ** 31), path: 'spec.ports[0].targetPort' },
  { name: 'number or text: an object', object: ported({}), path: 'spec.ports[0].targetPort' },
  { name: 'a member that is unknown', object: pod({ imagee: 'a' }), path: 'spec.imagee' },
  { name: 'one in a list', object: container({ imagee: 'a' }), path: `${second}.imagee` },
  { name: 'one in metadata', object: metadata({ Name: 'a' }), path: 'metadata.Name' },
  { name: 'one at the top', object: { ...metadata({}), spec: {} }, path: 'spec' },
  { name: 'one called __proto__', object: pod(JSON.parse('{"__proto__":{"a":1}}')), path: 'spec.__proto__' },
  { name: 'one called constructor', object: pod({ constructor: 'a' }), path: 'spec.constructor' },
];

describe('objects that protobuf cannot represent', () => {
  it.each(cases)('$name', async ({ object, path }) => {
    const error = await write(object).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(path);
  });

  it.each([
    ['nothing', {}],
    ['no kind', { apiVersion: 'v1' }],
    ['no apiVersion', { kind: 'Pod' }],
    ['a kind that is a number', { apiVersion: 'v1', kind: 7 }],
    ['an unknown kind', { apiVersion: 'v1', kind: 'Pot' }],
    ['an unknown group', { apiVersion: 'a.example.com/v1', kind: 'Pod' }],
    ['a group called __proto__', { apiVersion: '__proto__', kind: 'Pod' }],
  ])('throws for a type that is %s', async (_name, object) => {
    await expect(write(object)).rejects.toThrow(TypeError);
  });

  it.each([
    ['null', null],
    ['text', 'a'],
    ['undefined', undefined],
    ['a list', []],
  ])('%s', async (_name, value) => {
    // seam: not an object
    await expect(write(value as unknown as object)).rejects.toThrow(TypeError);
  });
});

describe('cyclic objects', () => {
  it('are rejected as a message', async () => {
    const own: JsonObject = { type: 'object' };
    own['not'] = own;
    await expect(write(schema(own))).rejects.toThrow(TypeError);
  });

  it('are rejected within JSON', async () => {
    const own: JsonObject = {};
    own['again'] = own;
    await expect(write(schema({ default: own }))).rejects.toThrow(TypeError);
  });

  it('are rejected in a list', async () => {
    const own: unknown[] = [];
    own.push(own);
    await expect(write(container({ args: own }))).rejects.toThrow(TypeError);
  });
});

describe('strings', () => {
  it('are encoded at any length', async () => {
    const long = 'é'.repeat(10_000_000);
    const read = await decode(await write(metadata({ annotations: { long } })));
    expect(read.metadata?.annotations?.['long'] === long).toBe(true);
  });
});
