import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClusterConfig } from '@kgen/runtime';
import { parseKubeconfig } from '@kgen/runtime/kubeconfig';
import { dump } from 'js-yaml';
import { dispatch } from '../api/dispatch.ts';
import { Failure } from '../api/status.ts';
import { concernsControllers, settle } from '../controllers/settle.ts';
import { ArmedFaults, type FaultInjector, type LoggedRequest } from '../http/faults.ts';
import { createListener } from '../http/listener.ts';
import { Watches } from '../http/watches.ts';
import { Store } from '../store/store.ts';
import { type JsonObject, text } from '../values/json.ts';
import { writeJson } from '../values/wire.ts';
import { type CrdSource, loadDefinitions } from './crds.ts';

/** Options of a test server. */
export interface TestServerOptions {
  /**
   * CRDs that are installed and established before the server accepts requests: objects, YAML, or paths of
   * files, folders and globs.
   */
  readonly crds?: readonly CrdSource[];
  /** Namespaces in addition to `default` and `kube-system`. */
  readonly namespaces?: readonly string[];
  /** Seconds between bookmarks of watches that request them. Default: 60, as on a real server. */
  readonly bookmarkSeconds?: number;
}

/** An API server in memory, on a free port of the loopback interface. */
export interface TestServer {
  /** Configuration for clients, with the only token that the server accepts. */
  readonly config: ClusterConfig;
  /** The configuration as a kubeconfig file in YAML, with one context. */
  readonly kubeconfig: string;
  /** Base URL, without a path. */
  readonly url: string;
  /** Injects faults into the responses to later requests. */
  readonly faults: FaultInjector;
  /** Requests so far, oldest first. The last 10,000 are kept. */
  readonly requests: readonly LoggedRequest[];
  /** Closes all connections and the port. Has no effect after the first call. */
  stop(): Promise<void>;
}

/**
 * Starts an API server in memory on a free port of the loopback interface; `config` connects to it, `stop()`
 * ends it. It serves namespaces, CustomResourceDefinitions, and the objects of `crds` and of definitions that
 * clients create, with the behavior of a kube-apiserver: validation, defaults, server-side apply, watches,
 * deletion of namespaces. Other kinds, such as pods, result in 404, unsupported requests in 501.
 * @throws {Error} if a CRD cannot be read or the API would reject it
 * @example
 * ```ts
 * import { DynamicClient } from '@kgen/runtime/dynamic';
 * import { startTestServer } from '@kgen/testing';
 *
 * const server = await startTestServer({ crds: ['crds/myapp.yaml'], namespaces: ['shop'] });
 * const dynamic = new DynamicClient(server.config);
 * const apps = dynamic.resource({ group: 'my.domain', version: 'v1', resource: 'myapps' });
 * console.log((await apps.namespace('shop').list()).items.length); // 0
 * await server.stop();
 * ```
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const definitions = await loadDefinitions(options.crds ?? []);
  const store = new Store();
  seed(store, ['default', 'kube-system', ...(options.namespaces ?? [])], definitions);
  const stopControllers = runControllers(store);
  const watches = new Watches(store, options.bookmarkSeconds ?? 60);
  const faults = new ArmedFaults();
  const token = randomBytes(24).toString('base64url');
  const requests: LoggedRequest[] = [];
  const server = createListener({ store, watches, faults, token, log: requests });
  const url = await listen(server);
  const kubeconfig = kubeconfigFor(url, token);
  return {
    // Parsed as any other kubeconfig, so that inspection hides its token.
    config: await parseKubeconfig(kubeconfig),
    kubeconfig,
    url,
    requests,
    faults: {
      failNext: (fault) => faults.add(fault),
      cutWatches: () => watches.cut(),
      endWatches: () => watches.end(),
      sendBookmarks: () => watches.sendBookmarks(),
      compact: () => store.compact(),
    },
    stop: () => stop(server, watches, stopControllers),
  };
}

/** Creates the initial objects through the API, so that they are validated and completed. */
function seed(store: Store, namespaces: readonly string[], definitions: readonly JsonObject[]): void {
  for (const name of new Set(namespaces)) {
    post(store, ['api', 'v1', 'namespaces'], { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  for (const definition of definitions) {
    const path = ['apis', 'apiextensions.k8s.io', 'v1', 'customresourcedefinitions'];
    try {
      post(store, path, definition);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`cannot install ${text(definition, 'metadata', 'name')}: ${message}`, { cause: error });
    }
  }
  settle(store);
}

function post(store: Store, path: readonly string[], body: JsonObject): void {
  const answer = dispatch(store, {
    method: 'POST',
    path,
    query: new URLSearchParams(),
    accept: '',
    contentType: 'application/json',
    userAgent: 'kgen-test-server',
    body: writeJson(body),
  });
  if (answer.kind === 'failure') throw new Failure(answer.problem);
  if (answer.kind !== 'json') return;
  const name = text(body, 'metadata', 'name');
  for (const warning of answer.warnings) process.emitWarning(`${name}: ${warning}`, 'TestServerWarning');
}

/**
 * Runs the controllers soon after every change, never inside a request. Returns the function that stops them.
 */
function runControllers(store: Store): () => void {
  let scheduled: NodeJS.Immediate | undefined;
  const unsubscribe = store.subscribe((change) => {
    if (!concernsControllers(change)) return;
    scheduled ??= setImmediate(() => {
      scheduled = undefined;
      try {
        settle(store);
      } catch (error) {
        // No caller can catch this error: an object that a controller cannot handle must not end the test
        // run.
        const message = error instanceof Error ? error.message : String(error);
        process.emitWarning(`the controllers failed: ${message}`, 'TestServerWarning');
      }
    });
  });
  return () => {
    unsubscribe();
    clearImmediate(scheduled);
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(server: Server, watches: Watches, stopControllers: () => void): Promise<void> {
  stopControllers();
  watches.stop();
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

function kubeconfigFor(server: string, token: string): string {
  const name = 'kgen-test';
  return dump({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  });
}
