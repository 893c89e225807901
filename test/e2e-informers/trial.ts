import type { ClusterConfig } from '@kgen/runtime';
import { randomOf } from '../fuzz/random.ts';
import type { SeenRequest } from './audit.ts';
import type { Env, Finished } from './env.ts';
import { Followers } from './followers.ts';
import { RequestProxy } from './http-proxy.ts';
import { configMaps, type LoadKind, type Log, load, myApps } from './load.ts';
import { ConnectionProxy } from './proxy.ts';
import { Schedule, type Stage } from './steps.ts';

/** Where the random parts of a trial start. */
export const seed: number = Number(process.env['KGEN_FUZZ_SEED'] ?? 1);

/** Clocks of informers run so much faster. Silence is noticed after 150 s, so here after 7.5 s. */
export const SPEED = 20;

export interface TrialOptions<S extends { readonly type: string }> {
  /** The server, by way of the proxy that takes the steps. */
  readonly config: ClusterConfig;
  readonly stage: Stage<S | { readonly type: 'calm' }>;
  readonly menu: readonly [S, ...S[]];
  readonly kinds?: readonly LoadKind[];
  /** Writes per namespace and kind. */
  readonly writes?: number;
  readonly speed?: number;
}

/** Informers that have followed a load through a schedule of faults. */
export interface Trial {
  readonly followers: readonly [listing: Followers, streaming: Followers];
  readonly logs: readonly Log[];
  /** What the server was asked by the informers since they were synced. */
  readonly requests: readonly SeenRequest[];
  /** The steps that were played. */
  readonly played: number;
}

/** Syncs informers of all shapes, once listing and once streaming, and runs a load while the steps of a menu are played. */
export async function trial<S extends { readonly type: string }>(
  env: Env,
  { config, stage, menu, kinds = [configMaps, myApps], writes = 80, speed = SPEED }: TrialOptions<S>,
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

/** A proxy that ends with the test whose `onTestFinished` is handed in. */
export async function startConnectionProxy(env: Env, finished: Finished): Promise<ConnectionProxy> {
  const random = randomOf(seed);
  const proxy = await ConnectionProxy.start(env.plane.config, () => random.int(1_000) / 1_000);
  finished(() => proxy.stop());
  return proxy;
}

/** The same for one that reads requests. */
export async function startRequestProxy(env: Env, finished: Finished): Promise<RequestProxy> {
  const proxy = await RequestProxy.start(env.plane.tokenConfig);
  finished(() => proxy.stop());
  return proxy;
}
