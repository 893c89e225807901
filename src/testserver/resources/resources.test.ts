import { fieldMessage } from '@kgen/runtime/objects';
import { definitionErrors } from '@kgen/schema/definitions/definition';
import { compareVersions } from '@kgen/schema/definitions/version-order';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../schema/values/json.ts';
import { typesOf } from './definitions/definition.ts';
import { validateStructure } from './definitions/structure.ts';
import { coerceMetadata, validateMetadata, validateMetadataUpdate } from './metadata.ts';

test('sorts versions in the order of Kubernetes', () => {
  const versions = ['v1alpha1', 'foo', 'v2', 'v1beta1', 'v10', 'v1', 'v1beta2', 'bar'];
  expect(versions.sort(compareVersions)).toEqual([
    'v10',
    'v2',
    'v1',
    'v1beta2',
    'v1beta1',
    'v1alpha1',
    'bar',
    'foo',
  ]);
});

describe('coerceMetadata', () => {
  test('keeps known fields that have a value', () => {
    const given = { name: 'a', labels: {}, uid: '', finalizers: null, bogus: 1 };
    expect(coerceMetadata(given, 'Foo')).toEqual({ metadata: { name: 'a' }, unknown: ['metadata.bogus'] });
  });

  test.each<[Json, string]>([
    [{ labels: { a: 1 } }, 'cannot unmarshal number into Go struct field ObjectMeta.labels of type string'],
    [
      { finalizers: [true] },
      'cannot unmarshal bool into Go struct field ObjectMeta.finalizers of type string',
    ],
    [{ generation: 'x' }, 'cannot unmarshal string into Go struct field ObjectMeta.generation of type int64'],
    ['x', 'cannot unmarshal string'],
  ])('rejects %j', (given, message) => {
    expect(() => coerceMetadata(given, 'Foo in version "v1"')).toThrow(message);
  });
});

describe('metadata', () => {
  test.each<[JsonObject, readonly string[]]>([
    [{ name: 'a', namespace: 'n' }, []],
    [{ namespace: 'n' }, ['metadata.name']],
    [{ name: 'A', namespace: 'n' }, ['metadata.name']],
    [{ name: 'a' }, ['metadata.namespace']],
    [{ name: 'a', namespace: 'n', labels: { 'a b': 'c' } }, ['metadata.labels']],
    [{ name: 'a', namespace: 'n', finalizers: ['orphan', 'foregroundDeletion'] }, ['metadata.finalizers']],
    [
      { name: 'a', namespace: 'n', ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'x' }] },
      ['metadata.ownerReferences.uid'],
    ],
  ])('%j', (metadata, want) => {
    expect(validateMetadata({ metadata }, true, 'subdomain').map((error) => error.field)).toEqual(want);
  });

  test('rejects new finalizers of an object that is being deleted', () => {
    const old = { metadata: { name: 'a', deletionTimestamp: 't', finalizers: ['x.y/a'] } };
    const next = { metadata: { ...old.metadata, finalizers: ['x.y/a', 'x.y/b'] } };
    expect(validateMetadataUpdate(next, old).map(fieldMessage)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.y/b"}',
    ]);
    expect(validateMetadataUpdate({ metadata: { ...old.metadata, finalizers: [] } }, old)).toEqual([]);
  });
});

const version = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
});

const definition = (versions: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  metadata: { name: 'foos.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'foos', singular: 'foo', kind: 'Foo', listKind: 'FooList' },
    conversion: { strategy: 'None' },
    versions,
    ...more,
  },
});

describe('definitions', () => {
  test('defines types of served versions, and deprecated ones name the replacement', () => {
    const types = typesOf(
      definition([
        version('v1', { storage: true }),
        version('v1beta1', { deprecated: true }),
        version('v0', { served: false }),
      ]),
    );
    expect(
      types.map(({ apiVersion, storageApiVersion, deprecation }) => [
        apiVersion,
        storageApiVersion,
        deprecation,
      ]),
    ).toEqual([
      ['example.com/v1', 'example.com/v1', undefined],
      [
        'example.com/v1beta1',
        'example.com/v1',
        'example.com/v1beta1 Foo is deprecated; use example.com/v1 Foo',
      ],
    ]);
  });

  const schema = (openAPIV3Schema: JsonObject): JsonObject =>
    definition([version('v1', { storage: true, schema: { openAPIV3Schema } })]);

  test.each<[JsonObject, readonly string[]]>([
    [definition([version('v1', { storage: true })]), []],
    [definition([version('v1')]), ['spec.versions']],
    [definition([version('v1', { storage: true }), version('v1')]), ['spec.versions']],
    [definition([version('v1', { storage: true })], { scope: 'Galaxy' }), ['spec.scope']],
    [definition([version('v1', { storage: true })], { group: 'nodots' }), ['metadata.name', 'spec.group']],
    [definition([version('v1', { storage: true, schema: {} })]), ['spec.versions[0].schema.openAPIV3Schema']],
    [
      schema({ type: 'object', properties: { a: {} } }),
      ['spec.validation.openAPIV3Schema.properties[a].type'],
    ],
    [
      schema({ type: 'object', properties: { a: { type: 'array' } } }),
      ['spec.validation.openAPIV3Schema.properties[a].items'],
    ],
    [
      schema({ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }),
      ['spec.validation.openAPIV3Schema.properties[a].pattern'],
    ],
    [schema({ type: 'object', $ref: '#/x' }), ['spec.validation.openAPIV3Schema.$ref']],
  ])('%j', (value, want) => {
    expect(definitionErrors(value, undefined, validateStructure).map((error) => error.field)).toEqual(want);
  });
});
