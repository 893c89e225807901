/** The state of a server: its objects, clock, randomness and users. */

import { createDefaultRoles } from '../access/default-roles.ts';
import { addWebhook, type TestWebhook } from '../admission/hooks.ts';
import type { ServerState } from '../call/context.ts';
import { StreamHandlers } from '../call/stream-handlers.ts';
import { realEnvironment, type ServerEnvironment, seededRandom } from '../environment/environment.ts';
import { Authenticator } from '../identity/authenticator.ts';
import { Tokens } from '../identity/tokens.ts';
import { RequestMetrics } from '../request/metrics.ts';
import { NeedLog } from '../request/needs.ts';
import { serveAllVersions } from '../resources/catalog.ts';
import { Store } from '../store/store.ts';
import { WebhookClient, type WebhookServices } from '../webhooks/client.ts';
import { setWebhookClient } from '../webhooks/registry.ts';
import { type AccountSource, checkAccount, loadAccount } from './account.ts';
import { type CrdSource, loadDefinitions } from './crds.ts';
import { loadObjects } from './objects.ts';
import { seed } from './seed.ts';
import type { ObjectSource, SourcedObject } from './sources.ts';
import { standardClass, systemNamespaces, type VolumeBindingMode } from './system-objects.ts';
import type { ServerTime } from './virtual-time.ts';

/** Content of a server that starts. */
export interface InitialState {
  readonly crds?: readonly CrdSource[];
  readonly objects?: readonly ObjectSource[];
  readonly namespaces?: readonly string[];
  readonly as?: AccountSource;
  readonly webhooks?: readonly TestWebhook[];
  readonly webhookServices?: WebhookServices;
  readonly seed?: number;
  readonly apiVersions?: 'stable' | 'all';
  readonly defaultStorageClass?: VolumeBindingMode;
}

/** Returns a server with its definitions, objects and webhooks. */
export async function seededState(options: InitialState, time: ServerTime): Promise<ServerState> {
  const definitions = await loadDefinitions(options.crds ?? []);
  const objects = await loadObjects(options.objects ?? []);
  const loaded = options.as === undefined ? undefined : await loadAccount(options.as);
  const state = emptyState(environmentOf(time, options.seed), new NeedLog(loaded?.account));
  if (options.apiVersions === 'all') serveAllVersions(state.store);
  createDefaultRoles(state);
  setWebhookClient(state.store, new WebhookClient(options.webhookServices));
  const namespaces = [...systemNamespaces, ...(options.namespaces ?? []), ...(loaded?.namespaces ?? [])];
  const initial = [...classesOf(options), ...(loaded?.objects ?? []), ...objects];
  await seed(state, { namespaces, definitions, objects: initial });
  if (loaded !== undefined) checkAccount(state.store, loaded);
  for (const webhook of options.webhooks ?? []) addWebhook(state.store, webhook);
  return state;
}

/** Returns the default class, before the claims that get it. */
function classesOf({ defaultStorageClass: mode }: InitialState): readonly SourcedObject[] {
  return mode === undefined ? [] : [{ place: 'defaultStorageClass', value: standardClass(mode) }];
}

/** Returns the clock and the randomness of a server. Default of `seed`: random numbers of the process. */
export function environmentOf({ now, timer }: ServerTime, seed: number | undefined): ServerEnvironment {
  return { now, timer, random: seed === undefined ? realEnvironment.random : seededRandom(seed) };
}

/**
 * Returns a server without objects.
 * @param needs log of the permissions that a service account needs. Default: nothing is noted
 */
export function emptyState(environment: ServerEnvironment, needs: NeedLog = new NeedLog()): ServerState {
  const store = new Store(environment.now);
  const authenticator = new Authenticator(new Tokens(store, environment));
  const [streams, metrics] = [new StreamHandlers(), new RequestMetrics()];
  return { store, environment, authenticator, streams, needs, metrics };
}
