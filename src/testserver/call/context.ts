/** Input of the verbs: server state, request and target. */
import type { ServerEnvironment } from '../environment/environment.ts';
import { timestamp } from '../environment/environment.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import type { RequestMetrics } from '../request/metrics.ts';
import type { NeedLog } from '../request/needs.ts';
import type { ApiRequest } from '../request/request.ts';
import type { Cluster } from '../resources/kinds/support/rules.ts';
import type { ResourceType } from '../resources/type.ts';
import type { Store } from '../store/store.ts';
import type { StreamHandlers } from './stream-handlers.ts';

/**
 * Objects of a server with its clock and randomness: input of its controllers, and part of that of every
 * verb.
 */
export interface ServerState {
  readonly store: Store;
  readonly environment: ServerEnvironment;
  readonly authenticator: Authenticator;
  readonly streams: StreamHandlers;
  readonly needs: NeedLog;
  readonly metrics: RequestMetrics;
}

/** Input of every verb. Warnings are collected while it runs. */
export interface Context extends ServerState {
  readonly request: ApiRequest;
  readonly type: ResourceType;
  /** Empty for all namespaces and for cluster-scoped kinds. */
  readonly namespace: string;
  /** Empty for the collection. */
  readonly name: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly warnings: Set<string>;
}

/** Returns what the rules of kinds may use in a write. */
export function clusterOf(
  { store, environment, request }: Context,
  { dryRun }: { readonly dryRun: boolean },
): Cluster {
  return {
    store,
    random: () => environment.random(),
    now: () => timestamp(environment),
    user: request.user,
    dryRun,
  };
}
