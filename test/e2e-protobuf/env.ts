import { DiscoveryClient } from '@kgen/runtime/discovery';
import type { ControlPlaneOptions } from '@kgen/testing';
import { afterAll, beforeAll } from 'vitest';
import { onControlPlane, type Env as Plane } from '../support/audited-plane.ts';
import { json, RawClient } from './raw-client.ts';
import { builtIn, type Served } from './served-resources.ts';
import type { Home } from './specimens.ts';

/** Environment of the tests; usable once the server runs. */
export interface Env extends Plane {
  /** Client that is independent of the runtime. */
  readonly raw: RawClient;
  /** Built-in resources of the server, before the tests add any. */
  readonly served: readonly Served[];
  /** Minor version of the server: 36. */
  readonly minor: number;
  /** Creates a namespace with the objects that samples require. */
  home(): Promise<Home>;
}

/** Flags that enable every API of a server, including disabled ones. */
export const everything: readonly string[] = [
  '--runtime-config=api/all=true',
  '--feature-gates=AllAlpha=true,AllBeta=true',
];

/** Runs tests against a control plane of their own, or skips them with the reason if none is available. */
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

/** Creates the service account that pods require and controllers create in a complete cluster. */
async function makeServiceAccount(raw: RawClient, namespace: string): Promise<void> {
  const { status } = await raw.request({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts`,
    body: JSON.stringify({ metadata: { name: 'default' } }),
    contentType: json,
  });
  if (status !== 201 && status !== 409) throw new Error(`no service account: ${status}`);
}

function started<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the server does not run yet: use this inside a test');
  return value;
}
