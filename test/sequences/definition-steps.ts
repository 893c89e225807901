/** Sequences in which definitions change while their objects are read and written. */
import type { JsonObject } from '../../src/schema/values/json.ts';
import type { Random } from '../support/random.ts';
import { definitionOf } from './custom-kinds.ts';
import type { Step } from './step.ts';

const group = '{ns}.example.com';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Path of the definition of a sequence. */
export const definition = `${definitions}/gears.${group}`;

function versionOf(name: string, storage: boolean, spec: JsonObject, more: JsonObject = {}): JsonObject {
  const schema = {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } },
  };
  return { name, served: true, storage, schema, ...more };
}

const teeth = { teeth: { type: 'integer' } };

/** The definition at first. */
const first = definitionOf(group, 'Namespaced', { kind: 'Gear', plural: 'gears' }, [
  versionOf('v1', true, teeth),
]);

/** Changes of the versions. */
const changes: readonly (readonly JsonObject[])[] = [
  [versionOf('v1', true, { ...teeth, ratio: { type: 'number', default: 2 } })],
  [versionOf('v1', true, { teeth: { type: 'integer', maximum: 5 } })],
  [versionOf('v1', true, { teeth: { type: 'string' } })],
  [versionOf('v1', true, {}, { subresources: { status: {} } })],
  [versionOf('v1', true, teeth), versionOf('v2', false, teeth)],
  [versionOf('v1', false, teeth), versionOf('v2', true, { ...teeth, size: { type: 'string' } })],
  [versionOf('v2', true, teeth)],
  [versionOf('v1', true, teeth, { served: false })],
  [versionOf('v1', true, teeth, { deprecated: true, deprecationWarning: 'gears are old' })],
  [
    versionOf('v1', true, teeth, {
      additionalPrinterColumns: [{ name: 'Teeth', type: 'integer', jsonPath: '.spec.teeth' }],
    }),
  ],
  [versionOf('v1', true, { teeth: { type: 'wrong' } })],
  [versionOf('v1', true, { teeth: { type: 'integer', default: 'x' } })],
  [versionOf('v1', true, teeth), versionOf('v1', false, teeth)],
  [versionOf('v1', false, teeth)],
  [],
];

/** Returns a sequence that begins with a definition. */
export function definitionSteps(random: Random, length: number): readonly Step[] {
  const steps: Step[] = [{ method: 'POST', path: definitions, body: first, settles: true }, gear(random)];
  while (steps.length < length) steps.push(random.chance(0.35) ? change(random) : gear(random));
  return steps;
}

function change(random: Random): Step {
  const type = 'application/merge-patch+json';
  const versions = changes[random.int(changes.length)] ?? [];
  return random.pick<Step>([
    { method: 'PATCH', path: definition, type, body: { spec: { versions } }, settles: true },
    { method: 'PATCH', path: definition, type, body: { spec: { versions } }, settles: true },
    { method: 'PATCH', path: definition, type, body: { spec: { versions } }, settles: true },
    {
      method: 'PATCH',
      path: definition,
      type,
      body: { spec: { names: { shortNames: ['gr'] } } },
      settles: true,
    },
    { method: 'PATCH', path: definition, type, body: { spec: { names: { kind: 'Wheel' } } }, settles: true },
    { method: 'PATCH', path: definition, type, body: { spec: { scope: 'Cluster' } }, settles: true },
    { method: 'GET', path: definition },
    {
      method: 'PATCH',
      path: `${definition}/status`,
      type,
      body: { status: { storedVersions: ['v1'] } },
      settles: true,
    },
    { method: 'DELETE', path: definition, settles: true },
    { method: 'POST', path: definitions, body: first, settles: true },
  ]);
}

function gear(random: Random): Step {
  const version = random.pick(['v1', 'v1', 'v2']);
  const collection = `/apis/${group}/${version}/namespaces/{ns}/gears`;
  const name = random.pick(['a', 'b']);
  const apiVersion = `${group}/${version}`;
  const spec = random.pick<JsonObject>([
    { teeth: 3 },
    { teeth: 9 },
    { teeth: 'many' },
    { size: 'x' },
    { ratio: 3 },
    {},
  ]);
  const body = { apiVersion, kind: 'Gear', metadata: { name }, spec };
  const path = `${collection}/${name}`;
  return random.pick<Step>([
    { method: 'POST', path: collection, body },
    { method: 'POST', path: collection, body },
    { method: 'PATCH', path, body: { spec }, type: 'application/merge-patch+json' },
    { method: 'PATCH', path, body, type: 'application/apply-patch+yaml', query: { fieldManager: 'x' } },
    { method: 'PUT', path, body: { spec }, isUpdate: true },
    { method: 'GET', path },
    { method: 'GET', path: collection },
    { method: 'GET', path: collection, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    { method: 'GET', path: `/apis/${group}/${version}` },
    { method: 'GET', path: `/apis/${group}` },
    { method: 'DELETE', path },
    { method: 'GET', path: `${path}/status` },
  ]);
}
