/** Random changes of schemas: the judgement of stored objects is that of a real server. */
import { ApiError, RESTClient } from '@kgen/runtime';
import type { Resource } from '@kgen/runtime/client';
import { isObject, type Json, type JsonObject, object, omit, own, putAt } from '@kgen/schema/values/json';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { expect, test, vi } from 'vitest';
import { definitionChanges } from '../../src/kgen/manifests/changes/definition-changes.ts';
import { judgeOf } from '../../src/kgen/manifests/changes/stored-objects.ts';
import { deadline } from '../support/cluster-tests.ts';
import { pathOf } from '../support/custom-samples.ts';
import { campaign, type Random, randomOf } from '../support/random.ts';
import { attemptsOf, installed, type Kind } from '../support/sample-attempts.ts';
import { anyDefinition } from '../support/structural-schemas.ts';
import { mutated } from './mutations.ts';

const kinds = 25;
const mutations = 6;
const seeds = campaign('changes of schemas', { rounds: 1 });
const isAvailable = controlPlaneAvailability().available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

test.runIf(isAvailable)('are judged as by the server', { timeout: 1_200_000 }, async () => {
  const plane = await startControlPlane();
  const seen = { refused: 0, ratcheted: 0, stuck: 0, dropped: 0, accepted: 0 };
  try {
    const rest = new RESTClient(plane.config, { onWarning: () => undefined });
    for (const seed of seeds) {
      const random = randomOf(seed);
      const drawn = Array.from({ length: kinds }, (_, index) =>
        anyDefinition(`Kind${index}`, `c${seed}.example.com`, random),
      );
      for (const kind of await installed(rest, drawn)) {
        if (kind.refused.length > 0) continue;
        const stored = await storedObjects(rest, kind.resource, random);
        for (let index = 0; index < mutations && stored.length > 0; index += 1)
          await judged(rest, kind, { stored, random, marker: `changed${index}` }, seen);
      }
    }
  } finally {
    await plane.stop();
  }
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
});

/** Creates the valid ones of random objects, and returns them as the server stores them. */
async function storedObjects(
  rest: RESTClient,
  resource: Resource,
  random: Random,
): Promise<readonly JsonObject[]> {
  const attempts = await attemptsOf(resource, random);
  const created = await Promise.all(
    attempts.map(({ body }, index) => sent(rest.post(pathOf(resource), { body: named(body, `o${index}`) }))),
  );
  return created.flatMap(({ response }) => (response === undefined ? [] : [response]));
}

interface Change {
  readonly stored: readonly JsonObject[];
  readonly random: Random;
  readonly marker: string;
}

async function judged(
  rest: RESTClient,
  { definition, resource }: Kind,
  { stored, random, marker }: Change,
  seen: Record<'refused' | 'ratcheted' | 'stuck' | 'dropped' | 'accepted', number>,
): Promise<void> {
  // seam: a definition of apiextensions.k8s.io/v1.
  const before = definition as JsonObject;
  const [version] = own(object(before, 'spec'), 'versions') as readonly JsonObject[];
  const schema = object(version, 'schema', 'openAPIV3Schema');
  const next = mutated(schema, random);
  const columns = [{ name: marker, type: 'string', jsonPath: '.metadata.name' }];
  const changed = { ...version, schema: { openAPIV3Schema: next }, additionalPrinterColumns: columns };
  const after = putAt(before, ['spec', 'versions'], [changed]);
  if (!(await replaced(rest, after))) return;
  await vi.waitFor(() => hasColumn(rest, resource, marker), deadline);
  const changes = definitionChanges(before, after);
  const effects = changes.map((change) => change.stored);
  const [judgeBefore, judge] = [judgeOf(schema), judgeOf(next)];
  for (const value of stored) {
    // Rules about changes may refuse each update.
    if (judgeBefore(value).isStuck) continue;
    const verdict = judge(value);
    const path = pathOf(resource);
    const name = String(own(object(value, 'metadata'), 'name'));
    const query = { dryRun: 'All' };
    const [created, read] = await Promise.all([
      sent(rest.post(path, { body: named(value, 'again'), query })),
      sent(rest.get(`${path}/${name}`)),
    ]);
    const now = read.response ?? {};
    const labelled = putAt(now, ['metadata', 'labels'], { changed: 'true' });
    const updated = await sent(rest.put(`${path}/${name}`, { body: labelled, query }));
    const isRefused = created.refused !== undefined;
    const isStuck = updated.refused !== undefined;
    const isDropped = !isKept(omit(value, 'metadata'), omit(now, 'metadata'));
    const facts = { schema, next, value, created: created.refused, updated: updated.refused, changes };
    const judged = { isRefused: verdict.errors.length > 0, isStuck: verdict.isStuck };
    expect.soft(judged, show(facts)).toEqual({ isRefused, isStuck });
    // Nothing that happens to an object is missing in the changes of the schema.
    if (isRefused) expect.soft(effects, show(facts)).toContainEqual(expect.stringMatching(/^breaks/));
    if (isStuck) expect.soft(effects, show(facts)).toContain('breaks');
    if (isDropped) expect.soft(effects, show(facts)).toContainEqual(expect.stringMatching(/^(breaks|drops)/));
    seen.refused += Number(isRefused);
    seen.ratcheted += Number(isRefused && !isStuck);
    seen.stuck += Number(isStuck);
    seen.dropped += Number(isDropped);
    seen.accepted += Number(!isRefused);
  }
}

function show(facts: object): string {
  return JSON.stringify(facts);
}

function named(value: JsonObject, name: string): JsonObject {
  return { ...value, metadata: { name, namespace: 'default' } };
}

/** Replaces the definition, and returns whether the server accepts the new one. */
async function replaced(rest: RESTClient, definition: JsonObject): Promise<boolean> {
  const path = `${definitions}/${String(own(object(definition, 'metadata'), 'name'))}`;
  const { response } = await sent(rest.get(path));
  const resourceVersion = own(object(response, 'metadata'), 'resourceVersion') ?? '';
  const body = putAt(definition, ['metadata', 'resourceVersion'], resourceVersion);
  return (await sent(rest.put(path, { body }))).refused === undefined;
}

/** Waits until tables have the column of the new definition. */
async function hasColumn(rest: RESTClient, resource: Resource, marker: string): Promise<void> {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const table = await rest.get(pathOf(resource), { headers: { accept } });
  if (!JSON.stringify(table).includes(`"${marker}"`)) throw new Error('the definition is not served yet');
}

interface Sent {
  readonly response?: JsonObject;
  readonly refused?: string;
}

async function sent(request: Promise<unknown>): Promise<Sent> {
  try {
    // seam: responses are JSON objects.
    return { response: (await request) as JsonObject };
  } catch (error) {
    if (error instanceof ApiError) return { refused: error.message };
    throw error;
  }
}

/** Returns whether each value is still there. */
function isKept(value: Json, now: Json | undefined): boolean {
  if (isObject(value)) return Object.entries(value).every(([key, item]) => isKept(item, own(now, key)));
  if (Array.isArray(value))
    return value.every((item, index) => isKept(item, Array.isArray(now) ? now[index] : undefined));
  return value === now;
}
