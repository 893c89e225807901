import { describe, expect, test } from 'vitest';
import type { CrdDefinition } from '../../input/crd/crd.ts';
import type { JsonObject } from '../../input/crd/crd-input.ts';
import { claim, content, described, operation, resourceIn, v2, v3, v3Home } from '../openapi.fixture.ts';

const metaName = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const meta = { description: 'The words of the server.', allOf: [{ $ref: `${v3Home}${metaName}` }] };
const identity = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: meta };
const plain = {
  requestBody: { content: { 'application/merge-patch+json': {}, 'application/apply-patch+yaml': {} } },
};

function paths(kind: string, name: string): JsonObject {
  const [, version = '', group = ''] = kind.split('/').reverse();
  const root = `/apis/${group}/${version}/namespaces/{namespace}/things`;
  return {
    [root]: { get: operation('list', kind, { responses: { 200: content(`${name}List`) } }) },
    [`${root}/{name}`]: {
      get: operation('get', kind, { responses: { 200: content(name) } }),
      patch: operation('patch', kind, plain),
    },
    [`${root}/{name}/status`]: { get: operation('get', kind) },
    [`${root}/{name}/scale`]: { get: operation('get', 'autoscaling/v1/Scale') },
  };
}

function published(version: string, schema: JsonObject): JsonObject {
  const name = `com.example.${version}.Thing`;
  return {
    [metaName]: { type: 'object' },
    [name]: { type: 'object', ...claim(`example.com/${version}/Thing`), ...schema },
    [`${name}List`]: {
      ...claim(`example.com/${version}/ThingCollection`),
      properties: { items: { type: 'array', items: { $ref: `${v3Home}${name}` } } },
    },
  };
}

function document(version: string, schema: JsonObject): ReturnType<typeof v3> {
  const name = `com.example.${version}.Thing`;
  return v3(published(version, schema), paths(`example.com/${version}/Thing`, name), `${version}.json`);
}

function schemasOf(crds: readonly CrdDefinition[]): readonly (JsonObject | undefined)[] {
  return crds.flatMap(({ versions }) => versions.map(({ schema }) => schema));
}

describe('a custom resource in published OpenAPI documents', () => {
  test('is converted to one CRD with all versions and removed from the API', () => {
    const schema = {
      properties: { ...identity, spec: { type: 'object' } },
      'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.a' }],
    };
    const result = described([document('v2', schema), document('v1', schema)]);
    expect(result.stated).toEqual([]);
    expect(result.api.groupVersions).toEqual([]);
    expect([...result.api.definitions.keys()]).toEqual([metaName]);
    expect(result.crds).toMatchObject([
      {
        name: 'things.example.com',
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Thing', listKind: 'ThingCollection', plural: 'things', singular: 'thing' },
        versions: [
          {
            name: 'v1',
            served: true,
            deprecated: false,
            selectableFields: ['.spec.a'],
            subresources: { status: true },
          },
          { name: 'v2', served: true },
        ],
      },
    ]);
    expect(result.crds[0]?.versions[0]?.subresources.scale).toBeDefined();
    expect(result.crds[0]?.input.position(['spec'])).toEqual({ file: 'v1.json' });
  });

  const embedded = 'x-kubernetes-embedded-resource';
  const cases: readonly { title: string; given: JsonObject; want: JsonObject }[] = [
    {
      title: 'metadata is plain again; demands on it stay',
      given: {
        required: ['metadata'],
        properties: { ...identity, spec: { type: 'string', nullable: true } },
      },
      want: {
        required: ['metadata'],
        properties: { ...identity, metadata: { type: 'object' }, spec: { type: 'string', nullable: true } },
      },
    },
    {
      title: 'a root with nothing of its own has no properties',
      given: { properties: identity, 'x-kubernetes-preserve-unknown-fields': true },
      want: { 'x-kubernetes-preserve-unknown-fields': true },
    },
    {
      title: 'embedded resources lose what the server gave them',
      given: {
        properties: {
          a: { type: 'object', [embedded]: true, properties: identity, required: ['kind', 'apiVersion'] },
          b: {
            [embedded]: true,
            properties: { ...identity, spec: {} },
            required: ['spec', 'kind', 'apiVersion'],
          },
          c: { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
        },
      },
      want: {
        properties: {
          a: { type: 'object', [embedded]: true },
          b: { [embedded]: true, properties: { spec: {} }, required: ['spec'] },
          c: { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
        },
      },
    },
  ];
  test.each(cases)('$title', ({ given, want }) => {
    const result = described([document('v1', given)]);
    expect(result.stated).toEqual([]);
    expect(schemasOf(result.crds)).toEqual([{ type: 'object', ...want }]);
  });

  test('is ignored if the input has its CRD', () => {
    const [crd] = described([document('v1', {})]).crds;
    const result = described([document('v1', {}), document('v2', {})], {
      crds: crd === undefined ? [] : [crd],
    });
    expect(result.crds).toEqual([crd]);
    expect(result.api.groupVersions).toEqual([]);
    expect([...result.api.definitions.keys()]).toEqual([metaName]);
  });

  test('is not recognized if its definition has parts', () => {
    const part = { 'com.example.v1.Part': { type: 'string' } };
    const schema = { properties: { ...identity, spec: { $ref: `${v3Home}com.example.v1.Part` } } };
    const name = 'com.example.v1.Thing';
    const result = described([
      v3({ ...published('v1', schema), ...part }, paths('example.com/v1/Thing', name)),
    ]);
    expect(result.crds).toEqual([]);
    expect(resourceIn(result, 'example.com/v1 things')).toMatchObject({
      strategicPatch: false,
      definition: name,
    });
  });

  test('A37: has fewer facts in version 2, noted once', () => {
    const name = 'com.example.v1.Thing';
    const root = '/apis/example.com/v1/things';
    const kind = 'example.com/v1/Thing';
    const documents = [
      v2(
        {
          [metaName]: {},
          [name]: {
            type: 'object',
            ...claim(kind),
            properties: { metadata: { $ref: `#/definitions/${metaName}` } },
          },
        },
        {
          [`${root}/{name}`]: {
            patch: operation('patch', kind, { consumes: ['application/merge-patch+json'] }),
            get: operation('get', kind),
          },
        },
      ),
    ];
    const result = described(documents);
    expect(described(documents, { isIncluded: ({ group }) => group !== 'example.com' }).stated).toEqual([]);
    expect(result.crds.map((crd) => crd.name)).toEqual(['things.example.com']);
    expect(result.stated).toEqual([
      expect.stringMatching(/^v2\.json: warning: an OpenAPI v2 document lacks .*"things\.example\.com"/),
    ]);
  });
});
