/** Directed histories: each one needs a write that a comparison could take for one without an effect. */

import type { CacheOptions, History, Step, VersionOfBody, Write } from './history.ts';

/** A directed history. */
export interface Case {
  readonly title: string;
  readonly history: History;
}

const whole: readonly CacheOptions[] = [{ cache: 'whole' }];
const kept: readonly CacheOptions[] = [{ cache: 'managedFields' }];
const both: readonly CacheOptions[] = [{ cache: 'whole' }, { cache: 'whole' }];

type World = Partial<Omit<History, 'steps'>>;

function row(title: string, world: World, ...steps: readonly Step[]): Case {
  return { title, history: { kind: 'thing', caches: whole, ...world, steps } };
}

const a = { spec: { a: 'x' } };
const ab = { spec: { a: 'x', b: 'x' } };
const ready = (count: number): object => ({ status: { ready: count } });
const created: Step = { own: { verb: 'apply', body: a } };

/** Updates of a status while the result of another one is unknown, or not cached yet. */
function statusRows(form: string, world: World, resourceVersion: VersionOfBody): readonly Case[] {
  const update = (replicas: number): Write => ({
    verb: 'updateStatus',
    body: { status: { replicas } },
    resourceVersion,
  });
  const before: readonly Step[] = [{ own: { verb: 'apply', body: {} } }, { own: update(1) }];
  const other: Write = { verb: 'mergeStatus', body: { status: { replicas: 2 } } };
  return [
    row(
      `the response to a status update of ${form} is lost, and the former status is written`,
      world,
      ...before,
      { do: 'hold' },
      { own: update(2), fault: 'lost' },
      { own: update(1) },
    ),
    row(
      `a status update of ${form} is executed late, and the former status is written`,
      world,
      ...before,
      { do: 'hold' },
      { own: update(2), fault: 'delayed' },
      { do: 'deliver' },
      { own: update(1) },
    ),
    row(
      `the status of the former leader is not cached: ${form}`,
      { ...world, fence: 'leader' },
      ...before,
      { handover: [other], lags: true },
      { own: update(1) },
    ),
    row(
      `the status of the former owner of the shard is not cached: ${form}`,
      { ...world, fence: 'shards' },
      ...before,
      { handover: [other], lags: true },
      { own: update(1) },
    ),
  ];
}

export const cases: readonly Case[] = [
  row(
    'a shard moves to another process, which applies more, and back',
    { fence: 'shards' },
    created,
    { handover: [{ verb: 'apply', body: ab }] },
    created,
  ),
  row(
    'a shard moves to another process and back, while events are late',
    { fence: 'shards', caches: kept },
    created,
    { handover: [{ verb: 'apply', body: ab }], lags: true },
    created,
  ),
  row(
    'another process leads and applies more, and events are late',
    { fence: 'leader', caches: kept },
    created,
    { handover: [{ verb: 'apply', body: ab }], lags: true },
    created,
  ),
  row(
    'another process of the same field manager applies more in between',
    {},
    created,
    { other: { verb: 'apply', body: ab } },
    created,
  ),
  row(
    'another process of the same field manager applies more, before the informers list again',
    {},
    created,
    { do: 'hold' },
    { other: { verb: 'apply', body: ab } },
    { do: 'relist' },
  ),
  ...statusRows('an object with a resourceVersion', { kind: 'thing' }, 'cached'),
  ...statusRows('an object without one', { kind: 'deployment' }, 'none'),
  ...(['select', 'transform'] as const).map((cache) =>
    row(
      `a status update removes a field that the cache does not have: ${cache}`,
      { caches: [{ cache }] },
      created,
      { other: { verb: 'updateStatus', body: { status: { ready: 1, message: 'm' } } } },
      { own: { verb: 'updateStatus', body: ready(1) } },
    ),
  ),
  row(
    'versions of one kind are applied in turn',
    { caches: [{ cache: 'whole' }, { cache: 'whole', version: 'v2' }] },
    created,
    { own: { verb: 'apply', version: 'v2', body: ab } },
    created,
  ),
  row(
    'an update of the status adds an annotation',
    { kind: 'deployment' },
    { own: { verb: 'apply', body: {} } },
    { own: { verb: 'updateStatus', body: { status: { replicas: 1 } } } },
    {
      own: {
        verb: 'updateStatus',
        body: { metadata: { annotations: { a: '1' } }, status: { replicas: 1 } },
        resourceVersion: 'none',
      },
    },
  ),
  row(
    'an old object with a new annotation is passed to the update of the status',
    { kind: 'deployment' },
    { own: { verb: 'apply', body: {} } },
    { own: { verb: 'merge', body: { metadata: { labels: { b: '1' } } } } },
    {
      own: { verb: 'updateStatus', body: { metadata: { annotations: { a: '1' } } }, resourceVersion: 'old' },
    },
  ),
  row(
    'the resourceVersion of a status update is old',
    {},
    created,
    { own: { verb: 'updateStatus', body: ready(1) } },
    { own: { verb: 'updateStatus', body: ready(1), resourceVersion: 'old' } },
  ),
  row('an apply is sent as YAML', {}, created, { own: { verb: 'applyText', body: ab } }, created),
  row(
    'a member of a ConfigMap is named as a quantity',
    { kind: 'configmap', caches: kept },
    { other: { verb: 'apply', body: { data: { sizeLimit: '1' } } } },
    { own: { verb: 'apply', body: { data: { sizeLimit: '1000m' } } } },
  ),
  row(
    'an annotation is named as a quantity',
    { kind: 'configmap', caches: kept },
    { other: { verb: 'apply', body: { metadata: { annotations: { sizeLimit: '1' } } } } },
    { own: { verb: 'apply', body: { metadata: { annotations: { sizeLimit: '1000m' } } } } },
  ),
  row(
    'a reconcile function changes the cached object',
    {},
    created,
    { own: { verb: 'updateStatus', body: ready(1) } },
    { own: { verb: 'changeCached', body: ready(2) } },
  ),
  row(
    'a reconcile function changes the object that a write without an effect returned',
    {},
    created,
    { own: { verb: 'updateStatus', body: ready(1) } },
    { own: { verb: 'updateStatus', body: ready(1) } },
    { own: { verb: 'changeReturned', body: ready(2) } },
  ),
  row(
    'another manager takes a field and restores its value before the next reconcile',
    {},
    created,
    { do: 'hold' },
    { other: { verb: 'apply', manager: 'other', body: { spec: { a: 'y' } } } },
    { other: { verb: 'apply', manager: 'other', body: a } },
    { do: 'release' },
  ),
  row(
    'another field manager owns an equal value, and this one applies without force',
    {},
    created,
    { other: { verb: 'apply', manager: 'other', body: { spec: { a: 'y' } } } },
    { own: { verb: 'apply', body: a, force: false } },
  ),
  row(
    'all objects are deleted, and events are late',
    {},
    created,
    { do: 'hold' },
    { own: { verb: 'deleteCollection' } },
    created,
  ),
  row(
    'the response to the deletion of an object is lost, and events are late',
    {},
    created,
    { do: 'hold' },
    { own: { verb: 'delete' }, fault: 'lost' },
    created,
  ),
  row(
    'the object is scaled, and events are late',
    {},
    { own: { verb: 'apply', body: { spec: { replicas: 1 } } } },
    { do: 'hold' },
    { own: { verb: 'scale', body: 2 } },
    { own: { verb: 'apply', body: { spec: { replicas: 1 } } } },
  ),
  row(
    'a patch is sent as a stream, and events are late',
    {},
    created,
    { do: 'hold' },
    { own: { verb: 'streamed', body: { spec: { a: 'y' } } } },
    created,
  ),
  row(
    'a merge patch takes the field, and the next one restores its value',
    {},
    created,
    { own: { verb: 'merge', manager: 'hand', body: { spec: { a: 'y' } } } },
    { own: { verb: 'merge', manager: 'hand', body: { spec: { a: 'x' } } } },
    created,
  ),
  row(
    'the first of two caches lags behind the second one',
    { caches: both },
    created,
    { do: 'hold', only: 'first' },
    { other: { verb: 'merge', manager: 'other', body: { spec: { a: 'y' } } } },
    created,
  ),
  row(
    'a patch without content is sent after a deletion, and events are late',
    {},
    created,
    { do: 'hold' },
    { own: { verb: 'deleteCollection' } },
    { own: { verb: 'merge', body: {} } },
  ),
  row(
    'a patch of another media type has an empty body',
    {},
    created,
    { own: { verb: 'merge', body: [] } },
    { own: { verb: 'json', body: {} } },
  ),
  row('the status is empty, and was absent', {}, created, {
    own: { verb: 'updateStatus', body: { status: {} } },
  }),
  row(
    'another client clears managedFields',
    {},
    { own: { verb: 'apply', body: ab } },
    { other: { verb: 'merge', manager: 'other', body: { metadata: { managedFields: [{}] } } } },
    { own: { verb: 'apply', body: ab } },
  ),
  row(
    'another process of the same field manager ceases to own a field of two managers',
    {},
    { own: { verb: 'apply', body: ab } },
    { other: { verb: 'apply', manager: 'other', body: { spec: { b: 'x' } } } },
    { other: { verb: 'apply', body: a } },
    { own: { verb: 'apply', body: ab } },
  ),
  row(
    'another manager takes a label and restores its value before the next reconcile',
    {},
    { own: { verb: 'apply', body: { metadata: { labels: { l: '1' } } } } },
    { do: 'hold' },
    { other: { verb: 'apply', manager: 'other', body: { metadata: { labels: { l: '2' } } } } },
    { other: { verb: 'apply', manager: 'other', body: { metadata: { labels: { l: '1' } } } } },
    { do: 'release' },
  ),
  row(
    'another manager takes a value of a ConfigMap and restores it before the next reconcile',
    { kind: 'configmap' },
    { own: { verb: 'apply', body: { data: { a: 'x' } } } },
    { do: 'hold' },
    { other: { verb: 'apply', manager: 'other', body: { data: { a: 'y' } } } },
    { other: { verb: 'apply', manager: 'other', body: { data: { a: 'x' } } } },
    { do: 'release' },
  ),
  row(
    'an apply is acknowledged after another one that began later',
    {},
    created,
    { do: 'hold' },
    { own: { verb: 'apply', body: { spec: { a: 'y' } } }, fault: 'slow' },
    created,
    { own: { verb: 'apply', body: { spec: { a: 'y' } } } },
  ),
  row(
    'the response to an apply is malformed, and events are late',
    {},
    created,
    { do: 'hold' },
    { own: { verb: 'apply', body: { spec: { a: 'y' } } }, fault: 'malformed' },
    created,
  ),
];
