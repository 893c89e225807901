import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../input/crd/crd-input.ts';
import type { ApiDefinition } from '../openapi/types.ts';
import { apiOf, definitionOf, fieldOf, fieldText, meta, modelOf, object, ref } from './api.fixture.ts';
import { buildModel } from './build.ts';
import { rulesText } from './model.fixture.ts';

const string = { type: 'string' };
const intOrString = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const jsonSchemas = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';
const either = { oneOf: [{ type: 'integer' }, string] };

interface Case {
  readonly title: string;
  readonly given: JsonObject;
  readonly definitions?: readonly ApiDefinition[];
  readonly required?: boolean;
  readonly want: string;
}

/** Cases of the schema conversion, numbered by topic. */
const cases: readonly Case[] = [
  {
    title: '1 a reference with siblings',
    given: ref('com.example.v1.Part', { description: 'Of the place.' }),
    definitions: [definitionOf('com.example.v1.Part', object({ a: string }))],
    want: 'field?: Part',
  },
  {
    title: '1 a reference that may be null',
    given: ref('com.example.v1.Part', { nullable: true }),
    definitions: [definitionOf('com.example.v1.Part', object({ a: string }))],
    want: 'field?: Part | null',
  },
  {
    title: '3 a default never makes a field optional',
    given: { ...string, default: 'x' },
    required: true,
    want: 'field: string',
  },
  {
    title: '4 references in lists and maps',
    given: {
      type: 'array',
      items: { type: 'object', additionalProperties: ref(`${meta}.Time`, { default: {} }) },
    },
    definitions: [definitionOf(`${meta}.Time`, { ...string, format: 'date-time' })],
    want: 'field?: [{ [*]: @Time }]',
  },
  { title: '5 enums are open', given: { ...string, enum: ['A', 'B'] }, want: 'field?: "A" | "B" | …' },
  {
    title: '5 enums of list items are open',
    given: { type: 'array', items: { ...string, enum: ['A'] } },
    want: 'field?: ["A" | …]',
  },
  {
    title: '6 int-or-string of v2',
    given: ref(intOrString),
    definitions: [definitionOf(intOrString, { ...string, format: 'int-or-string' })],
    want: 'field?: int-or-string',
  },
  {
    title: '6 int-or-string of v3',
    given: ref(intOrString),
    definitions: [definitionOf(intOrString, { ...either, format: 'int-or-string' })],
    want: 'field?: int-or-string',
  },
  {
    title: '6 int-or-string in place',
    given: { ...either, format: 'int-or-string' },
    want: 'field?: int-or-string',
  },
  {
    title: '7 quantity of v2',
    given: ref(quantity),
    definitions: [definitionOf(quantity, string)],
    want: 'field?: @Quantity',
  },
  {
    title: '7 quantity of v3',
    given: ref(quantity),
    definitions: [definitionOf(quantity, { oneOf: [string, { type: 'number' }] })],
    want: 'field?: @Quantity',
  },
  {
    title: '8 MicroTime is not Time',
    given: ref(`${meta}.MicroTime`),
    definitions: [definitionOf(`${meta}.MicroTime`, { ...string, format: 'date-time' })],
    want: 'field?: @MicroTime',
  },
  {
    title: '8 Duration',
    given: ref(`${meta}.Duration`),
    definitions: [definitionOf(`${meta}.Duration`, string)],
    want: 'field?: string',
  },
  {
    title: '9 any JSON',
    given: ref(`${jsonSchemas}.JSON`),
    definitions: [definitionOf(`${jsonSchemas}.JSON`, {})],
    want: 'field?: unknown(free-form)',
  },
  ...['OrBool', 'OrArray', 'OrStringArray'].map((suffix): Case => {
    const either: Readonly<Record<string, string>> = {
      OrBool: 'boolean',
      OrArray: '[definitions/S]',
      OrStringArray: '[string]',
    };
    const name = 'apiextensions.k8s.io/v1.JSONSchemaProps';
    return {
      title: `9 JSONSchemaProps${suffix}`,
      given: ref(`${jsonSchemas}.JSONSchemaProps${suffix}`),
      definitions: [
        definitionOf(`${jsonSchemas}.JSONSchemaProps${suffix}`, {}),
        definitionOf(`${jsonSchemas}.JSONSchemaProps`, object({ type: string })),
      ],
      want: `field?: ${name} | ${(either[suffix] ?? '').replace('definitions/S', name)}`,
    };
  }),
  ...['FieldsV1', 'Patch'].map((name) => ({
    title: `10 ${name} is free-form`,
    given: ref(`${meta}.${name}`),
    definitions: [definitionOf(`${meta}.${name}`, { type: 'object' })],
    want: 'field?: { [*]: unknown(free-form) }',
  })),
  {
    title: '10 RawExtension is free-form',
    given: ref('io.k8s.apimachinery.pkg.runtime.RawExtension'),
    definitions: [definitionOf('io.k8s.apimachinery.pkg.runtime.RawExtension', { type: 'object' })],
    want: 'field?: { [*]: unknown(free-form) }',
  },
  {
    title: '10 an object in place is free-form',
    given: { type: 'object' },
    want: 'field?: { [*]: unknown(free-form) }',
  },
  {
    title: '10 a definition without properties is an empty struct',
    given: ref('com.example.v1.Empty'),
    definitions: [definitionOf('com.example.v1.Empty', { type: 'object' })],
    want: 'field?: Empty',
  },
  {
    title: '36 a definition of another package',
    given: ref('com.other.v2.Part'),
    definitions: [definitionOf('com.other.v2.Part', object({ a: string }))],
    want: 'field?: definitions/com-other-v2.Part',
  },
  {
    title: '39 items that are no items',
    given: object({ items: { type: 'array', items: string } }),
    want: 'field?: ThingSpecField',
  },
  {
    title: '40 a redirect',
    given: ref('com.example.v1.Old'),
    definitions: [
      definitionOf('com.example.v1.Old', ref('com.example.v1.New', { description: 'Deprecated. Use New.' })),
      definitionOf('com.example.v1.New', object({ a: string })),
    ],
    want: 'field?: New',
  },
  {
    title: '41 lists are lists, whatever servers send',
    given: { type: 'array', items: string },
    required: true,
    want: 'field: [string]',
  },
  {
    title: 'a definition that is an enum',
    given: ref('com.example.v1.Phase'),
    definitions: [definitionOf('com.example.v1.Phase', { ...string, enum: ['A'] })],
    want: 'field?: "A" | …',
  },
  {
    title: 'a definition that is a list of another that is a map',
    given: ref('com.example.v1.All'),
    definitions: [
      definitionOf('com.example.v1.All', { type: 'array', items: ref('com.example.v1.Some') }),
      definitionOf('com.example.v1.Some', { type: 'object', additionalProperties: { type: 'integer' } }),
    ],
    want: 'field?: [{ [*]: integer }]',
  },
  {
    title: 'members of allOf are written out',
    given: { allOf: [ref('com.example.v1.Base'), object({ b: string })] },
    definitions: [definitionOf('com.example.v1.Base', object({ a: string }))],
    want: 'field?: ThingSpecField',
  },
  {
    title: 'a union of references',
    given: { oneOf: [ref('com.example.v1.Part'), string] },
    definitions: [definitionOf('com.example.v1.Part', object({ a: string }))],
    want: 'field?: Part | string',
  },
  {
    title: 'a list with a merge key and no type is a map',
    given: {
      type: 'array',
      items: ref('com.example.v1.Part'),
      'x-kubernetes-patch-merge-key': 'a',
      'x-kubernetes-patch-strategy': 'merge,retainKeys',
    },
    definitions: [definitionOf('com.example.v1.Part', object({ a: string }))],
    want: 'field?: map a [Part]',
  },
  {
    title: 'a list with a type has that type',
    given: {
      type: 'array',
      items: ref('com.example.v1.Part'),
      'x-kubernetes-list-type': 'atomic',
      'x-kubernetes-patch-merge-key': 'a',
      'x-kubernetes-patch-strategy': 'merge',
    },
    definitions: [definitionOf('com.example.v1.Part', object({ a: string }))],
    want: 'field?: [Part]',
  },
  {
    title: 'a list that is merged as a whole is none',
    given: { type: 'array', items: string, 'x-kubernetes-patch-strategy': 'merge' },
    want: 'field?: [string]',
  },
];

describe('fields of an API', () => {
  test.each(cases)('$title', ({ given, definitions, required, want }) => {
    expect(fieldText(given, definitions, required === true ? ['field'] : [])).toBe(want);
  });
});

describe('facts of fields', () => {
  const part = definitionOf('com.example.v1.Part', object({ a: string }, { description: 'Of the type.' }));

  test.each<{ title: string; given: JsonObject; want: JsonObject }>([
    {
      title: '1 the description is that of the place',
      given: ref('com.example.v1.Part', { description: 'Of the place.' }),
      want: { description: 'Of the place.' },
    },
    { title: '1 not that of the type', given: ref('com.example.v1.Part'), want: {} },
    { title: '3 no {}', given: ref('com.example.v1.Part', { default: {} }), want: {} },
    { title: "3 no ''", given: { ...string, default: '' }, want: {} },
    { title: '3 no 0', given: { type: 'integer', default: 0 }, want: {} },
    {
      title: '3 a default that is meaningful',
      given: { ...string, default: 'TCP' },
      want: { keywords: { default: 'TCP' } },
    },
    {
      title: 'immutable',
      given: { ...string, description: 'A name. Cannot be updated.' },
      want: { description: 'A name. Cannot be updated.', immutable: true },
    },
  ])('$title', ({ given, want }) => {
    expect(fieldOf(given, [part], ['field']).schema.facts).toEqual({ keywords: {}, ...want });
  });

  test('prefers facts of the reference to facts of the definition', () => {
    const { facts } = fieldOf(ref('com.example.v1.Id', { description: 'Own.' }), [
      definitionOf('com.example.v1.Id', { ...string, format: 'uuid', maxLength: 36, description: 'An id.' }),
    ]).schema;
    expect([facts.description, rulesText(facts)]).toEqual(['Own.', ['format "uuid"', 'maxLength 36']]);
  });

  test('have patch keys and unions as rules', () => {
    const { facts } = fieldOf({
      type: 'array',
      items: string,
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'a',
      'x-kubernetes-unions': [{ discriminator: 'type' }],
    }).schema;
    expect(rulesText(facts)).toEqual([
      'x-kubernetes-patch-merge-key "a"',
      'x-kubernetes-patch-strategy "merge"',
      'x-kubernetes-unions [{"discriminator":"type"}]',
    ]);
  });
});

describe('11: recursive definitions', () => {
  test('are objects', () => {
    const node = definitionOf(
      'com.example.v1.Node',
      object({ $ref: string, next: ref('com.example.v1.Node') }, { required: ['$ref'] }),
    );
    expect(fieldText(ref('com.example.v1.Node'), [node])).toBe('field?: Node');
  });

  test.each<{ title: string; definitions: readonly ApiDefinition[]; want: string }>([
    {
      title: 'as a reference to itself',
      definitions: [
        definitionOf('com.example.v1.A', ref('com.example.v1.B')),
        definitionOf('com.example.v1.B', ref('com.example.v1.A')),
      ],
      want: '"com.example.v1.User.a" holds "com.example.v1.A", which contains itself',
    },
    {
      title: 'as a list of itself',
      definitions: [definitionOf('com.example.v1.A', { type: 'array', items: ref('com.example.v1.A') })],
      want: '"com.example.v1.User.a[]" holds "com.example.v1.A", which contains itself',
    },
    {
      title: 'through allOf',
      definitions: [definitionOf('com.example.v1.A', { allOf: [ref('com.example.v1.A'), {}] })],
      want: '"com.example.v1.User.a" has an allOf that refers to itself',
    },
    {
      title: 'not, because they are missing',
      definitions: [],
      want: '"com.example.v1.User.a" refers to "com.example.v1.A", which the document does not define',
    },
  ])('$title', ({ definitions, want }) => {
    const user = definitionOf('com.example.v1.User', object({ a: ref('com.example.v1.A') }));
    const { problems } = buildModel({ crds: [], api: apiOf([user, ...definitions]) });
    expect(problems).toEqual([
      {
        severity: 'error',
        what: expect.stringContaining(want),
        where: { file: expect.stringContaining('api.json#com.example.v1.User/properties/a') },
      },
    ]);
  });
});

test('adds null to members of definitions of Kubernetes that servers write as null', () => {
  const part = object({ at: string, name: string, deep: object({ at: string }) }, { required: ['name'] });
  const api = apiOf([
    definitionOf('io.k8s.api.apps.v1.Part', part),
    definitionOf('io.k8s.api.core.v1.Part', part),
    definitionOf('com.example.v1.Part', part),
  ]);
  const calls: string[] = [];
  const { model } = buildModel({
    crds: [],
    api,
    mayBeNull: (message, member, isRequired) => {
      calls.push(`${message} ${member} ${isRequired}`);
      return message === 'apps/v1.Part' && member === 'at';
    },
  });
  const nullable = model.groupVersions.flatMap(({ apiVersion, types }) =>
    types.flatMap(({ name, properties }) =>
      properties.filter(({ schema }) => schema.nullable).map((each) => `${apiVersion} ${name}.${each.name}`),
    ),
  );
  expect(nullable).toEqual(['apps/v1 Part.at']);
  expect(calls).toContain('core/v1.Part name true');
  expect(calls.filter((call) => call.includes('example'))).toEqual([]);
});

test('keeps rules and description of a separate definition', () => {
  const schema = object(
    { a: string },
    { description: 'Deprecated: use B.', 'x-kubernetes-map-type': 'atomic' },
  );
  const [groupVersion] = modelOf(apiOf([definitionOf('com.example.A', schema)])).model.groupVersions;
  expect(groupVersion?.types[0]).toMatchObject({
    name: 'A',
    role: 'definition',
    path: 'com.example.A',
    facts: {
      description: 'Deprecated: use B.',
      deprecated: 'use B.',
      keywords: { 'x-kubernetes-map-type': 'atomic' },
    },
  });
});

test('cuts schemas whose size doubles with each definition', () => {
  const name = (index: number): string => `com.example.v1.D${index}`;
  const doubling = (make: (next: string) => JsonObject): readonly ApiDefinition[] => [
    ...Array.from({ length: 40 }, (_, index) => definitionOf(name(index), make(name(index + 1)))),
    definitionOf(name(40), { type: 'string' }),
  ];
  const user = definitionOf('com.example.v1.User', object({ a: ref(name(0)) }));
  const users = Array.from({ length: 3 }, (_, index) =>
    definitionOf(`com.example.v1.User${index}`, object({ a: ref(name(0)) })),
  );
  const reported = (definitions: readonly ApiDefinition[]): readonly string[] =>
    buildModel({ crds: [], api: apiOf([user, ...definitions]) }).problems.map(({ what }) => what);
  const both = reported(doubling((next) => ({ allOf: [ref(next), ref(next)] })));
  const either = reported(doubling((next) => ({ anyOf: [ref(next), ref(next)] })));
  expect(both).toEqual(expect.arrayContaining([expect.stringContaining('more than 1000 members')]));
  expect(either).toEqual([expect.stringContaining('more than 100000 nodes')]);
  const all = reported([...users, ...doubling((next) => ({ anyOf: [ref(next), ref(next)] }))]);
  expect(all).toEqual(
    expect.arrayContaining([expect.stringContaining('the API has more than 250000 nodes')]),
  );
});
