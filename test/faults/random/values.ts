/** Unexpected JSON: objects of the API with random values in any listeners. */
import type { Random } from '../../support/random.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const scalars: readonly [Json, ...Json[]] = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 60,
  '',
  'x',
  '\u0000\u001b[31m\r\n\u202e',
  '\ud800',
  '../..',
  '1',
  '9'.repeat(400),
  {},
  [],
  [null],
  { toString: 1, valueOf: 1 },
  { length: -1, toJSON: 1 },
  // biome-ignore lint/suspicious/noThenProperty: it comes from servers, too.
  { then: 1 },
];
const time = '2026-01-31T12:00:00Z';
const keys: readonly [string, ...string[]] = [
  'kind',
  'metadata',
  'items',
  'toString',
  '__proto__',
  'constructor',
];

/** Returns any value, with limited nesting. */
export function anyValue(random: Random, depth = 3): Json {
  if (depth === 0 || random.chance(0.6)) return random.pick(scalars);
  const values = Array.from({ length: random.int(4) }, () => anyValue(random, depth - 1));
  if (random.chance(0.5)) return values;
  return Object.fromEntries(values.map((value) => [random.pick(keys), value]));
}

function metadata(random: Random): Json {
  const deleting = { deletionTimestamp: time, finalizers: ['a/b', { toString: 1 }] };
  return {
    name: random.pick(['web', 'db']),
    namespace: 'shop',
    uid: String(random.int(3)),
    resourceVersion: String(1 + random.int(50)),
    labels: { app: 'web' },
    managedFields: [{ manager: 'me', operation: 'Apply', fieldsV1: { 'f:a': {} }, time }],
    ...(random.chance(0.3) && deleting),
  };
}

function pod(random: Random): Json {
  const conditions = [{ type: 'Ready', status: 'False', reason: 'NoNodes' }, anyValue(random)];
  const parts = { spec: { containers: [], replicas: 1 }, status: { phase: 'Running', conditions } };
  return { apiVersion: 'v1', kind: 'Pod', metadata: metadata(random), ...parts };
}

function list(random: Random): Json {
  const more = random.chance(0.3) ? { continue: 'next', remainingItemCount: -1 } : {};
  const items = Array.from({ length: random.int(5) }, () => pod(random));
  return { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '50', ...more }, items };
}

function status(random: Random): Json {
  const reason = random.pick(['NotFound', 'Expired', 'Conflict', 'TooManyRequests', 'toString', 'Invalid']);
  const causes = [
    { field: 'a', message: 'Bearer sesame', reason: 'ResourceVersionTooLarge' },
    anyValue(random),
  ];
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: random.pick(['Failure', 'Success']),
    message: random.pick(['no\r\n\u001b[31m', 'refused: Authorization: Bearer sesame']),
    reason,
    code: random.pick([404, 409, 410, 429, 500, -1, 0]),
    details: { name: 'web', causes, retryAfterSeconds: random.pick([0, 1, -1, 1e9, 0.5]) },
  };
}

function discovery(random: Random): Json {
  const version = { groupVersion: 'v1', version: 'v1' };
  const verbs = ['get', 'list', 'watch', 'delete', 'patch'];
  const resource = { name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', shortNames: ['po'] };
  const aggregated = {
    resource: 'pods',
    responseKind: { group: '', version: 'v1', kind: 'Pod' },
    scope: 'Namespaced',
    singularResource: 'pod',
    verbs,
    subresources: [{ subresource: 'scale', responseKind: { kind: 'Scale' }, verbs }],
  };
  return random.pick<Json>([
    { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] },
    { kind: 'APIGroupList', groups: [{ name: 'apps', versions: [version], preferredVersion: version }] },
    { kind: 'APIResourceList', groupVersion: 'v1', resources: [{ ...resource, verbs }] },
    {
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
      items: [{ metadata: { name: '' }, versions: [{ version: 'v1', resources: [aggregated] }] }],
    },
    { paths: { 'api/v1': { serverRelativeURL: '/openapi/v3/api/v1?hash=1' } } },
    { major: '1', minor: '36+', gitVersion: 'v1.36.0' },
  ]);
}

function table(random: Random): Json {
  const columns = [{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }];
  const rows = [{ cells: ['web', anyValue(random)], object: pod(random) }, { cells: [] }];
  return { kind: 'Table', apiVersion: 'meta.k8s.io/v1', columnDefinitions: columns, rows };
}

function definition(): Json {
  const conditions = [{ type: 'Established', status: 'True' }];
  const names = { kind: 'Oven', plural: 'ovens' };
  return {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'ovens.example.com', uid: '1', resourceVersion: '1' },
    spec: { group: 'example.com', names },
    status: { conditions },
  };
}

function isNested(value: Json): value is readonly Json[] | { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null;
}

/** Returns the value with another value in one listeners. */
function damaged(value: Json, random: Random): Json {
  if (!isNested(value) || random.chance(0.15)) return anyValue(random);
  const entries = Object.entries(value);
  const at = random.int(entries.length);
  const changed = entries.map(([key, item], index) => [key, index === at ? damaged(item, random) : item]);
  if (random.chance(0.1)) changed.splice(at, 1);
  return Array.isArray(value) ? changed.map(([, item]) => item ?? null) : Object.fromEntries(changed);
}

/** Returns a response of the API, mostly with an error in it. */
export function anyResponse(random: Random): unknown {
  const make = random.pick([pod, pod, list, list, list, status, discovery, discovery, table, definition]);
  let value = make(random);
  while (random.chance(0.5)) value = damaged(value, random);
  return value;
}

/** Returns an event of a watch, mostly a valid one. */
export function anyEvent(random: Random): unknown {
  const type = random.pick(['ADDED', 'ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR', '', 'toString']);
  let object = type === 'ERROR' ? status(random) : pod(random);
  if (random.chance(0.3)) object = damaged(object, random);
  if (type !== 'BOOKMARK') return { type, object };
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  return { type, object: { kind: 'Pod', metadata: { resourceVersion: '60', annotations } } };
}
