import type { ClusterConfig } from '@kgen/runtime';
import type { Transport } from '@kgen/runtime/rest';
import { boundRoles, type PermissionReport, permissionReport } from '../access/permissions.ts';
import { addWebhook, type TestWebhook } from '../admission/hooks.ts';
import type { ServerState } from '../call/context.ts';
import type {
  AttachHandler,
  ExecHandler,
  LogHandler,
  PortForwardHandler,
  StreamHandlers,
} from '../call/stream-handlers.ts';
import { type PodRule, PodRules } from '../controllers/kubelet/rules.ts';
import { defaultNode } from '../controllers/kubelet/scheduler/claims.ts';
import type { ControllerRunner } from '../controllers/runner.ts';
import { type BuiltInControllers, isOn, startControllers } from '../controllers/start.ts';
import { ArmedFaults, type FaultInjector } from '../http/faults.ts';
import { inProcessTransport } from '../http/in-process.ts';
import { requestHandler, upgradeHandler } from '../http/listener.ts';
import { type ListenAddress, openPlain, openSecure, serverAuthority } from '../http/ports.ts';
import { type RequestLog, type RequestMatch, WritableLog } from '../http/request-log.ts';
import type { ServerParts } from '../http/serve.ts';
import { Watches, type WatchHold } from '../http/watches.ts';
import { accountUser, administrator } from '../identity/user.ts';
import type { Store } from '../store/store.ts';
import type { WebhookServices } from '../webhooks/client.ts';
import type { AccountSource } from './account.ts';
import type { CrdSource } from './crds.ts';
import { createNodes, type TestNode } from './nodes.ts';
import { restoreSnapshot, type ServerSnapshot, takeSnapshot } from './snapshot.ts';
import type { ObjectSource } from './sources.ts';
import { seededState } from './state.ts';
import { type TestUser, usersOf } from './users.ts';
import { MovableTime, realTime, type ServerTime, VirtualTime } from './virtual-time.ts';

/** Options of a test server. */
export interface TestServerOptions {
  /**
   * CRDs that are installed and established before the server accepts requests: objects, YAML, or paths of
   * files, folders and globs.
   */
  readonly crds?: readonly CrdSource[];
  /**
   * Objects that exist before the server accepts requests, from the same sources as `crds`. They are created
   * in the order of their dependencies, in the namespace `default` if they name none, and keep their status.
   */
  readonly objects?: readonly ObjectSource[];
  /**
   * Manifests of a service account with its roles and bindings, from the same sources as `objects`: the path
   * of a folder such as `rbac/`. They are installed, and `config` is that of the account, so that a program
   * runs with exactly these permissions. `{ manifests, serviceAccount: 'namespace/name' }` chooses one of
   * several accounts. Default: `config` is that of the administrator.
   */
  readonly as?: AccountSource;
  /**
   * Whether `config` uses HTTPS too, so that no request is sent without encryption. Default: false, because
   * HTTP is faster.
   */
  readonly https?: boolean;
  /** Namespaces in addition to `default` and those that begin with `kube-`. */
  readonly namespaces?: readonly string[];
  /** Admission webhooks that are functions in this process. `server.webhooks.add` adds more of them later. */
  readonly webhooks?: readonly TestWebhook[];
  /**
   * Webhooks behind services, by `namespace/name`: webhook configurations and the conversion of CRDs name a
   * service, which does not exist without a cluster. A base URL such as `https://127.0.0.1:9443`, or a
   * function that receives each review with the path and returns it with its `response`.
   */
  readonly webhookServices?: WebhookServices;
  /**
   * Controllers of a cluster: `false` for none, a list of names for only these, or an object that switches
   * single ones off, such as `{ pods: false }`. Default: all.
   */
  readonly controllers?: BuiltInControllers;
  /**
   * Nodes, or their names, unless `objects` contains nodes. Default: `test-node`, if pods run. The scheduler
   * fits pods to what nodes declare.
   */
  readonly nodes?: readonly (string | TestNode)[];
  /**
   * Creates the storage class `standard`, the default of claims: its volumes are provisioned at once, or when
   * a Pod that uses the claim is scheduled. Default: none exists.
   */
  readonly defaultStorageClass?: 'Immediate' | 'WaitForFirstConsumer';
  /**
   * Behaviour of pods, by the first rule that matches: delays, failures, crash loops. Default: pods are
   * scheduled, running and ready at once, and pods of Jobs succeed.
   */
  readonly pods?: readonly PodRule[];
  /**
   * Whether controllers, the scheduler and the kubelets record events. Default: false, so that a test sees
   * only the events of its program.
   */
  readonly events?: boolean;
  /** Milliseconds between bookmarks of watches that request them. Default: 60,000, as on a real server. */
  readonly bookmarkMs?: number;
  /**
   * Clock of everything in the server that waits. With `virtual` it stands still until `time.advance` is
   * called, and begins at 2026-01-01T00:00:00Z, or at `start` in milliseconds since the epoch. No timer of
   * the process runs for it. With `movable` it is the clock of the process, which `time.advance` moves ahead;
   * clocks of clients do not follow. Default: `real`.
   */
  readonly time?: 'real' | 'movable' | 'virtual' | { readonly start: number };
  /**
   * Determines everything random: UIDs, names of `generateName`, time-outs of watches. Equal requests in an
   * equal order then have equal results. Default: random.
   */
  readonly seed?: number;
  /**
   * Versions of built-in kinds: those that a real server serves by default, or `all`, with alpha and beta, as
   * with `--runtime-config=api/all=true`. Default: `stable`.
   */
  readonly apiVersions?: 'stable' | 'all';
}

/** Registry of the rules that determine the behaviour of pods. */
export interface PodControl {
  /** Adds a rule before all others, for present and future pods. Returns the function that removes it. */
  add(rule: PodRule): () => void;
}

/** An API server in memory, on a free port of the loopback interface. */
export interface TestServer {
  /**
   * Configuration of an administrator for clients in this process; with the option `as`, of the service
   * account, in its namespace.
   */
  readonly config: ClusterConfig;
  /** Configuration of an administrator, with the option `as` too. */
  readonly admin: ClusterConfig;
  /**
   * Kubeconfig of the user of `config` in YAML, for kubectl and other programs. It uses HTTPS with an
   * authority of this process, because programs do not send tokens without encryption.
   */
  readonly kubeconfig: string;
  /**
   * Returns the configuration of another user. RBAC decides on its permissions, from the roles and bindings
   * that the server stores: a request without permission results in 403, and in an entry of `requests` with
   * `forbidden`. The user of a service account has its groups, and every user is a member of
   * `system:authenticated`. `kubeconfigOf` returns a configuration as a kubeconfig.
   */
  as(user: TestUser): ClusterConfig;
  /**
   * Compares all requests of the service account of the option `as` with the rules of its roles: requests
   * that no rule allowed, and rules that no request needed. Permissions that every user has, such as for
   * discovery, do not count.
   * @throws {TypeError} without the option `as`
   * @example
   * ```ts
   * import { startTestServer } from '@kgen/testserver';
   *
   * const server = await startTestServer({ as: 'rbac/' });
   * // … the tests of an operator that runs with server.config
   * server.permissions().expect({ strict: true });
   * await server.stop();
   * ```
   */
  permissions(): PermissionReport;
  /**
   * Registers the handler of `GET …/pods/<name>/log`, which replaces the one before. Without a handler the
   * response is 501.
   * @example
   * ```ts
   * import { startTestServer } from '@kgen/testserver';
   *
   * const server = await startTestServer();
   * server.onLogs(async function* ({ pod }) {
   *   yield `${pod} starts`;
   *   yield { text: 'ready', time: new Date() };
   * });
   * await server.stop();
   * ```
   */
  onLogs(handler: LogHandler): void;
  /**
   * Registers the handler of commands in containers (`kubectl exec`, `kubectl cp`), which replaces the one
   * before. Without a handler the response is 501.
   * @example
   * ```ts
   * import { startTestServer } from '@kgen/testserver';
   *
   * const server = await startTestServer();
   * server.onExec(async ({ command, stdin, stdout }) => {
   *   for await (const chunk of stdin) stdout.write(chunk);
   *   return { code: command[0] === 'cat' ? 0 : 127 };
   * });
   * await server.stop();
   * ```
   */
  onExec(handler: ExecHandler): void;
  /**
   * Registers the handler of `kubectl attach`, which replaces the one before. Without a handler the response
   * is 501.
   */
  onAttach(handler: AttachHandler): void;
  /**
   * Registers the handler of connections to ports of pods, which replaces the one before. Without a handler
   * the response is 501.
   * @example
   * ```ts
   * import { connect } from 'node:net';
   * import { pipeline } from 'node:stream/promises';
   * import { startTestServer } from '@kgen/testserver';
   *
   * const server = await startTestServer();
   * server.onPortForward(({ stream }) => pipeline(stream, connect(5432, '127.0.0.1'), stream));
   * await server.stop();
   * ```
   */
  onPortForward(handler: PortForwardHandler): void;
  /** Base URL of the server, without a path: `http://127.0.0.1:36123`. */
  readonly url: string;
  /** Rules for the simulated kubelet: how pods start, become ready, fail and end. */
  readonly pods: PodControl;
  /** Injects faults into the responses to later requests. */
  readonly faults: FaultInjector;
  /** Registers admission webhooks that are functions of this process, without HTTP and certificates. */
  readonly webhooks: {
    /**
     * Adds a webhook, which is called after those of webhook configurations. Returns the function that
     * removes it.
     */
    add(webhook: TestWebhook): () => void;
  };
  /** Log of the requests, oldest first. The last 10,000 are kept. */
  readonly requests: RequestLog;
  /** Clock of the server: the current time, timers, and the advance of virtual time. */
  readonly time: ServerTime;
  /**
   * Sends requests to the server within the process, without a socket:
   * `new Clientset(server.config, { transport: server.transport })`. Users, watches, faults and the log are
   * those of sockets.
   */
  readonly transport: Transport;
  /**
   * Holds back the events of watches whose requests match, of those that begin later too, until they are
   * released: caches of clients lag behind. Lists are not affected. Default: all watches.
   */
  hold(match?: RequestMatch): WatchHold;
  /** Returns a copy of all objects that the server stores now, for `restore`. */
  snapshot(): ServerSnapshot;
  /**
   * Replaces all objects by those of a snapshot, of another server too. Objects have the resourceVersions of
   * the snapshot, and those of later writes are higher than any before. Every earlier resourceVersion is
   * expired: open watches end with an ERROR event 410. The clock and the randomness continue.
   */
  restore(snapshot: ServerSnapshot): void;
  /** Closes all connections and the port. Has no effect after the first call. */
  stop(): Promise<void>;
}

/**
 * Starts an API server in memory on a free port of the loopback interface; `config` connects to it, `stop()`
 * ends it. It serves the built-in kinds, and the kinds of `crds` and of definitions that clients create, with
 * the behavior of a kube-apiserver: validation, defaults, server-side apply, watches, permissions of users.
 * Unsupported requests result in 501.
 * @throws {Error} if a CRD or an object cannot be read or the API would reject it; names the file and line
 * @example
 * ```ts
 * import { DynamicClient } from '@kgen/runtime/dynamic';
 * import { startTestServer } from '@kgen/testserver';
 *
 * const server = await startTestServer({ crds: ['crds/myapp.yaml'], namespaces: ['shop'] });
 * const dynamic = new DynamicClient(server.config);
 * const apps = dynamic.resource({ group: 'my.domain', version: 'v1', resource: 'myapps' });
 * console.log((await apps.namespace('shop').list()).items.length); // 0
 * await server.stop();
 * ```
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  return (await startObservedServer(options)).server;
}

/** A server, and the parts that an observer in this process needs. */
export interface ObservedServer {
  readonly server: TestServer;
  readonly store: Store;
  readonly log: WritableLog;
  /** Name of the user of `config`. */
  readonly user: string;
}

/**
 * Starts a server as `startTestServer`. For packages of this repository.
 * @param address of the port for HTTPS
 */
export async function startObservedServer(
  options: TestServerOptions,
  address: ListenAddress = {},
): Promise<ObservedServer> {
  const { controllers: chosen = true } = options;
  const time = timeOf(options.time ?? 'real');
  const state = await seededState(options, time);
  createNodes(state, options.nodes ?? (isOn(chosen, 'pods') ? [defaultNode] : []));
  const rules = new PodRules(options.pods ?? []);
  const controllers = startControllers(state, {
    options: chosen,
    rules,
    authority: serverAuthority(),
    events: options.events === true,
  });
  controllers.settle();
  state.store.beginWatches();
  const watches = new Watches(state, { everyMs: options.bookmarkMs ?? 60_000 });
  const faults = new ArmedFaults();
  const requests = new WritableLog();
  const parts = { state, watches, faults, log: requests };
  const opening = openServer(parts, { options, time, rules, controllers, address });
  const server = await opening.catch((cause: unknown) => {
    controllers.stop();
    watches.stop();
    throw cause;
  });
  const { store, needs } = state;
  const { name: user } = needs.account === undefined ? administrator : accountUser(needs.account);
  return { server, store, log: requests, user };
}

/** Parts of a server that requests do not need. */
interface ServerControls {
  readonly options: TestServerOptions;
  readonly time: ServerTime;
  readonly rules: PodRules;
  readonly controllers: ControllerRunner;
  readonly address: ListenAddress;
}

/** Opens the ports of a server. */
async function openServer(parts: ServerParts, controls: ServerControls): Promise<TestServer> {
  const { options, time, rules, controllers, address } = controls;
  const { state, watches, log } = parts;
  const handlers = { request: requestHandler(parts), upgrade: upgradeHandler(parts) };
  let isStopped = false;
  const secure = await openSecure(handlers, address);
  const plain = options.https === true ? undefined : await openPlain(handlers);
  const users = usersOf(state.authenticator, secure.url, plain?.url, state.needs.account);
  return {
    config: users.config,
    admin: users.admin,
    url: users.url,
    as: users.as,
    permissions: () => permissionsOf(state),
    ...registrationOf(state.streams),
    get kubeconfig() {
      return users.kubeconfig;
    },
    requests: log,
    webhooks: { add: (webhook) => addWebhook(state.store, webhook) },
    time,
    transport: inProcessTransport(parts, () => isStopped),
    hold: (match) => watches.hold(match),
    snapshot: () => takeSnapshot(state.store),
    restore: (snapshot) => restoreSnapshot(state.store, watches, controllers, snapshot),
    pods: { add: (rule) => rules.add(rule) },
    faults: injectorOf(parts),
    stop: async () => {
      isStopped = true;
      controllers.stop();
      watches.stop();
      await Promise.all([secure.close(), plain?.close()]);
    },
  };
}

function permissionsOf({ store, needs }: ServerState): PermissionReport {
  const { account } = needs;
  if (account === undefined) throw new TypeError('permissions() needs the option `as` of startTestServer');
  return permissionReport(account, boundRoles(store, account), needs.all());
}

function registrationOf(
  streams: StreamHandlers,
): Pick<TestServer, 'onLogs' | 'onExec' | 'onAttach' | 'onPortForward'> {
  return {
    onLogs: (handler) => streams.set('logs', handler),
    onExec: (handler) => streams.set('exec', handler),
    onAttach: (handler) => streams.set('attach', handler),
    onPortForward: (handler) => streams.set('portForward', handler),
  };
}

function timeOf(time: NonNullable<TestServerOptions['time']>): ServerTime {
  if (time === 'real') return realTime;
  if (time === 'movable') return new MovableTime();
  return new VirtualTime(time === 'virtual' ? undefined : time.start);
}

function injectorOf({ state, watches, faults }: ServerParts): FaultInjector {
  return {
    failNext: (fault) => faults.add(fault),
    clear: () => faults.clear(),
    cutWatches: (match) => watches.cut(match),
    endWatches: (match) => watches.end(match),
    expireWatches: (match) => watches.expire(match),
    sendBookmarks: (match) => watches.sendBookmarks(match),
    compact: () => state.store.compact(),
  };
}
