/** Operators of MyApps with ConfigMaps: one that is correct, and variants with one bug each. */
import { connect } from 'node:net';
import { anyChange, Controller, Manager, type ManagerOptions, type ReconcileContext } from '@kgen/controller';
import { type ConfigMap, configMaps } from '@kgen/kubernetes/core/v1';
import {
  type ClusterConfig,
  InformerFactory,
  isApiError,
  isNotFound,
  RESTClient,
  resource,
  type Stored,
} from '@kgen/runtime';
import { addFinalizer, setControllerReference } from '@kgen/runtime/objects';
import { WorkQueue } from '@kgen/runtime/queue';
import type { SimulatedOptions } from '@kgen/testing';
import { type MyApp, myApps } from '../../generated/crds/my.domain/v1/index.ts';

const owner = { fieldManager: 'bugs', force: true } as const;

/** Parts from which a variant builds its function. */
interface Parts {
  readonly manager: Manager;
  readonly config: ClusterConfig;
  readonly options: SimulatedOptions;
  readonly apps: ReturnType<typeof appsOf>;
  readonly maps: ReturnType<typeof mapsOf>;
  readonly cachedApps: ReturnType<typeof cacheOfApps>;
  readonly cachedMaps: ReturnType<typeof cacheOfMaps>;
}

type Reconcile = (app: Stored<MyApp>, context: ReconcileContext<undefined>) => Promise<void> | void;

function appsOf(rest: RESTClient) {
  return resource(rest, myApps);
}

function cacheOfApps(informers: InformerFactory) {
  return informers.of(myApps);
}

function cacheOfMaps(informers: InformerFactory) {
  return informers.of(configMaps);
}

function mapsOf(rest: RESTClient) {
  return resource(rest, configMaps);
}

function operator(build: (parts: Parts) => Reconcile, own: ManagerOptions = {}) {
  return (config: ClusterConfig, options: SimulatedOptions): Manager => {
    const manager = new Manager(config, { name: 'bugs', ...own, ...options });
    const informers = new InformerFactory(manager);
    const [cachedApps, cachedMaps] = [cacheOfApps(informers), cacheOfMaps(informers)];
    const parts = {
      manager,
      config,
      options,
      cachedApps,
      cachedMaps,
      apps: appsOf(manager.rest),
      maps: mapsOf(manager.rest),
    };
    const reconcile = build(parts);
    return manager.add(
      new Controller({
        name: 'bugs',
        for: { informer: cachedApps, predicate: anyChange },
        owns: [cachedMaps],
        reconcile,
      }),
    );
  };
}

function mapOf({ metadata, spec }: Stored<MyApp>) {
  const { name, namespace } = metadata;
  return { metadata: { name, namespace, labels: { app: name } }, data: { version: spec.version } };
}

function generatedMapOf(app: Stored<MyApp>): ConfigMap {
  const { metadata, data } = mapOf(app);
  const { name, ...rest } = metadata;
  return setControllerReference<ConfigMap>({ metadata: { ...rest, generateName: `${name}-` }, data }, app);
}

async function reconcileWell(app: Stored<MyApp>, { apps, maps }: Parts): Promise<void> {
  const { name, namespace, generation } = app.metadata;
  await maps.in(namespace).apply(setControllerReference(mapOf(app), app), owner);
  await apps
    .in(namespace)
    .applyStatus({ metadata: { name }, status: { observedGeneration: generation } }, owner);
}

/** Whether the cache of ConfigMaps has one of an app. */
function hasMap({ cachedMaps }: Parts, { metadata: { name, namespace } }: Stored<MyApp>): boolean {
  return cachedMaps.lister.list({ namespace, labelSelector: { app: name } }).length > 0;
}

export const correct = operator((parts) => (app) => reconcileWell(app, parts));

/** Its client does not record its writes in the cache, so that a late watch hides the object that exists. */
export const actsOnStaleRead = operator((parts) => {
  const maps = mapsOf(new RESTClient(parts.config, parts.options.client));
  return async (app) => {
    if (!hasMap(parts, app)) await maps.in(app.metadata.namespace).create(generatedMapOf(app));
  };
});

/** It remembers the created object in its status, with a second request. */
export const createsTwiceAfterCrash = operator(({ apps, maps }) => async (app) => {
  const { name, namespace } = app.metadata;
  if (app.status?.observedGeneration !== undefined) return;
  await maps.in(namespace).create(generatedMapOf(app));
  await apps.in(namespace).applyStatus({ metadata: { name }, status: { observedGeneration: 1 } }, owner);
});

export const forgetsOwnerReference = operator(({ maps }) => async (app) => {
  await maps.in(app.metadata.namespace).apply(mapOf(app), owner);
});

export const keepsFinalizer = operator((parts) => async (app) => {
  const { namespace } = app.metadata;
  const marked = addFinalizer(app, 'my.domain/cleanup');
  if (marked !== app && app.metadata.deletionTimestamp === undefined)
    await parts.apps.in(namespace).update(marked);
  await reconcileWell(app, parts);
});

export const wakesItself = operator(({ apps }) => async (app) => {
  const { name, namespace } = app.metadata;
  const readyReplicas = (app.status?.readyReplicas ?? 0) + 1;
  await apps.in(namespace).applyStatus({ metadata: { name }, status: { readyReplicas } }, owner);
});

export const retriesLostCreate = operator((parts) => async (app) => {
  const create = () => parts.maps.in(app.metadata.namespace).create(generatedMapOf(app));
  if (hasMap(parts, app)) return;
  await create().catch((error: unknown) => {
    if (isApiError(error)) throw error;
    return create();
  });
});

/** Without owner references, it deletes what it has created when it sees the deletion. */
export const missesDeletionWhileDown = operator(({ maps, cachedApps }) => {
  cachedApps.handle({
    delete: async ({ metadata: { name, namespace } }) => {
      await maps
        .in(namespace)
        .delete(name)
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
    },
  });
  return async (app) => {
    await maps.in(app.metadata.namespace).apply(mapOf(app), owner);
  };
});

/** Its writes go through a client that no election guards, and are not in a controller. */
export const ignoresLeadership = operator(
  (parts) => {
    const maps = mapsOf(new RESTClient(parts.config, parts.options.client));
    parts.cachedApps.handle({
      add: async (app) => {
        await maps.in(app.metadata.namespace).apply(setControllerReference(mapOf(app), app), owner);
      },
    });
    return (app) => reconcileWell(app, parts);
  },
  { leaderElection: { name: 'bugs' } },
);

/** It replaces the whole object, with what others have written to it. */
export const overwritesOthers = operator(({ maps, cachedMaps }) => async (app) => {
  const { name, namespace } = app.metadata;
  const own = setControllerReference(mapOf(app), app);
  const known = cachedMaps.lister.get(namespace, name);
  if (known === undefined) await maps.in(namespace).apply(own, owner);
  else await maps.in(namespace).update(own);
});

/** Its result depends on the first object in the cache, which has no order. */
export const dependsOnOrder = operator(({ maps, cachedApps }) => async (app) => {
  const [first] = cachedApps.lister.list({ namespace: app.metadata.namespace });
  const { metadata, data } = setControllerReference(mapOf(app), app);
  const map = { metadata, data: { ...data, leader: first?.metadata.name ?? '' } };
  await maps.in(app.metadata.namespace).apply(map, owner);
});

/** It does not wait for its request, whose rejection nothing handles. */
export const ignoresRejection = operator((parts) => async (app) => {
  await reconcileWell(app, parts);
  void parts.maps.in(app.metadata.namespace).get(`${app.metadata.name}-missing`);
});

/** It does not wait for its write. */
export const doesNotWait = operator(({ maps }) => (app) => {
  void maps.in(app.metadata.namespace).apply(setControllerReference(mapOf(app), app), owner);
});

/** It compares random numbers and waits on timers of its own. */
export const usesGlobals = operator((parts) => async (app) => {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
  await reconcileWell(app, parts);
});

const seen = new Set<string>();

/** Changes the object of the cache, and updates the status with it. */
export const changesCache = operator(({ apps }) => async (app) => {
  app.status = { observedGeneration: app.metadata.generation };
  await apps.in(app.metadata.namespace).updateStatus(app);
});

/** Its memory is that of the program: the next process has it, too. */
export const remembersRuns = operator((parts) => async (app) => {
  const { name } = app.metadata;
  if (seen.has(name)) return;
  seen.add(name);
  await reconcileWell(app, parts);
});

export const alwaysFails = operator(() => () => {
  throw new TypeError('labels is undefined');
});

export const fetches = operator((parts) => async (app) => {
  await fetch('http://127.0.0.1:9/');
  await reconcileWell(app, parts);
});

export const opensSocket = operator((parts) => async (app) => {
  await new Promise((resolve) => connect(9, '127.0.0.1').on('close', resolve));
  await reconcileWell(app, parts);
});

export const startsIntervals = operator((parts) => async (app) => {
  setInterval(() => undefined, 60_000);
  await reconcileWell(app, parts);
});

/** Its timer of an object replaces the one before. */
export const startsOneTimerPerObject = operator((parts) => {
  const timers = new Map<string, NodeJS.Timeout>();
  return async (app) => {
    clearInterval(timers.get(app.metadata.uid));
    timers.set(
      app.metadata.uid,
      setInterval(() => undefined, 60_000),
    );
    await reconcileWell(app, parts);
  };
});

export const startsIntervalsAfterFailures = operator((parts) => async (app) => {
  try {
    await reconcileWell(app, parts);
  } catch (error) {
    setInterval(() => undefined, 60_000);
    throw error;
  }
});

export const opensWatches = operator((parts) => async (app) => {
  void drained(parts.apps.in(app.metadata.namespace).watch());
  await reconcileWell(app, parts);
});

async function drained(events: AsyncIterable<unknown>): Promise<void> {
  for await (const event of events) if (event === undefined) return;
}

export const queuesNewKeys = operator((parts) => {
  const { environment } = parts.options;
  const queue = new WorkQueue<string>({ name: 'later', environment });
  let added = 0;
  return async (app) => {
    added += 1;
    queue.add(`${app.metadata.name} ${added}`, { afterMs: added * 3_600_000 });
    await reconcileWell(app, parts);
  };
});

export const keepsTexts = operator((parts) => {
  const texts: (readonly string[])[] = [];
  return async (app) => {
    texts.push(Array.from({ length: 1_000 }, (_, line) => `${app.metadata.resourceVersion} ${line}`));
    await reconcileWell(app, parts);
  };
});
