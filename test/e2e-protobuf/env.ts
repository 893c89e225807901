import { DiscoveryClient } from '@kgen/runtime';
import type { ControlPlaneOptions } from '@kgen/testing';
import { afterAll, beforeAll } from 'vitest';
import { onControlPlane, type Env as Plane } from '../e2e-informers/env.ts';
import { json, RawClient } from './raw.ts';
import { builtIn, type Served } from './served.ts';
import type { Home } from './specimens.ts';

/** What tests work with; usable once the server runs. */
export interface Env extends Plane {
  /** Beside every client. */
  readonly raw: RawClient;
  /** What the server had built in before anything was added to it. */
  readonly served: readonly Served[];
  /** Minor version of the server: 36. */
  readonly minor: number;
  /** A namespace with what samples need to be made in it. */
  home(): Promise<Home>;
}

/** Everything that a server has, also what it hides. */
export const everything: readonly string[] = [
  '--runtime-config=api/all=true',
  '--feature-gates=AllAlpha=true,AllBeta=true',
];

/** Runs tests against a control plane of their own; says in one line why not where there is none. */
export function onServer(name: string, options: ControlPlaneOptions, tests: (env: Env) => void): void {
  onControlPlane(name, options, (plane) => tests(useEnv(plane)));
}

function useEnv(plane: Plane): Env {
  let raw: RawClient | undefined;
  let served: readonly Served[] | undefined;
  let minor: number | undefined;
  beforeAll(async () => {
    raw = new RawClient(plane.plane.tokenConfig);
    served = await builtIn(plane.direct.rest);
    minor = Number((await new DiscoveryClient(plane.direct.rest).serverVersion()).minor);
  });
  afterAll(() => raw?.close());
  const opened = (): RawClient => started(raw);
  return {
    get plane() {
      return plane.plane;
    },
    get direct() {
      return plane.direct;
    },
    namespaces: (count) => plane.namespaces(count),
    requests: (userAgent) => plane.requests(userAgent),
    get raw() {
      return opened();
    },
    get served() {
      return started(served);
    },
    get minor() {
      return started(minor);
    },
    home: async () => {
      const [namespace = ''] = await plane.namespaces(1);
      await makeServiceAccount(opened(), namespace);
      return { namespace, authority: plane.plane.config.tls?.ca ?? '' };
    },
  };
}

/** Pods need one, which controllers make where there are any. */
async function makeServiceAccount(raw: RawClient, namespace: string): Promise<void> {
  const { status } = await raw.ask({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts`,
    body: JSON.stringify({ metadata: { name: 'default' } }),
    contentType: json,
  });
  if (status !== 201 && status !== 409) throw new Error(`no service account: ${status}`);
}

function started<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the server does not run yet: ask for this inside a test');
  return value;
}
