/** The check of definitions with the objects of a cluster, in memory and on a real server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError, type ClusterConfig, RESTClient } from '@kgen/runtime';
import type { JsonObject } from '@kgen/schema/values/json';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkDefinitions, type DefinitionCheck } from '../../src/kgen/manifests/changes/check.ts';
import { formatCheck } from '../../src/kgen/manifests/changes/format.ts';
import { judgeOf } from '../../src/kgen/manifests/changes/stored-objects.ts';
import { deadline } from '../support/cluster-tests.ts';
import { type CrdVersion, crd } from '../support/crd.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const isAvailable = controlPlaneAvailability().available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

const text = { type: 'string' };
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const list = (items: object, more: object = {}): object => ({ type: 'array', items, ...more });
const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'] };
const item = object({ id: text }, { required: ['id'] });
const embedded = object({ spec: text }, { 'x-kubernetes-embedded-resource': true });
const rule = (expression: string): object => ({ 'x-kubernetes-validations': [{ rule: expression }] });

/** Values that a change makes invalid, and whether the object can still be updated elsewhere. */
const values: readonly (readonly [
  name: string,
  before: object,
  after: object,
  value: unknown,
  isStuck: boolean,
])[] = [
  ['limit', text, { ...text, maxLength: 1 }, 'long', false],
  ['required', object({ a: text }), object({ a: text }, { required: ['a'] }), {}, false],
  ['items', list(text), list({ ...text, enum: ['a'] }), ['b'], false],
  ['nulls', list({ ...text, nullable: true }), list(text), [null], false],
  ['set', list(text), list(text, { 'x-kubernetes-list-type': 'set' }), ['a', 'a'], false],
  ['map', list(object({ id: text })), list(item, keyed), [{ id: 'a' }, { id: 'a' }], false],
  ['keys', list(object({ id: text })), list(item, keyed), [{}], true],
  ['rule', text, { ...text, ...rule('self != "a"') }, 'a', false],
  ['type', object({ a: text }), object({ a: { type: 'integer' } }, rule('has(self.a)')), { a: 'x' }, true],
  ['embedded', object({ spec: text }), embedded, { spec: 'a' }, true],
  [
    'undescribed',
    object({ a: embedded }),
    object({ a: embedded }, { maxProperties: 0 }),
    { a: { apiVersion: 'v1', kind: 'A', spec: 'a' } },
    true,
  ],
];

interface Started {
  readonly config: ClusterConfig;
  readonly kubeconfig: string;
  readonly stop: () => Promise<void>;
}

const servers: readonly (readonly [where: string, start: () => Promise<Started>])[] = [
  ['in memory', () => startTestServer({ controllers: false })],
  ...(isAvailable ? [['on a real server', () => startControlPlane()] as const] : []),
];

describe.each(servers)('%s', (_, start) => {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-changes-'));
  const kubeconfig = join(folder, 'kubeconfig');
  let rest: RESTClient;
  let stop: Started['stop'] = async () => undefined;

  beforeAll(async () => {
    const server = await start();
    writeFileSync(kubeconfig, server.kubeconfig);
    rest = new RESTClient(server.config);
    stop = () => server.stop();
  }, 60_000);
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });

  async function installed(definition: JsonObject, path: string): Promise<void> {
    await rest.post(definitions, { body: definition });
    await vi.waitFor(() => rest.get(path), deadline);
  }

  async function isAccepted(request: Promise<unknown>): Promise<boolean> {
    try {
      await request;
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }

  test('decides which invalid values can stay', { timeout: 60_000 }, async () => {
    const schemaOf = (side: 1 | 2): object =>
      object({ spec: object(Object.fromEntries(values.map((row) => [row[0], row[side]]))) });
    const definition = (side: 1 | 2, marker: string): JsonObject => {
      const columns = [{ name: marker, type: 'string', jsonPath: '.metadata.name' }];
      const version = { schema: schemaOf(side), additionalPrinterColumns: columns };
      // seam: a definition of a test.
      return crd({ kind: 'Value', group: 'values.example.com', versions: [version] }) as JsonObject;
    };
    const path = '/apis/values.example.com/v1/namespaces/default/values';
    const bodyOf = (name: string, spec: object): object => {
      return { apiVersion: 'values.example.com/v1', kind: 'Value', metadata: { name }, spec };
    };
    await installed(definition(1, 'before'), path);
    for (const [name, , , value] of values) await rest.post(path, { body: bodyOf(name, { [name]: value }) });
    await rest.patch(`${definitions}/values.values.example.com`, {
      ...{ body: { spec: definition(2, 'after')['spec'] }, contentType: 'application/merge-patch+json' },
    });
    await vi.waitFor(async () => {
      const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
      expect(JSON.stringify(await rest.get(path, { headers: { accept } }))).toContain('"after"');
    }, deadline);
    // seam: the schema of a test.
    const judge = judgeOf(schemaOf(2) as JsonObject);
    for (const [name, , , , isStuck] of values) {
      const stored = (await rest.get(`${path}/${name}`)) as JsonObject; // seam: an object of the test.
      const spec = stored['spec'] as JsonObject; // seam: as above.
      const patch = {
        body: { metadata: { labels: { a: 'b' } } },
        contentType: 'application/merge-patch+json',
      };
      const query = { dryRun: 'All' };
      const isCreated = await isAccepted(rest.post(path, { body: bodyOf('again', spec), query }));
      const isUpdated = await isAccepted(rest.patch(`${path}/${name}`, { ...patch, query }));
      const { errors, isStuck: judged } = judge(stored);
      expect({ name, isCreated, isUpdated }).toEqual({ name, isCreated: false, isUpdated: !isStuck });
      expect({ name, isValid: errors.length === 0, judged }).toEqual({
        name,
        isValid: false,
        judged: isStuck,
      });
    }
  });

  test('counts and names the objects that become invalid', { timeout: 60_000 }, async () => {
    const version = (field: object, more: object = {}): CrdVersion => ({
      schema: object({ spec: object({ size: { type: 'integer', ...field }, ...more }) }),
    });
    const definition = (one: CrdVersion): JsonObject =>
      // seam: a definition of a test.
      crd({ kind: 'Store', group: 'stores.example.com', scope: 'Cluster', versions: [one] }) as JsonObject;
    const path = '/apis/stores.example.com/v1/stores';
    await installed(definition(version({}, { note: text })), path);
    for (const [index, size] of [1, 7, 8, 9, 12].entries()) {
      const spec = { size, note: 'private' };
      const body = {
        apiVersion: 'stores.example.com/v1',
        kind: 'Store',
        metadata: { name: `s${index}` },
        spec,
      };
      await rest.post(path, { body });
    }
    const check = (after: JsonObject): Promise<DefinitionCheck> => {
      const position = (): { readonly file: string } => ({ file: 'api/store.ts' });
      return checkDefinitions({
        against: 'cluster',
        out: 'config',
        cwd: '.',
        kubeconfig,
        after: [{ value: after, position }],
      });
    };
    const { changes, stored, problems, isBreaking } = await check(definition(version({ maximum: 5 })));
    expect({ problems, isBreaking }).toEqual({ problems: [], isBreaking: true });
    expect(formatCheck({ changes, stored })).toEqual([
      'breaking: api/store.ts: stores.stores.example.com v1 .spec.note: field removed',
      '  stored objects lose data, clients break: its values are dropped when objects are read: keep the field, or remove it in a new version',
      'breaking: api/store.ts: stores.stores.example.com v1 .spec.size: maximum lowered, is 5',
      '  stored objects break unless .spec.size is unchanged, clients break: greater values are refused: correct the stored objects first, or make the change in a new version',
      '  stored objects that become invalid: 4',
      '    s1: spec.size: Invalid value: 7: spec.size in body should be less than or equal to 5',
      '    s2: spec.size: Invalid value: 8: spec.size in body should be less than or equal to 5',
      '    s3: spec.size: Invalid value: 9: spec.size in body should be less than or equal to 5',
      '    and 1 more',
      'stores.stores.example.com v1: of 5 stored objects, 4 become invalid, 0 of them cannot be updated, 5 lose fields',
    ]);
    expect((await check(definition(version({}, { note: text })))).changes).toEqual([]);
    // seam: a definition of a test.
    expect((await check(crd({ kind: 'Absent' }) as JsonObject)).changes).toEqual([]);
  });
});
