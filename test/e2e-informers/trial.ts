import type { ClusterConfig } from '@kgen/runtime';
import type { SeenRequest } from '../support/audit.ts';
import type { Env } from '../support/audited-plane.ts';
import type { Finished } from '../support/cluster-tests.ts';
import { randomOf } from '../support/random.ts';
import { Followers } from './followers.ts';
import { RequestProxy } from './http-proxy.ts';
import { configMaps, type LoadKind, type Log, load, myApps } from './load.ts';
import { ConnectionProxy } from './proxy.ts';
import { Schedule, type Stage } from './steps.ts';

/** Seed of the random parts of a trial. */
export const seed: number = Number(process.env['KGEN_FUZZ_SEED'] ?? 1);

/** Factor by which the clocks of informers are faster. Silence is detected after 150 s, here after 7.5 s. */
export const speedFactor = 20;

export interface TrialOptions<S extends { readonly type: string }> {
  /** Configuration of the server, with the address of the proxy that applies the faults. */
  readonly config: ClusterConfig;
  readonly stage: Stage<S | { readonly type: 'calm' }>;
  readonly menu: readonly [S, ...S[]];
  readonly kinds?: readonly LoadKind[];
  /** Writes per namespace and kind. */
  readonly writes?: number;
  readonly speed?: number;
}

/** Informers after a load with a schedule of faults. */
export interface Trial {
  readonly followers: readonly [listing: Followers, streaming: Followers];
  readonly logs: readonly Log[];
  /** Requests of the informers since they were synced. */
  readonly requests: readonly SeenRequest[];
  /** Number of applied faults. */
  readonly played: number;
}

/**
 * Syncs informers of all shapes, once listing and once streaming, and runs a load while the faults of a menu
 * are applied.
 */
export async function trial<S extends { readonly type: string }>(
  env: Env,
  { config, stage, menu, kinds = [configMaps, myApps], writes = 80, speed = speedFactor }: TrialOptions<S>,
  finished: Finished,
): Promise<Trial> {
  const random = randomOf(seed);
  const namespaces = await env.namespaces(3);
  const follow = (streaming: boolean): Followers => {
    const chance = (): number => random.int(1_000) / 1_000;
    return new Followers({ config, streaming, speed, random: chance, namespaces, kinds }, finished);
  };
  const followers = [follow(false), follow(true)] as const;
  await Promise.all(followers.map((all) => all.sync()));
  const seen = followers.map(({ userAgent }) => env.requests(userAgent).length);
  const schedule = new Schedule(stage, menu, random);
  const logs = await Promise.all(
    kinds.map((kind, index) => {
      const own = randomOf(seed * 100 + index);
      return load({ client: env.direct, kind, namespaces, writes, random: own, onWrite: schedule.tick });
    }),
  );
  schedule.end();
  return {
    followers,
    logs,
    get requests() {
      return followers.flatMap(({ userAgent }, index) => env.requests(userAgent).slice(seen[index]));
    },
    played: schedule.played.length,
  };
}

/** Starts a connection proxy that is closed at the end of the test that owns `onTestFinished`. */
export async function startConnectionProxy(env: Env, finished: Finished): Promise<ConnectionProxy> {
  const random = randomOf(seed);
  const proxy = await ConnectionProxy.start(env.plane.config, () => random.int(1_000) / 1_000);
  finished(() => proxy.stop());
  return proxy;
}

/** Starts a request proxy that is closed at the end of the test that owns `onTestFinished`. */
export async function startRequestProxy(env: Env, finished: Finished): Promise<RequestProxy> {
  const proxy = await RequestProxy.start(env.plane.tokenConfig);
  finished(() => proxy.stop());
  return proxy;
}
