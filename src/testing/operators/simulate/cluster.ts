/** The cluster of one simulated run: a server in memory without ports, in virtual time. */
import { type ClusterConfig, withToken } from '@kgen/runtime';
import type { APIRequest, Transport } from '@kgen/runtime/rest';
import { type Json, type JsonObject, putAt, text } from '@kgen/schema/values/json';
import { writeJson } from '@kgen/schema/values/wire';
import type { BoundRole, PermissionReport } from '@kgen/testserver/internal/access/permissions';
import { boundRoles, forbiddenLines, permissionReport } from '@kgen/testserver/internal/access/permissions';
import type { ServerState } from '@kgen/testserver/internal/call/context';
import type { PodRule } from '@kgen/testserver/internal/controllers/kubelet/rules';
import { PodRules } from '@kgen/testserver/internal/controllers/kubelet/rules';
import type { ControllerRunner } from '@kgen/testserver/internal/controllers/runner';
import { type BuiltInControllers, isOn, startControllers } from '@kgen/testserver/internal/controllers/start';
import type { BookmarkTimes } from '@kgen/testserver/internal/http/bookmarks';
import { ArmedFaults } from '@kgen/testserver/internal/http/faults';
import { inProcessTransport } from '@kgen/testserver/internal/http/in-process';
import { type LoggedRequest, WritableLog } from '@kgen/testserver/internal/http/request-log';
import { Watches } from '@kgen/testserver/internal/http/watches';
import {
  accountUser,
  administrator,
  authenticatedGroup,
  mastersGroup,
  type User,
} from '@kgen/testserver/internal/identity/user';
import { NeedLog } from '@kgen/testserver/internal/request/needs';
import { servedTypes } from '@kgen/testserver/internal/resources/catalog';
import { type ResourceType, storageKey } from '@kgen/testserver/internal/resources/type';
import { dispatch } from '@kgen/testserver/internal/routing/dispatch';
import type { AccountSource } from '@kgen/testserver/internal/server/account';
import type { CrdSource } from '@kgen/testserver/internal/server/crds';
import { createNodes } from '@kgen/testserver/internal/server/nodes';
import { loadObjects } from '@kgen/testserver/internal/server/objects';
import type { ObjectSource } from '@kgen/testserver/internal/server/sources';
import { emptyState, environmentOf, seededState } from '@kgen/testserver/internal/server/state';
import { VirtualTime } from '@kgen/testserver/internal/server/virtual-time';
import type { StoreContent } from '@kgen/testserver/internal/store/store';
import { setWebhookClient } from '@kgen/testserver/internal/webhooks/registry';
import { bystanderNamespace } from './checks/bystanders.ts';
import type { Finding } from './checks/finding.ts';
import { isBookkeeping } from './history.ts';
import { ServedWebhooks } from './process/served-webhooks.ts';
import { ServedServices, withItems } from './process/services/served-services.ts';
import type { SimulatedService } from './process/services/service.ts';
import { copiesIn } from './run/elsewhere.ts';
import { type Outcome, repeatMs, UserRequests, userManager } from './run/user-requests.ts';

/** Content of the cluster when a run begins; as in `startTestServer`. */
export interface ClusterOptions {
  readonly crds?: readonly CrdSource[];
  readonly objects?: readonly ObjectSource[];
  readonly namespaces?: readonly string[];
  /**
   * Manifests of the service account as which the operator runs. A request that no rule of its roles allows
   * is a failure. Default: the operator is an administrator.
   */
  readonly as?: AccountSource;
  /** Built-in controllers of the simulated cluster. Default: all. */
  readonly controllers?: BuiltInControllers;
  /** Rules of the behaviour of pods. Default: pods are ready at once. */
  readonly pods?: readonly PodRule[];
  /** External services, to which the operator sends requests with `fetch`. Default: none. */
  readonly services?: readonly SimulatedService[];
}

/** The state with which every run begins. */
export interface ClusterBase {
  readonly options: ClusterOptions;
  readonly content: StoreContent;
  readonly revision: number;
  /** Time of its creation. */
  readonly startMs: number;
  /** Roles of the service account. */
  readonly roles: readonly BoundRole[];
  /** Permissions that the account has needed in all runs. */
  readonly needs: NeedLog;
}

/** Creates the state with which runs begin. */
export async function clusterBase(options: ClusterOptions): Promise<ClusterBase> {
  const time = new VirtualTime();
  const { objects = [], namespaces = [] } = options;
  const loaded = (await loadObjects(objects)).map(({ value }) => value);
  const state = await seededState(
    {
      ...options,
      namespaces: [...namespaces, bystanderNamespace],
      objects: [...objects, ...copiesIn(otherNamespace, loaded)],
      seed: 0,
    },
    time,
  );
  if (isOn(options.controllers ?? true, 'pods')) createNodes(state, ['test-node']);
  const controllers = controllersOf(state, options, new PodRules(options.pods ?? []));
  controllers.settle();
  controllers.stop();
  const { store, needs } = state;
  const roles = needs.account === undefined ? [] : boundRoles(store, needs.account);
  const content = withItems(store.content(), options.services ?? []);
  return { options, content, revision: store.revision, startMs: time.now(), roles, needs };
}

/** Compares the requests of all runs with the rules of the service account, if there is one. */
export function permissionsOf({ roles, needs }: ClusterBase): PermissionReport | undefined {
  return needs.account === undefined ? undefined : permissionReport(needs.account, roles, needs.all());
}

/** Number of replicas that autoscalers aim at. */
const load = 4;

function controllersOf(
  state: ServerState,
  { controllers = true }: ClusterOptions,
  rules: PodRules,
): ControllerRunner {
  return startControllers(state, { options: controllers, rules, load });
}

/** Watches know the latest version soon, as those of clusters in which other objects change. */
const bookmarkTimes: BookmarkTimes = {
  everyMs: 60_000,
  afterChangeMs: 60,
  // Leases are renewed all the time, which nothing but their versions shows.
  isFollowed: ({ resource }) => !isBookkeeping(resource),
};

/** Names of the processes, which are numbered from 1. */
export const replicaPrefix = 'replica-';

type Method = 'POST' | 'PATCH' | 'DELETE';

/** Status of a creation under a name that exists. */
const alreadyExists = 409;

/** Maximum time until a deleted object is gone. */
const mostRecreationMs = 600_000;

/** A second namespace, in which users create objects under the names of the first one. */
export const otherNamespace = 'elsewhere';

/** Returns a finding for the requests of a run that no rule of the service account allowed, if any. */
export function missingPermissions({ state }: SimulatedCluster): readonly Finding[] {
  const lines = forbiddenLines(state.needs.all());
  return lines.length === 0 ? [] : [{ check: 'permissions', message: lines.join('\n') }];
}

/** A server for one run. */
export class SimulatedCluster {
  // Everything happens in the process: nothing takes a further turn.
  readonly time: VirtualTime;
  readonly state: ServerState;
  readonly watches: Watches;
  readonly faults: ArmedFaults;
  /** Behaviour of Pods. */
  readonly pods: PodRules;
  /** Webhooks of the processes of the operator. */
  readonly webhooks: ServedWebhooks;
  /** External services of the operator. */
  readonly services: ServedServices;
  readonly #serve: Transport;
  readonly #controllers: ControllerRunner;
  /** Second in which a person has created an object last. */
  #createdSecond = 0;
  readonly #users: UserRequests;

  /**
   * @param onRequest called for each request, before it has an effect
   * @param afterMs time since the objects of `base` were created
   */
  constructor(base: ClusterBase, seed: number, onRequest: (request: LoggedRequest) => void, afterMs = 0) {
    this.time = new VirtualTime(base.startMs + afterMs, 1, hasNoImmediate);
    this.#users = new UserRequests(this.time);
    const needs = new NeedLog(base.needs.account, base.needs);
    this.state = emptyState(environmentOf(this.time, seed), needs);
    const { store } = this.state;
    this.webhooks = new ServedWebhooks(this.time);
    setWebhookClient(store, this.webhooks);
    store.replace(base.content, base.revision);
    this.pods = new PodRules(base.options.pods ?? []);
    this.#controllers = controllersOf(this.state, base.options, this.pods);
    this.#controllers.settle();
    store.beginWatches();
    this.watches = new Watches(this.state, bookmarkTimes);
    this.faults = new ArmedFaults();
    const { services = [] } = base.options;
    this.services = new ServedServices({ services, store, faults: this.faults, time: this.time, onRequest });
    const log = new ObservedLog();
    log.onRequest = onRequest;
    this.#serve = inProcessTransport(
      { state: this.state, watches: this.watches, faults: this.faults, log },
      () => false,
    );
  }

  /** Returns the network of a process. `listed` returns the state of a resource that its lists return. */
  transportOf(listed: (resource: string) => number | undefined): Transport {
    return (request) => this.#serve(lagging(request, listed));
  }

  /** Returns the configuration of a user that may do everything. */
  configOf(name: string): ClusterConfig {
    return this.#configOf({ name, groups: [mastersGroup, authenticatedGroup] }, 'default');
  }

  /** Returns the configuration of a process of the operator, which is the service account if there is one. */
  operatorConfig(name: string): ClusterConfig {
    const { account } = this.state.needs;
    return account === undefined
      ? this.configOf(name)
      : this.#configOf(accountUser(account), account.namespace);
  }

  /** Returns whether a process of the operator sends the requests of a user. */
  isOperator(user: string): boolean {
    const { account } = this.state.needs;
    return account === undefined ? user.startsWith(replicaPrefix) : user === accountUser(account).name;
  }

  #configOf(user: User, namespace: string): ClusterConfig {
    const token = this.state.authenticator.addUser(user);
    return withToken({ server: 'http://simulated.invalid', namespace }, token);
  }

  /** Returns the served type of an object. */
  typeOf({ apiVersion, kind }: Pick<ObjectId, 'apiVersion' | 'kind'>): ResourceType {
    const types = servedTypes(this.state.store);
    const type = types.find((each) => each.apiVersion === apiVersion && each.kind === kind);
    if (type === undefined)
      throw new TypeError(`the cluster does not serve ${kind} of ${apiVersion}: add its CRD`);
    return type;
  }

  /** Returns an object. */
  find(id: ObjectId): JsonObject | undefined {
    const type = this.typeOf(id);
    return this.state.store.get(type.storage, storageKey(type, id.namespace, id.name));
  }

  /** Sends the request of a person; see {@link UserRequests.send}. */
  send(method: Method, id: ObjectId, body: JsonObject = {}): Promise<Outcome> {
    return this.#users.send(idText(id), () => this.#request(method, id, body));
  }

  async #request(
    method: Method,
    id: ObjectId,
    body: JsonObject,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Outcome> {
    const path = pathOf(this.typeOf(id), id, method === 'POST');
    const response = await dispatch(this.state, {
      method,
      path,
      pathname: `/${path.join('/')}`,
      query: new URLSearchParams(method === 'DELETE' ? query : { ...query, fieldManager: userManager }),
      accept: '',
      contentType: method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      userAgent: 'user',
      user: administrator,
      body: writeJson(body),
    });
    if (response.kind !== 'failure')
      return { code: response.kind === 'json' ? response.code : 200, message: '' };
    const { code, message } = response.problem;
    return { code, message };
  }

  /**
   * Sends the request of a person who creates an object: in another second than the one before, so that the
   * order of their creation times is the same in each run of a schedule.
   */
  create(object: JsonObject): Promise<Outcome> {
    const second = Math.floor(this.time.now() / 1_000);
    if (second <= this.#createdSecond) this.time.skip((this.#createdSecond + 1) * 1_000 - this.time.now());
    this.#createdSecond = Math.floor(this.time.now() / 1_000);
    return this.send('POST', idOf(object), object);
  }

  /** Sends the requests of a person who deletes an object, and creates it again once it is gone. */
  async recreate(object: JsonObject): Promise<Outcome> {
    const id = idOf(object);
    await this.send('DELETE', id);
    for (let waitedMs = 0; ; waitedMs += repeatMs) {
      const isLate = waitedMs >= mostRecreationMs;
      if (isLate || !this.#users.isWaiting(idText(id))) {
        const outcome = await this.create(object);
        if (isLate || outcome.code !== alreadyExists) return outcome;
      }
      await this.time.advance(repeatMs);
    }
  }

  /** Returns whether the server would create an object. */
  async accepts(object: JsonObject): Promise<boolean> {
    const { code } = await this.#request('POST', idOf(object), object, { dryRun: 'All' });
    return code < 400;
  }

  /** Sends the request of a person who changes a member; `null` removes it. */
  edit(id: ObjectId, path: readonly string[], value: Json): Promise<Outcome> {
    return this.send('PATCH', id, putAt({}, path, value));
  }

  stop(): void {
    this.#controllers.stop();
    this.watches.stop();
  }
}

/** Long work of a process takes several turns: the next timer must not run in between. */
function hasNoImmediate(): boolean {
  return !process.getActiveResourcesInfo().includes('Immediate');
}

/** Identifies an object; `namespace` is empty for cluster-scoped kinds. */
export interface ObjectId {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Returns the identity of an object. */
export function idOf(value: JsonObject): ObjectId {
  return {
    apiVersion: text(value, 'apiVersion'),
    kind: text(value, 'kind'),
    namespace: text(value, 'metadata', 'namespace'),
    name: text(value, 'metadata', 'name'),
  };
}

/** Returns an object as `Kind namespace/name`. */
export function idText({ kind, namespace, name }: ObjectId): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

function pathOf(
  { group, version, namespaced, plural }: ResourceType,
  { namespace, name }: ObjectId,
  isCollection: boolean,
): readonly string[] {
  const root = group === '' ? ['api', version] : ['apis', group, version];
  const scope = namespaced ? ['namespaces', namespace] : [];
  return [...root, ...scope, plural, ...(isCollection ? [] : [name])];
}

/** Returns the request for a list that need not be the newest one as a request for an older state. */
function lagging(request: APIRequest, listed: (resource: string) => number | undefined): APIRequest {
  const query = new Map(request.query);
  const version = query.get('resourceVersion') ?? '';
  if (request.method !== 'GET' || query.get('watch') === 'true' || version === '') return request;
  const match = query.get('resourceVersionMatch') ?? '';
  const isExact = match === 'Exact' || (match === '' && query.has('limit') && version !== '0');
  const [resource = ''] = request.path.split('/').slice(-1);
  const revision = isExact ? undefined : listed(resource);
  if (revision === undefined || revision < Number(version)) return request;
  query.set('resourceVersion', String(revision)).set('resourceVersionMatch', 'Exact');
  return { ...request, query: [...query] };
}

/** A log that keeps nothing. */
class ObservedLog extends WritableLog {
  onRequest: (request: LoggedRequest) => void = () => undefined;

  override add(request: LoggedRequest): void {
    this.onRequest(request);
  }
}
