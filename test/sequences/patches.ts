/** Random patches of all types. */
import { stringify } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../src/schema/values/json.ts';
import type { Random } from '../support/random.ts';
import type { Step } from './step.ts';
import type { Target } from './target.ts';

type Query = Readonly<Record<string, string>>;

/** Returns a patch. */
export function patches(target: Target, random: Random, _index: number): Step {
  const roll = random.int(10);
  if (roll < 2) return mergePatch(target, random);
  if (roll < 4) return jsonPatch(target, random);
  if (roll < 6) return strategicPatch(target, random);
  return applyPatch(target, random);
}

function changeOf(target: Target, random: Random): JsonObject {
  const changes = target.changes(1, random.chance(0.25) ? 1 : 0);
  return target.merge({}, ...changes, random.chance(0.4) ? { metadata: metadataOf(random) } : {});
}

function metadataOf(random: Random): JsonObject {
  return random.pick<JsonObject>([
    { labels: { app: 'a', extra: null } },
    { labels: null },
    { finalizers: null },
    { finalizers: [] },
    { finalizers: ['example.com/hold'] },
    { annotations: { 'example.com/note': 'y' } },
    { resourceVersion: '{rv}' },
    { resourceVersion: '{rv:0}' },
    { uid: '{uid}' },
    { uid: 'wrong' },
    { name: 'other' },
    { namespace: 'other' },
    { managedFields: null },
    { deletionTimestamp: null },
    { generation: 9 },
  ]);
}

function queryOf(random: Random): Query {
  return {
    ...(random.chance(0.12) ? { dryRun: 'All' } : {}),
    ...(random.chance(0.3) ? { fieldManager: random.pick(['alice', 'bob']) } : {}),
    ...(random.chance(0.2) ? { fieldValidation: random.pick(['Strict', 'Warn', 'Ignore']) } : {}),
    ...(random.chance(0.03) ? { force: 'true' } : {}),
  };
}

function mergePatch(target: Target, random: Random): Step {
  const body = changeOf(target, random);
  return {
    method: 'PATCH',
    path: target.object(),
    query: queryOf(random),
    body,
    type: 'application/merge-patch+json',
  };
}

function strategicPatch(target: Target, random: Random): Step {
  const { strategic = [] } = target.kind;
  const own = strategic[random.int(strategic.length)];
  const body = own === undefined || random.chance(0.4) ? changeOf(target, random) : own;
  const type = 'application/strategic-merge-patch+json';
  return { method: 'PATCH', path: target.object(), query: queryOf(random), body, type };
}

function jsonPatch(target: Target, random: Random): Step {
  const body = Array.from({ length: 1 + random.int(2) }, () => operationOf(target, random));
  return {
    method: 'PATCH',
    path: target.object(),
    query: queryOf(random),
    body,
    type: 'application/json-patch+json',
  };
}

function operationOf(target: Target, random: Random): JsonObject {
  const leaves = leavesOf(changeOf(target, random), '');
  const [path, value] = leaves[random.int(leaves.length)] ?? ['/metadata/labels', { app: 'j' }];
  return random.pick<JsonObject>([
    { op: 'add', path, value },
    { op: 'replace', path, value },
    { op: 'remove', path },
    { op: 'test', path, value },
    { op: 'add', path: '/metadata/labels', value: { app: 'j' } },
    { op: 'add', path: '/metadata/labels/app', value: 'k' },
    { op: 'test', path: '/metadata/name', value: 'a' },
    { op: 'remove', path: '/metadata/finalizers/0' },
    { op: 'copy', from: '/metadata/name', path: '/metadata/labels/name' },
    { op: 'move', from: path, path: `${path}x` },
    { op: 'wrong', path, value },
    { path, value },
    { op: 'replace', path: '/kind', value: 'Other' },
    { op: 'add', path: 'no-slash', value },
    { op: 'add', path: `${path}/9`, value },
  ]);
}

/** Returns the values of an object by their JSON pointers. */
function leavesOf(value: JsonObject, prefix: string): readonly (readonly [path: string, value: Json])[] {
  return Object.entries(value).flatMap(([key, item]) => {
    const path = `${prefix}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return isObject(item) ? leavesOf(item, path) : [[path, item] as const];
  });
}

function applyPatch(target: Target, random: Random): Step {
  const { apiVersion, kind, base } = target.kind;
  const path = target.object();
  const name = path.slice(path.lastIndexOf('/') + 1);
  const labels = target.kind.isClusterScoped === true ? { labels: { run: '{ns}' } } : {};
  const metadata = random.pick<JsonObject>([
    { name },
    { name },
    { name, labels: { app: 'a' } },
    { name, labels: { app: 'b' } },
    { name, finalizers: ['example.com/hold'] },
    {},
    { name: 'other' },
    { name, resourceVersion: '{rv:0}' },
    { name, uid: 'wrong' },
    { name, annotations: { 'example.com/note': 'z' } },
  ]);
  const body = target.merge(
    {
      apiVersion,
      kind,
      metadata: target.merge(labels.labels === undefined ? {} : { labels: labels.labels }, metadata),
    },
    random.chance(0.6) ? base : {},
    ...target.changes(1, random.chance(0.12) ? 1 : 0),
  );
  const query = {
    ...(random.chance(0.97) ? { fieldManager: random.pick(['x', 'y', 'z']) } : {}),
    ...(random.chance(0.35) ? { force: random.pick(['true', 'true', 'false']) } : {}),
    ...(random.chance(0.1) ? { dryRun: 'All' } : {}),
    ...(random.chance(0.15) ? { fieldValidation: random.pick(['Strict', 'Ignore']) } : {}),
  };
  // The status of a missing service creates it.
  const subresource = kind !== 'Service' && random.chance(0.08) ? '/status' : '';
  return {
    method: 'PATCH',
    path: path + subresource,
    query,
    body: random.chance(0.3) ? stringify(body) : body,
    type: 'application/apply-patch+yaml',
  };
}
