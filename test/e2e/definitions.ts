import { isBadRequest, isInvalid, RESTClient } from '@kgen/runtime';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { crd } from '../support/crd.ts';
import { apiErrorOf } from '../support/errors.ts';
import { established } from '../support/sample-definitions.ts';
import type { Env } from './env.ts';

/** Registers tests that an accepted definition is served under the names in its spec. */
export function definitionTests(env: Env): void {
  describe('installation', () => {
    it.each([
      { name: 'myapps.my.domain', plural: 'myapps', kind: 'MyApp', stored: ['v1'] },
      { name: 'foos.samplecontroller.c9g.io', plural: 'foos', kind: 'Foo', stored: ['v1alpha1'] },
      {
        name: 'redisclusters.cache.example.com',
        plural: 'redisclusters',
        kind: 'RedisCluster',
        stored: ['v1'],
      },
      { name: 'showcases.features.example.com', plural: 'showcases', kind: 'Showcase', stored: ['v2'] },
    ])('$name is established', async ({ name, plural, kind, stored }) => {
      const { status } = await established(env.clientset.rest, name);
      expect(status?.acceptedNames).toMatchObject({ plural, kind });
      expect(status?.storedVersions).toEqual(stored);
    });
  });

  it.each([
    { title: 'changes', method: 'patch', body: { spec: { names: { shortNames: ['wt'] } } } },
    { title: 'is deleted', method: 'delete', body: {} },
  ] as const)('the watches of a definition that $title end', async ({ method, body }) => {
    const group = `${unique('ends')}.example.com`;
    const definition = `${path}/watchtests.${group}`;
    const rest = new RESTClient(env.config);
    onTestFinished(() => rest.close());
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    await rest.post(path, { body: crd({ kind: 'WatchTest', group, versions: [{ schema }] }) });
    await established(rest, `watchtests.${group}`);
    const objects = `/apis/${group}/v1/namespaces/default/watchtests`;
    // A real server serves a new definition a moment later.
    await vi.waitFor(() => rest.get(objects), { timeout: 20_000, interval: 100 });
    const query = [['watch', 'true'] as const];
    const { body: events } = await rest.stream({ path: objects, query, stream: true });
    await (method === 'patch' ? rest.patch(definition, { body }) : rest.delete(definition));
    for await (const _ of events); // until the server ends it
    expect((await rest.get(path)) as object).toHaveProperty('items');
  });

  schemaTests(env);
}

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const text = { type: 'string' };
const named = { type: 'object', properties: { name: text }, required: ['name'] };

/** Returns the schema of an object with a property `p`. */
function holding(p: object): object {
  return { type: 'object', properties: { p } };
}

function keyed(items: object, keys: readonly string[] = ['name']): object {
  return holding({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
    items,
  });
}

const root = 'spec.validation.openAPIV3Schema';
const inP = `${root}.properties[p]`;
const keyRule = 'this property is in x-kubernetes-list-map-keys, so it';

const refused: readonly { what: string; schema: object; want: readonly string[] }[] = [
  { what: 'a required map key', schema: keyed(named), want: [] },
  {
    what: 'a map key with a default',
    schema: keyed({ type: 'object', properties: { name: { ...text, default: 'a' } } }),
    want: [],
  },
  {
    what: 'a map key that is not a property',
    schema: keyed(named, ['nam']),
    want: [
      `${inP}.x-kubernetes-list-map-keys: Invalid value: ["nam"]: entries must all be names of item properties`,
    ],
  },
  {
    what: 'an optional map key',
    schema: keyed({ ...named, required: [] }),
    want: [
      `${inP}.items.properties[name].default: Required value: ${keyRule} must have a default or be a required property`,
    ],
  },
  {
    what: 'a nullable map key',
    schema: keyed({ ...named, properties: { name: { ...text, nullable: true } } }),
    want: [`${inP}.items.properties[name].nullable: Forbidden: ${keyRule} cannot be nullable`],
  },
  {
    what: 'items that are not objects',
    schema: keyed(text),
    want: [
      `${inP}.items.type: Invalid value: "string": must be object if parent array's x-kubernetes-list-type is map`,
    ],
  },
  {
    what: 'an unknown list type',
    schema: holding({ type: 'array', items: text, 'x-kubernetes-list-type': 'bag' }),
    want: [
      `${inP}.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"`,
    ],
  },
  {
    what: 'an unknown type',
    schema: holding({ type: 'strin' }),
    want: [
      `${inP}.type: Unsupported value: "strin": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ],
  },
  {
    what: 'a default outside the enum',
    schema: holding({ ...text, enum: ['red', 'blue'], default: 'purple' }),
    want: [`${inP}.default: Unsupported value: "purple": supported values: "red", "blue"`],
  },
  {
    what: 'a default of another type',
    schema: holding({ ...text, default: 1 }),
    want: [`${inP}.default: Invalid value: "integer":  in body must be of type string: "integer"`],
  },
  {
    what: 'a default with an unknown field and without a required one',
    schema: holding({ ...named, default: { x: 1 } }),
    want: [
      `${inP}.default: Invalid value: {"x":1}: must not have unknown fields`,
      `${inP}.default.name: Required value`,
    ],
  },
];

function schemaTests(env: Env): void {
  describe('schemas of definitions', () => {
    it.each(refused)('returns $want for $what', async ({ schema, want }) => {
      const creation = env.clientset.rest.post(path, {
        body: crd({ kind: 'Refused', versions: [{ schema }] }),
        query: { dryRun: 'All' },
      });
      if (want.length === 0) return void (await creation);
      const { details } = await apiErrorOf(isInvalid, creation);
      expect(details?.causes?.map(({ field, message }) => `${field}: ${message}`)).toEqual(want);
    });

    it('reports unknown keywords, except those below items and additionalProperties', async () => {
      const schema = {
        type: 'object',
        requird: ['p'],
        properties: {
          p: { type: 'object', propertes: {}, 'x-vendor': 1, additionalProperties: { ...text, patern: 'x' } },
          q: { type: 'array', items: { ...text, patern: 'x' }, itmes: text },
          r: { type: 'object', anyOf: [{ requird: [] }], not: { foo: 1 } },
        },
      };
      const body = crd({ kind: 'Refused', versions: [{ schema }] });
      const warnings: string[] = [];
      const rest = new RESTClient(env.config, { onWarning: ({ text }) => warnings.push(text) });
      onTestFinished(() => rest.close());
      const create = (fieldValidation: string): Promise<unknown> =>
        rest.post(path, { body, query: { dryRun: 'All', fieldValidation } });
      const unknown = [
        'requird',
        'properties.p.propertes',
        'properties.p.x-vendor',
        'properties.q.itmes',
        'properties.r.anyOf[0].requird',
        'properties.r.not.foo',
      ].map((name) => `unknown field "spec.versions[0].schema.openAPIV3Schema.${name}"`);
      const created = await create('Warn');
      expect(warnings).toEqual(unknown);
      expect(JSON.stringify(created)).not.toMatch(/requird|itmes|patern|foo|x-vendor/);
      const { message } = await apiErrorOf(isBadRequest, create('Strict'));
      expect(message).toContain(`strict decoding error: ${unknown.join(', ')}`);
    });
  });
}
