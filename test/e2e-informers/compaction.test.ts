/**
 * A server that restarts or has compacted its history: informers list once and detect the changes that they
 * missed.
 */
import { randomUUID } from 'node:crypto';
import { type ClusterConfig, isApiError } from '@kgen/runtime';
import { expect, it, onTestFinished } from 'vitest';
import { deadline, type Env, onControlPlane } from '../support/audited-plane.ts';
import type { Finished } from '../support/cluster-tests.ts';
import { compact } from '../support/etcd.ts';
import { randomOf } from '../support/random.ts';
import { type Follower, Followers } from './followers.ts';
import { configMaps, fill, type LoadKind, load, myApps } from './load.ts';
import type { ConnectionProxy } from './proxy.ts';
import type { ConnectionStep, Stage } from './steps.ts';
import { seed, speedFactor, startConnectionProxy, startRequestProxy, trial } from './trial.ts';

// Watches of ConfigMaps read etcd, which knows the compacted revision; those of MyApps read the watch cache,
// which a restart empties. Pages are read from etcd as well.
const options = {
  apiServerFlags: ['--watch-cache-sizes=configmaps#0', '--feature-gates=ListFromCacheSnapshot=false'],
};

onControlPlane('informers of a server that forgets', options, (env) => {
  it(`resume after a restart under load (seed ${seed})`, async () => {
    const proxy = await startConnectionProxy(env, onTestFinished);
    let restarted: Promise<void> | undefined;
    const stage: Stage<{ readonly type: 'restart' | 'calm' }> = {
      apply: ({ type }) => {
        if (type === 'restart') restarted ??= env.plane.restart();
      },
    };
    const { config } = proxy;
    const { followers, logs } = await trial(
      env,
      { config, stage, menu: [{ type: 'restart' }] },
      onTestFinished,
    );
    await restarted;
    for (const follower of followers.flatMap(({ all }) => all)) {
      const remembers = follower.kind === configMaps;
      await follower.agree(env, logs, remembers);
      // After a restart the watch cache contains the newest version and none before it: a watch from the
      // newest version resumes as well.
      const once = follower.parts.slice(0, follower.relists.length).map(() => 'expired');
      expect(follower.relists, follower.name).toEqual(remembers ? [] : once);
    }
  });

  it.each([
    { kind: configMaps, event: 'a compaction', streaming: false },
    { kind: configMaps, event: 'a compaction', streaming: true },
    { kind: myApps, event: 'a restart', streaming: true },
  ])(`detect deletions before $event ($kind.kind, streaming $streaming, seed ${seed})`, async (given) => {
    const { kind, event, streaming } = given;
    const proxy = await startConnectionProxy(env, onTestFinished);
    const namespaces = await env.namespaces(2);
    const before = await fill(env.direct, kind, namespaces, 20);
    const all = follow(proxy.config, { kind, namespaces, streaming }, onTestFinished);
    await all.sync();
    const seen = env.requests(all.userAgent).length;
    proxy.apply({ type: 'refuse' });
    const random = randomOf(seed);
    const during = await load({ client: env.direct, kind, namespaces, writes: 40, random });
    for (const namespace of namespaces) await deleteAll(env, kind, namespace, {});
    await (event === 'a restart' ? env.plane.restart() : compact(env.plane.etcd));
    await proxy.turnedAway();
    proxy.apply({ type: 'calm' });
    await all.agree(env, [before, during], { complete: false });
    for (const { name, parts, history, relists } of all.all) {
      expect(relists, name).toEqual(parts.map(() => 'expired'));
      expect(history.missed, name).toBeGreaterThan(0);
    }
    const requests = env.requests(all.userAgent).slice(seen);
    const states = requests.filter(({ verb, query }) => verb === 'list' || query.has('sendInitialEvents'));
    expect(states.map(({ verb }) => verb)).toEqual(
      all.all.flatMap(({ parts }) => parts).map(() => (streaming ? 'watch' : 'list')),
    );
    // No list may return a state older than the known one.
    for (const { query } of states) expect(Number(query.get('resourceVersion'))).toBeGreaterThan(0);
  });

  it(`follow a load while the history is compacted repeatedly (seed ${seed})`, async () => {
    const proxy = await startConnectionProxy(env, onTestFinished);
    const compactions: Promise<void>[] = [];
    const stage: Stage<ConnectionStep> = {
      apply: (step) => {
        proxy.apply(step);
        if (step.type === 'refuse') compactions.push(compact(env.plane.etcd));
      },
    };
    const { config } = proxy;
    const menu = [{ type: 'refuse' }] as const;
    const { followers, logs } = await trial(
      env,
      { config, stage, menu, kinds: [configMaps] },
      onTestFinished,
    );
    await Promise.all(compactions);
    for (const all of followers) await all.agree(env, logs, { complete: false });
    for (const { name, parts, relists } of followers.flatMap(({ all }) => all)) {
      expect(relists.length, name).toBeLessThanOrEqual(parts.length * compactions.length);
      expect(new Set(relists), name).toEqual(new Set(['expired']));
    }
  });

  it.each([false, true])(
    'relist if the server has the version but not the change after it (streaming %s)',
    async (streaming) => {
      const proxy = await startConnectionProxy(env, onTestFinished);
      const namespaces = await env.namespaces(2);
      await fill(env.direct, configMaps, namespaces, 2);
      const all = follow(proxy.config, { kind: configMaps, namespaces, streaming }, onTestFinished);
      await all.sync();
      const [everywhere] = all.all;
      if (everywhere === undefined) throw new Error('no informer runs');
      const last = await unseenChange(env, proxy, namespaces[0] ?? '', everywhere);
      await compact(env.plane.etcd, last);
      await proxy.turnedAway();
      proxy.apply({ type: 'calm' });
      await all.agree(env, [], { complete: false });
      for (const { name, relists } of all.all) expect(new Set(relists), name).toEqual(new Set(['expired']));
      // Reports errors as long as the server fails.
      expect(everywhere.errors.filter(({ error }) => isApiError(error) && error.code === 500)).toHaveLength(
        3,
      );
    },
  );

  it('list without pages if the history is compacted between two pages', async () => {
    const proxy = await startRequestProxy(env, onTestFinished);
    const namespaces = await env.namespaces(2);
    const log = await fill(env.direct, configMaps, namespaces, 300);
    proxy.apply({ type: 'hold pages' });
    const all = follow(proxy.config, { kind: configMaps, namespaces, streaming: false }, onTestFinished);
    const synced = all.sync();
    await expect.poll(() => proxy.holds, deadline).toBe(true);
    const [namespace = ''] = namespaces;
    await deleteAll(env, configMaps, namespace, { labelSelector: 'tier=db' });
    await compact(env.plane.etcd);
    proxy.apply({ type: 'calm' });
    await synced;
    await all.agree(env, [log], { complete: false });
    const lists = proxy.requests.filter(({ verb }) => verb === 'list');
    expect(lists.filter(({ status }) => status === 410)).not.toEqual([]);
  });
});

/**
 * Makes a change right after the last one that a follower has seen, and leaves the proxy rejecting
 * connections.
 */
async function unseenChange(
  env: Env,
  proxy: ConnectionProxy,
  namespace: string,
  { history }: Follower,
): Promise<string> {
  const objects = env.direct.resource(configMaps.resource).namespace(namespace);
  const change = async (): Promise<string> => {
    const patch = { data: { count: randomUUID() } };
    return (await objects.patch('filling-0', patch, { type: 'merge' })).metadata.resourceVersion;
  };
  for (;;) {
    const seen = await change();
    const isSeen = (): boolean => history.live.some(({ metadata }) => metadata.resourceVersion === seen);
    await expect.poll(isSeen, deadline).toBe(true);
    proxy.apply({ type: 'refuse' });
    const unseen = await change();
    // The server occasionally writes its own leases.
    if (BigInt(unseen) === BigInt(seen) + 1n) return unseen;
    proxy.apply({ type: 'calm' });
  }
}

interface Followed {
  readonly kind: LoadKind;
  readonly namespaces: readonly string[];
  readonly streaming: boolean;
}

function follow(config: ClusterConfig, followed: Followed, finished: Finished): Followers {
  const random = randomOf(seed);
  const chance = (): number => random.int(1_000) / 1_000;
  const options = { ...followed, config, speed: speedFactor, random: chance, kinds: [followed.kind] };
  return new Followers(options, finished);
}

async function deleteAll(
  env: Env,
  { resource }: LoadKind,
  namespace: string,
  options: { readonly labelSelector?: string },
): Promise<void> {
  await env.direct.resource(resource).namespace(namespace).deleteCollection(options);
}
