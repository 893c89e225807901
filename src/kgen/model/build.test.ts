import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../input/crd/crd-input.ts';
import { buildModel, type ModelOptions } from './build.ts';
import {
  built,
  crdOf,
  definitionOf,
  membersText,
  namedTypes,
  propertyOf,
  rulesText,
  typeOf,
  versionOf,
} from './model.fixture.ts';

const string = { type: 'string' };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const preserve = { 'x-kubernetes-preserve-unknown-fields': true };

/** Returns the type of a kind with its members. */
function kindText(schema: JsonObject | undefined, scope: 'Namespaced' | 'Cluster' = 'Namespaced'): string {
  const { groupVersion } = built([crdOf(schema === undefined ? { scope } : { schema, scope })]);
  return membersText(typeOf(groupVersion, 'Foo'), namedTypes(groupVersion));
}

const head = 'apiVersion?: "example.com/v1"; kind?: "Foo"; metadata?: ObjectMeta';

describe('types of kinds', () => {
  test.each<{ title: string; schema: JsonObject | undefined; want: string }>([
    { title: '44 no schema', schema: undefined, want: `{ ${head}; [*]: unknown(untyped) }` },
    {
      title: '44 object with preserve-unknown',
      schema: { type: 'object', ...preserve },
      want: `{ ${head}; [*]: unknown(preserve-unknown) }`,
    },
    {
      title: '44 preserve-unknown without a type',
      schema: { ...preserve },
      want: `{ ${head}; [*]: unknown(preserve-unknown) }`,
    },
    { title: '44 object alone', schema: { type: 'object' }, want: `{ ${head}; [*]: unknown(free-form) }` },
    { title: '44 without spec', schema: object({ data: string }), want: `{ ${head}; data?: string }` },
    {
      title: '58 preserve-unknown at root beside properties',
      schema: object({ spec: string }, preserve),
      want: `{ ${head}; spec?: string; [*]: unknown(preserve-unknown) }`,
    },
    {
      title: 'spec is required if the schema requires it',
      schema: object({ spec: string }, { required: ['spec', 'metadata', 'kind'] }),
      want: `{ ${head.replace('metadata?', 'metadata')}; spec: string }`,
    },
    {
      title: 'status that is not a subresource is required if the schema requires it',
      schema: object({ status: string }, { required: ['status'] }),
      want: `{ ${head}; status: string }`,
    },
    {
      title: '56 apiVersion and kind are literals',
      schema: object({ kind: string, apiVersion: string, spec: string }),
      want: `{ ${head}; spec?: string }`,
    },
    {
      title: '55 metadata is ObjectMeta',
      schema: object({ metadata: { type: 'object' } }),
      want: `{ ${head}; [*]: unknown(free-form) }`,
    },
    {
      title: 'members of allOf at root',
      schema: { allOf: [object({ spec: string }, { required: ['spec'] })] },
      want: `{ ${head}; spec: string }`,
    },
    {
      title: 'additionalProperties at root',
      schema: { type: 'object', additionalProperties: string },
      want: `{ ${head}; [*]: string }`,
    },
    {
      title: 'properties in a fixed place, others sorted',
      schema: object({ z: string, metadata: {}, a: string }),
      want: `{ ${head}; a?: string; z?: string }`,
    },
  ])('$title', ({ schema, want }) => {
    expect(kindText(schema)).toBe(want);
  });

  test('53: have no namespace if they are cluster-scoped', () => {
    expect(kindText(object({}), 'Cluster')).toContain('metadata?: ClusterMeta');
  });

  test('55: document the metadata rules of the schema', () => {
    const metadata = object(
      { name: { ...string, maxLength: 3, description: 'x' } },
      { description: 'Short.' },
    );
    const { groupVersion } = built([crdOf({ schema: object({ metadata }) })]);
    const { facts } = propertyOf(typeOf(groupVersion, 'Foo'), 'metadata').schema;
    expect(facts.description).toBeUndefined();
    expect(rulesText(facts)).toEqual(['properties {"name":{"maxLength":3,"type":"string"}}']);
  });

  test('have the members of every list in list types', () => {
    const { groupVersion } = built([crdOf({ listKind: 'Foos' })]);
    const list = typeOf(groupVersion, 'Foos');
    expect(list).toMatchObject({ role: 'list', path: 'Foos' });
    expect(list.properties.map(({ name, optional, schema }) => [name, optional, schema.shape])).toEqual([
      ['apiVersion', true, 'constant'],
      ['kind', true, 'constant'],
      ['metadata', false, 'runtime'],
      ['items', false, 'array'],
    ]);
  });
});

describe('versions', () => {
  const schema = (text: string): JsonObject => ({
    schema: { openAPIV3Schema: object({ spec: object({ [text]: string }) }) },
  });
  const crd = crdOf({
    versions: [
      versionOf('v2', schema('two')),
      versionOf('v1', { ...schema('one'), deprecated: true, deprecationWarning: 'use v2' }),
      versionOf('v1beta1', { ...schema('beta'), deprecated: true }),
      versionOf('v1alpha1', { ...schema('alpha'), served: false }),
    ],
  });

  test('45: are included if served, sorted, with equal names', () => {
    const { model } = buildModel({ crds: [crd] });
    expect(
      model.groupVersions.map(({ accessor, types }) => [accessor, types.map(({ name }) => name)]),
    ).toEqual([
      ['exampleV1', ['Foo', 'FooList', 'FooSpec']],
      ['exampleV1beta1', ['Foo', 'FooList', 'FooSpec']],
      ['exampleV2', ['Foo', 'FooList', 'FooSpec']],
    ]);
  });

  test('45: are deprecated, with the warning or without', () => {
    const { model } = buildModel({ crds: [crd] });
    expect(model.groupVersions.map(({ resources }) => resources[0]?.deprecated)).toEqual([
      'use v2',
      '',
      undefined,
    ]);
  });

  test('cause a warning if none is served', () => {
    const { model, problems } = buildModel({
      crds: [crdOf({ versions: [versionOf('v1', { served: false })] })],
    });
    expect(model.groupVersions).toEqual([]);
    expect(problems).toMatchObject([
      { severity: 'warning', what: expect.stringContaining('foos.example.com') },
    ]);
  });

  test('43: are read from a v1beta1 CRD with one schema for all versions', () => {
    const definition = definitionOf({
      apiVersion: 'apiextensions.k8s.io/v1beta1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'foos.example.com' },
      spec: {
        group: 'example.com',
        names: { kind: 'Foo', plural: 'foos' },
        scope: 'Namespaced',
        subresources: { status: {} },
        validation: { openAPIV3Schema: object({ spec: object({ a: string }) }) },
        versions: [versionOf('v1'), versionOf('v2')],
      },
    });
    const { model } = buildModel({ crds: [definition] });
    const specs = model.groupVersions.map((each) => membersText(typeOf(each, 'FooSpec'), namedTypes(each)));
    expect(specs).toEqual(['{ a?: string }', '{ a?: string }']);
    expect(model.groupVersions.map(({ resources }) => resources[0]?.subresources.length)).toEqual([1, 1]);
  });
});

describe('resources', () => {
  test('54: have subresources, selectable fields, columns, verbs', () => {
    const version = versionOf('v1', {
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      selectableFields: [{ jsonPath: '.spec.color' }],
      additionalPrinterColumns: [
        {
          name: 'Age',
          type: 'date',
          jsonPath: '.metadata.creationTimestamp',
          priority: 1,
          description: 'How long it is there.',
        },
      ],
    });
    expect(built([crdOf({ versions: [version] })]).groupVersion.resources[0]).toMatchObject({
      kind: 'Foo',
      listKind: 'FooList',
      plural: 'foos',
      singular: 'foo',
      scope: 'Namespaced',
      builtIn: false,
      verbs: ['create', 'get', 'list', 'watch', 'update', 'patch', 'delete', 'deletecollection'],
      subresources: [
        { name: 'scale', verbs: ['get', 'update', 'patch'], body: { is: 'scale' } },
        { name: 'status', verbs: ['get', 'update', 'patch'], body: { is: 'self' } },
      ],
      selectableFields: ['spec.color'],
      printerColumns: [{ name: 'Age', type: 'date', description: 'How long it is there.' }],
    });
  });

  test('of several CRDs of one group version name their definitions', () => {
    const { groupVersion } = built([
      crdOf({ kind: 'Zoo', file: 'z.yaml' }),
      crdOf({ kind: 'Bar', file: 'b.yaml' }),
      crdOf({ kind: 'Car', file: 'b.yaml' }),
    ]);
    expect(groupVersion.resources.map(({ plural }) => plural)).toEqual(['bars', 'cars', 'zoos']);
    expect(groupVersion.crds).toEqual(['bars.example.com', 'cars.example.com', 'zoos.example.com']);
  });

  test('never require a status that is a subresource', () => {
    const schema = object({ status: string }, { required: ['status'] });
    const version = versionOf('v1', { subresources: { status: {} }, schema: { openAPIV3Schema: schema } });
    const { groupVersion } = built([crdOf({ versions: [version] })]);
    expect(propertyOf(typeOf(groupVersion, 'Foo'), 'status').optional).toBe(true);
  });

  test('52: allow the same kind in two groups', () => {
    const { model, accessors } = buildModel({ crds: [crdOf({ group: 'a.x' }), crdOf({ group: 'a.y' })] });
    expect(model.groupVersions.map(({ accessor }) => accessor)).toEqual(['aXV1', 'aYV1']);
    expect(accessors).toEqual({ 'a.x': 'aX', 'a.y': 'aY' });
  });
});

describe('options', () => {
  const crds = [crdOf({ kind: 'Foo' }), crdOf({ kind: 'Bar' }), crdOf({ group: 'other.io', kind: 'Foo' })];
  const pathsOf = (options: ModelOptions): readonly string[] =>
    buildModel({ crds }, options).model.groupVersions.flatMap(({ group, resources }) =>
      resources.map(({ kind }) => `${group}/${kind}`),
    );

  test.each([
    { options: {}, want: ['example.com/Bar', 'example.com/Foo', 'other.io/Foo'] },
    { options: { include: ['example.com'] }, want: ['example.com/Bar', 'example.com/Foo'] },
    { options: { include: ['*/*/Foo'], exclude: ['other.*'] }, want: ['example.com/Foo'] },
    { options: { include: ['a/b/c/d'] }, want: [] },
  ])('$options', ({ options, want }) => {
    expect(pathsOf(options)).toEqual(want);
  });

  test.each([
    {
      title: 'a pattern that is none',
      options: { include: ['a/b/c/d'] },
      want: [['error', '--include "a/b/c/d"']],
    },
    {
      title: 'an alias that is not a name',
      options: { groupAliases: new Map([['other.io', 'a b']]) },
      want: [['error', '--group-alias "other.io=a b"']],
    },
    {
      title: 'an alias that is taken',
      options: {
        groupAliases: new Map([
          ['other.io', 'x'],
          ['example.com', 'x'],
        ]),
      },
      want: [['error', '--group-alias "example.com=x"']],
    },
  ])('reports a problem: $title', ({ options, want }) => {
    const { problems } = buildModel({ crds }, options);
    expect(problems.map(({ severity, what }) => [severity, what])).toEqual(
      want.map(([severity, text]) => [severity, expect.stringContaining(text ?? '')]),
    );
  });

  test('keep recorded names and record them again', () => {
    const recorded = new Map([
      ['other.io', 'old'],
      ['gone.io', 'gone'],
    ]);
    expect(buildModel({ crds }, { recorded }).accessors).toEqual({
      'example.com': 'example',
      'other.io': 'old',
    });
  });

  test('record a pinned name', () => {
    expect(buildModel({ crds }, { groupAliases: new Map([['other.io', 'mine']]) }).accessors).toMatchObject({
      'other.io': 'mine',
    });
  });
});
