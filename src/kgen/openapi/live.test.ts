import { join } from 'node:path';
import { Readable } from 'node:stream';
import { RESTClient } from '@kgen/runtime';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { printed } from '../emit/emit.fixture.ts';
import type { CrdDefinition } from '../input/crd/crd.ts';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { readDefinition } from '../input/crd/definition.ts';
import { isList, isObject } from '../input/json.ts';
import { loadCrds } from '../input/load.ts';
import { buildModel } from '../model/build.ts';
import type { NamedType, Property } from '../model/ir.ts';
import { describeApi } from './describe.ts';
import { parseAggregated } from './discovery/discovery.ts';
import { kindKey, kindsOf } from './resources/kinds.ts';
import type { ApiDocument, ApiGroupVersion, ApiResource, DiscoveredGroupVersion } from './types.ts';

const availability = controlPlaneAvailability();
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** Returns the samples of the project, and the corpus if it is available. */
async function sampleCrds(): Promise<readonly CrdDefinition[]> {
  const samples = new URL('../../../crds', import.meta.url).pathname;
  const corpus = process.env['KGEN_CORPUS'];
  const input = corpus === undefined ? [samples] : [samples, join(corpus, 'crds')];
  return (await loadCrds({ input, cwd: '/', stdin: Readable.from([]) })).crds;
}

/** Sends the requests of kgen without its code. */
class Server {
  readonly rest: RESTClient;

  constructor(plane: ControlPlane) {
    this.rest = new RESTClient(plane.config);
  }

  async json(
    path: string,
    query: Record<string, string> = {},
    accept = 'application/json',
  ): Promise<JsonObject> {
    const response = await this.rest.get(path, { query, headers: { accept } });
    // seam: a JSON response, which the index of v3 declares as plain text
    const value = (typeof response === 'string' ? JSON.parse(response) : response) as JsonValue;
    if (!isObject(value)) throw new Error(`${path} gives no object`);
    return value;
  }

  async discovery(): Promise<readonly DiscoveredGroupVersion[]> {
    const parts = await Promise.all(['/api', '/apis'].map((path) => this.json(path, {}, aggregated)));
    return parts.flatMap((value) => parseAggregated(value, 'discovery').value);
  }

  async v2(): Promise<readonly ApiDocument[]> {
    return [documentOf('v2.json', 2, await this.json('/openapi/v2'))];
  }

  async v3(): Promise<readonly ApiDocument[]> {
    const { paths } = await this.json('/openapi/v3');
    const entries = Object.entries(isObject(paths) ? paths : {});
    return Promise.all(
      entries.map(async ([name, entry]) => {
        const address = isObject(entry) ? String(entry['serverRelativeURL']) : '';
        const { pathname, searchParams } = new URL(address, 'http://server');
        return documentOf(name, 3, await this.json(pathname, Object.fromEntries(searchParams)));
      }),
    );
  }
}

function documentOf(name: string, dialect: 2 | 3, value: JsonObject): ApiDocument {
  return { dialect, value, file: name };
}

/** Serialises a value. Integers beyond 2^53 are rounded, as by every other client. */
function jsonOf(value: JsonObject): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? Number(item) : item));
}

/** Time-out for fifty CRDs on a slow machine. */
const patience = { timeout: 100_000, interval: 1_000 };

/** Returns the group versions of an API without custom resources, which may not have differences. */
function describedBy(
  documents: readonly ApiDocument[],
  discovery: readonly DiscoveredGroupVersion[] = [],
): readonly ApiGroupVersion[] {
  const { value, problems } = describeApi({ documents, discovery, crds: [] });
  expect([problems, value.crds]).toEqual([[], []]);
  return value.api.groupVersions;
}

/** Returns the part of a resource that can be derived from paths alone. */
function comparable({ shortNames: _names, categories: _categories, ...rest }: ApiResource): object {
  return rest;
}

function served(groupVersions: readonly ApiGroupVersion[]): readonly object[] {
  return groupVersions.map(({ group, version, resources }) => ({
    group,
    version,
    resources: resources.map(comparable),
  }));
}

const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Returns a type without the parts that servers do not publish: they replace descriptions of common members.
 */
function substance(type: NamedType): NamedType {
  const isObjectType = type.properties.some(
    ({ schema }) => schema.shape === 'runtime' && /Meta$/.test(schema.name),
  );
  const bare = (property: Property): Property =>
    isObjectType && identity.has(property.name)
      ? { ...property, schema: { ...property.schema, facts: { keywords: {} } } }
      : property;
  return { ...type, properties: type.properties.map(bare) };
}

function modelOf(crds: readonly CrdDefinition[]): readonly object[] {
  const { model, problems } = buildModel({ crds });
  expect(problems).toEqual([]);
  const groupVersions = model.groupVersions.map((each) => ({ ...each, types: each.types.map(substance) }));
  const file = printed({ ...model, groupVersions });
  return groupVersions.map(({ types: _types, resources, ...rest }) => ({
    ...rest,
    types: file(`${rest.group}/${rest.version}/types.ts`),
    resources: resources.map(
      ({ deprecated: _deprecated, printerColumns: _columns, ...resource }) => resource,
    ),
  }));
}

describe.skipIf(!availability.available && process.env['KGEN_NOTHING_SKIPPED'] === undefined)(
  'responses of a real server',
  () => {
    let plane: ControlPlane;
    let server: Server;
    beforeAll(async () => {
      plane = await startControlPlane({ apiServerFlags: ['--runtime-config=api/all=true'] });
      server = new Server(plane);
    });
    afterAll(async () => {
      await server?.rest.close();
      await plane?.stop();
    });

    test('have equal resources in OpenAPI v3, v2 and discovery', async () => {
      const discovery = await server.discovery();
      // A server that has just started continues to publish documents for a moment.
      await vi.waitFor(async () => {
        const want = describedBy(await server.v3(), discovery);
        expect(want.flatMap(({ resources }) => resources).length).toBeGreaterThan(80);
        expect(served(describedBy(await server.v3()))).toEqual(served(want));
        expect(served(describedBy(await server.v2()))).toEqual(served(want));
      }, patience);
    }, 120_000);

    test('for custom resources in v3 have the types of their CRDs', async () => {
      const samples = await sampleCrds();
      await Promise.all(
        samples.map(({ input }) => server.rest.post(definitions, { body: jsonOf(input.value) })),
      );
      const documents = await vi.waitFor(() => publishedBy(server, samples), {
        timeout: 100_000,
        interval: 500,
      });
      const result = describeApi({ documents, discovery: await server.discovery(), crds: [] });
      expect(result.problems).toEqual([]);
      const given = await crdsOf(server);
      expect(result.value.crds.map(({ name }) => name).sort()).toEqual(given.map(({ name }) => name).sort());
      expect(modelOf(result.value.crds)).toEqual(modelOf(given));
    }, 120_000);
  },
);

/** Returns the v3 documents when they contain every served version of every CRD. */
async function publishedBy(server: Server, crds: readonly CrdDefinition[]): Promise<readonly ApiDocument[]> {
  const documents = await server.v3();
  const kinds = new Set(documents.flatMap(kindsIn));
  const missing = crds.flatMap(({ group, names, versions }) =>
    versions
      .filter((version) => version.served)
      .map(({ name }) => kindKey({ group, version: name, kind: names.kind }))
      .filter((kind) => !kinds.has(kind)),
  );
  if (missing.length > 0) throw new Error(`not published: ${missing.join(', ')}`);
  return documents;
}

function kindsIn({ value }: ApiDocument): readonly string[] {
  const { components } = value;
  const schemas = isObject(components) ? components['schemas'] : undefined;
  return Object.values(isObject(schemas) ? schemas : {}).flatMap((schema) =>
    isObject(schema) ? kindsOf(schema).map(kindKey) : [],
  );
}

/** Returns the CRDs as stored by the server. */
async function crdsOf(server: Server): Promise<readonly CrdDefinition[]> {
  const { items } = await server.json(definitions);
  return (isList(items) ? items : []).flatMap((item) => {
    if (!isObject(item)) return [];
    return readDefinition({ value: item, file: 'crd', position: () => ({ file: 'crd' }) }).value ?? [];
  });
}
