/** Random sequences of requests, derived from a seed. */
import { stringify } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../src/schema/values/json.ts';
import { type Random, randomOf } from '../support/random.ts';
import { definitionSteps } from './definition-steps.ts';
import { deletions } from './deletions.ts';
import { kinds, type SequenceKind } from './kinds.ts';
import { patches } from './patches.ts';
import { reads } from './reads.ts';
import type { Step } from './step.ts';
import { Target } from './target.ts';

/** Number of steps of a sequence. */
export const length = 12;

/** Returns the sequence of a seed: of one or two kinds, with a watch of all changes at the end. */
export function sequenceOf(seed: number): readonly Step[] {
  const random = randomOf(seed);
  if (random.chance(0.08)) return definitionSteps(random, length);
  const first = pickOf(kinds, random);
  // Managers of two versions of one kind are an error of a real server.
  const others = kinds.filter(({ plural }) => plural !== first.plural);
  const chosen = random.chance(0.5) ? [first] : [first, pickOf(others, random)];
  const targets = chosen.map((kind) => new Target(kind, random));
  const steps: Step[] = [];
  while (steps.length < length) {
    const target = pickOf(targets, random);
    const isFirst = steps.length < 2;
    steps.push(isFirst ? create(target, random, steps.length) : stepOf(target, random, steps.length));
  }
  return [...steps, ...targets.map((target) => target.history())];
}

function pickOf<T>(items: readonly T[], random: Random): T {
  const item = items[random.int(items.length)];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}

type Operation = (target: Target, random: Random, index: number) => Step;

/** Operations with their weights. */
const operations: readonly (readonly [weight: number, operation: Operation])[] = [
  [16, create],
  [14, update],
  [22, patches],
  [20, reads],
  [11, deletions],
  [6, statusUpdate],
  [5, scale],
  [3, mistake],
];

/** Returns a random operation. */
export function stepOf(target: Target, random: Random, index: number): Step {
  const sum = operations.reduce((total, [weight]) => total + weight, 0);
  let left = random.int(sum);
  for (const [weight, operation] of operations) {
    if (left < weight) return operation(target, random, index);
    left -= weight;
  }
  return reads(target, random, index);
}

/** Metadata that is usually accepted. */
const metadataParts: readonly JsonObject[] = [
  { labels: { app: 'a' } },
  { labels: { app: 'b', tier: 'web' } },
  { annotations: { 'example.com/note': 'x' } },
  { finalizers: ['example.com/hold'] },
  { finalizers: ['example.com/hold', 'example.com/other'] },
];

/** Metadata that is usually refused, ignored or warned about. */
const metadataWrongs: readonly JsonObject[] = [
  { labels: { 'a b': 'x' } },
  { labels: { a: 'not valid!' } },
  { labels: { a: 1 } },
  { annotations: { '/x': 'y' } },
  { finalizers: ['hold'] },
  { finalizers: ['a b/c'] },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x' }] },
  {
    ownerReferences: [
      { apiVersion: 'v1', kind: 'A', name: 'x', uid: '1', controller: true },
      { apiVersion: 'v1', kind: 'B', name: 'y', uid: '2', controller: true },
    ],
  },
  { namespace: 'elsewhere' },
  { uid: 'own' },
  { resourceVersion: '1' },
  { creationTimestamp: '2020-01-01T00:00:00Z' },
  { deletionTimestamp: '2020-01-01T00:00:00Z' },
  { managedFields: [{}] },
  { generation: 7 },
  { selfLink: '/x' },
  { unknown: 1 },
  { labels: 'x' },
];

/** Returns the metadata of a change, which is usually empty or accepted. */
function metadataOf(random: Random): JsonObject {
  const roll = random.int(20);
  if (roll < 8) return {};
  return pickOf(roll < 17 ? metadataParts : metadataWrongs, random);
}

/** Query of a write. */
export function writeQuery(random: Random): Readonly<Record<string, string>> {
  return {
    ...(random.chance(0.12) ? { dryRun: random.chance(0.85) ? 'All' : 'Some' } : {}),
    ...(random.chance(0.25) ? { fieldManager: random.pick(['alice', 'bob', 'alice']) } : {}),
    ...(random.chance(0.03) ? { fieldManager: random.pick(['x'.repeat(129), 'a\u0001', '']) } : {}),
    ...(random.chance(0.04) ? { pretty: 'true' } : {}),
    ...(random.chance(0.03) ? { timeout: random.pick(['10s', 'x', '1h']) } : {}),
    ...(random.chance(0.25)
      ? { fieldValidation: random.pick(['Strict', 'Warn', 'Ignore', 'Strict', 'Wrong']) }
      : {}),
  };
}

const invalidNames = ['Upper', 'a_b', 'x'.repeat(260), 'a..b', '-a', 'a/b', ''] as const;

/** Returns a request to create an object. */
export function create(target: Target, random: Random, index: number): Step {
  const { kind } = target;
  const changes = target.changes(random.chance(0.85) ? 2 : 0, random.chance(0.15) ? 1 : 0);
  const labels = kind.isClusterScoped === true ? { labels: { run: '{ns}' } } : {};
  const body = target.merge(
    { ...typeOf(kind, random), metadata: { ...labels, ...nameOf(target, random, index) } },
    kind.base,
    ...changes,
    { metadata: metadataOf(random) },
  );
  const yaml = random.chance(0.05) ? { body: stringify(body), type: 'application/yaml' } : {};
  return {
    ...{ method: 'POST', path: target.collection, query: writeQuery(random), body, ...acceptOf(random) },
    ...yaml,
  };
}

const orderly = ['Service', 'PodDisruptionBudget'];

function nameOf(target: Target, random: Random, index: number): JsonObject {
  const roll = random.int(40);
  if (roll === 0) return { name: random.pick([...invalidNames]) };
  // Without a name, kinds differ in the order of their checks.
  if (roll === 1 && !orderly.includes(target.kind.kind)) return {};
  if (roll < 5) return { generateName: `gen-${index}-` };
  if (roll === 5) return { generateName: `gen-${index}-`, name: target.name() };
  return { name: target.name() };
}

/** The kind and version of a body, which is rarely wrong. */
function typeOf({ apiVersion, kind }: SequenceKind, random: Random): JsonObject {
  if (random.chance(0.97) || apiVersion.includes('example.com')) return { apiVersion, kind };
  return random.pick<JsonObject>([
    { apiVersion, kind: 'Other' },
    { apiVersion: 'other/v1', kind },
    { kind },
    { apiVersion },
    {},
  ]);
}

function acceptOf(random: Random): Pick<Step, 'accept'> {
  if (random.chance(0.93)) return {};
  return {
    accept: random.pick(['application/yaml', 'text/html', 'application/json;as=Table;v=v1;g=meta.k8s.io']),
  };
}

function update(target: Target, random: Random): Step {
  const versions = random.pick<JsonObject>([
    {},
    {},
    {},
    {},
    {},
    { resourceVersion: '{rv:0}' },
    { resourceVersion: null },
    { resourceVersion: '0' },
    { resourceVersion: 'x' },
    { resourceVersion: '99999999' },
    { uid: '12' },
    { name: 'other' },
    { namespace: null },
    { managedFields: null },
    { managedFields: [{}] },
    { generation: 5 },
    { finalizers: null },
    { labels: null },
  ]);
  const changes = target.changes(1, random.chance(0.25) ? 1 : 0);
  const body = target.merge({}, ...changes, { metadata: metadataOf(random) }, { metadata: versions });
  return { method: 'PUT', path: target.object(), query: writeQuery(random), body, isUpdate: true };
}

function statusUpdate(target: Target, random: Random): Step {
  const body = pickOf(target.kind.status ?? [{ status: { phase: 'X' } }], random);
  const path = `${target.object()}/status`;
  const query = writeQuery(random);
  if (random.chance(0.5)) return { method: 'PUT', path, query, body, isUpdate: true };
  return { method: 'PATCH', path, query, body, type: 'application/merge-patch+json' };
}

function scale(target: Target, random: Random, index: number): Step {
  const path = `${target.object()}/scale`;
  const query = writeQuery(random);
  // A write of the same replicas to a built-in kind changes managers in ways that are not worth copying.
  const replicas = random.pick<Json>([10 + index, target.kind.kind === 'Widget' ? 0 : 10 + index, -1]);
  const roll = random.int(3);
  if (roll === 0) return { method: 'GET', path };
  if (roll === 1) return { method: 'PUT', path, query, body: { spec: { replicas } }, isUpdate: true };
  return { method: 'PATCH', path, query, body: { spec: { replicas } }, type: 'application/merge-patch+json' };
}

/** Requests that are wrong in themselves. */
function mistake(target: Target, random: Random): Step {
  const path = target.object();
  const valid = target.merge(
    { ...typeOf(target.kind, random), metadata: { name: target.name() } },
    target.kind.base,
  );
  return random.pick<Step>([
    { method: 'POST', path, body: valid },
    { method: 'PUT', path: target.collection, body: valid },
    { method: 'PATCH', path: target.collection, body: {}, type: 'application/merge-patch+json' },
    { method: 'GET', path: `${path}/nothing` },
    { method: 'GET', path: `${path}/status` },
    { method: 'GET', path: `${target.collection}x` },
    { method: 'POST', path: target.collection, body: '{"apiVersion":' },
    { method: 'POST', path: target.collection, body: '[]' },
    { method: 'POST', path: target.collection, body: '' },
    {
      method: 'POST',
      path: target.collection,
      body: isObject(valid) ? JSON.stringify(valid) : '',
      type: 'text/plain',
    },
    { method: 'PATCH', path, body: {}, type: 'application/wrong+json' },
    { method: 'PATCH', path, body: 'x', type: 'application/merge-patch+json' },
    { method: 'PATCH', path, body: '[]', type: 'application/merge-patch+json' },
    { method: 'PUT', path: `${path}/status`, body: valid },
  ]);
}
