/** Tests of a generated client against the cluster that it is used with. */
import { type ClientConnection, type RESTClient, TransportError } from '@kgen/runtime';
import type { ClientsetBase, ResourceFacts } from '@kgen/runtime/gen/v1';
import { messageOf } from '@kgen/schema/values/thrown';
import { type Drift, type DriftKind, driftsOf, nameOf } from 'kgen/contract';
import { quietClient } from './check.ts';
import { refusedSamples } from './dry-run.ts';
import { globalFramework, loadFramework, skipTest, type TestBody, type TestFramework } from './framework.ts';
import { type ContractClient, knownResource, resourcesOf } from './known.ts';
import { readServedApi, type ServedApiVersion } from './served.ts';

export type { TestBody, TestFramework } from './framework.ts';

/**
 * Connection to the cluster that is tested, or a function that returns it. The function is called by the
 * first test, so that a hook such as `beforeAll` can start the server.
 */
export type ContractCluster = ClientConnection | (() => ClientConnection | Promise<ClientConnection>);

/** Options of `contractTests`. */
export interface ContractTestOptions {
  /** Returns whether a drift is accepted: it neither fails a test nor is reported. Default: none is. */
  readonly ignore?: (drift: Drift) => boolean;
  /** Called for each drift that is not breaking. Default: prints it with `console.warn`. */
  readonly onDrift?: (drift: Drift) => void;
  /**
   * Kinds of which samples are created: `own`, those that the API server stores itself, which are built-in
   * kinds and those of definitions, or `all`. Other servers behind an APIService may ignore that a request
   * is a dry run, and store the samples. Default: `own`.
   */
  readonly sampled?: 'own' | 'all';
  /** Maximum number of samples of each resource that are created in dry runs. 0: none. Default: 5. */
  readonly samples?: number;
  /** Number from which samples are derived. Default: 1. */
  readonly seed?: number;
  /** Namespace of the samples of namespaced resources, which has to exist. Default: `default`. */
  readonly namespace?: string;
  /** Limit of each test, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  /**
   * Functions that register the tests. Default: global functions, as jest and vitest with `globals: true`
   * have them; those of vitest if it runs the process; otherwise those of `node:test`.
   */
  readonly framework?: TestFramework;
}

/**
 * Registers tests with vitest, jest or `node:test` that compare a generated clientset, its class or a list
 * of descriptors with a cluster. For each resource they check that
 * - the cluster serves it with its scope, verbs and subresources,
 * - its fields are compatible in both directions: requests are still accepted, responses are still complete,
 * - samples of the client's schema are accepted in dry runs.
 *
 * A test fails for breaking drifts and lists them. Reading needs the cluster role `system:discovery`,
 * samples the permission to create; without it their test is skipped with the reason. Samples are created
 * for kinds that the API server stores itself, which stores nothing in dry runs; `sampled: 'all'` includes
 * the kinds of other servers. A server that stores the first sample nevertheless fails the test. If the
 * cluster cannot be read, one test fails and the others are skipped.
 *
 * The promise resolves when the tests are registered. Await it, except in jest.
 *
 * @throws {TypeError} the clientset names no resource
 * @example
 * ```ts
 * import { loadConfig } from '@kgen/runtime';
 * import { contractTests } from '@kgen/testing';
 * import { Clientset } from './generated/index.js';
 *
 * await contractTests(Clientset, () => loadConfig());
 * ```
 */
export function contractTests(
  client: ContractClient,
  cluster: ContractCluster,
  options: ContractTestOptions = {},
): Promise<void> {
  const framework = options.framework ?? globalFramework();
  // Jest collects tests synchronously.
  if (framework !== undefined) return Promise.resolve(register(framework, client, cluster, options));
  return loadFramework().then((loaded) => register(loaded, client, cluster, options));
}

function register(
  framework: TestFramework,
  client: ContractClient,
  cluster: ContractCluster,
  options: ContractTestOptions,
): void {
  const resources = resourcesOf(client);
  const server = new Server(cluster, resources);
  framework.describe('contract of the client with the cluster', () => {
    framework.afterAll(() => server.close());
    for (const resource of resources) registerResource(framework, resource, server, options);
  });
}

function registerResource(
  { describe, test }: TestFramework,
  resource: ResourceFacts,
  server: Server,
  options: ContractTestOptions,
): void {
  const { timeoutMs = 60_000, samples = 5, seed = 1, namespace = 'default', sampled = 'own' } = options;
  const name = nameOf(resource);
  /** Runs a test with the API of the cluster, unless an earlier one has failed to read it. */
  const withApi =
    (run: (api: ServedApiVersion, context: readonly unknown[]) => Promise<void>): TestBody =>
    async (...context) => {
      const api = await server.api();
      if (typeof api === 'string') skipTest(context, api);
      else await server.whileReachable(context, () => run(api, context));
    };
  const compare = (kinds: (kind: DriftKind) => boolean): TestBody =>
    withApi(async (api) => {
      const drifts = driftsOf(await knownResource(resource), api).filter(({ kind }) => kinds(kind));
      judge(name, drifts, options, api.version);
    });
  const create = withApi(async (api, context) => {
    if (!api.resources.some((one) => nameOf(one.resource) === name))
      return skipTest(context, 'the cluster does not serve the resource');
    const dryRun = { namespace, samples, seed, isForAll: sampled === 'all' };
    const { drifts, unchecked } = await refusedSamples(await server.rest(), resource, dryRun);
    judge(name, drifts, options, api.version);
    if (unchecked !== undefined) skipTest(context, `samples are not checked: ${unchecked}`);
  });
  // A binding refers to an existing pod.
  const isCreated = samples >= 1 && resource.verbs.includes('create') && resource.kind !== 'Binding';
  describe(name, () => {
    test('serves the scope, verbs and subresources', compare(isOfResource), timeoutMs);
    if (resource.schema === undefined) return;
    test(
      'accepts and returns the fields',
      compare((kind) => !isOfResource(kind)),
      timeoutMs,
    );
    if (isCreated) test('accepts samples in dry runs', create, timeoutMs);
  });
}

const resourceKinds: ReadonlySet<DriftKind> = new Set<DriftKind>([
  'deprecated',
  'kind-changed',
  'resource-missing',
  'resource-renamed',
  'scope-changed',
  'selectable-field-missing',
  'subresource-missing',
  'unavailable',
  'verb-missing',
  'version-missing',
]);

function isOfResource(kind: DriftKind): boolean {
  return resourceKinds.has(kind);
}

/** Throws an error that lists the breaking drifts. Others are reported. */
function judge(
  name: string,
  drifts: readonly Drift[],
  { ignore = () => false, onDrift = print }: ContractTestOptions,
  version: string,
): void {
  const found = drifts.filter((drift) => !ignore(drift));
  for (const drift of found) if (!drift.breaking) onDrift(drift);
  const breaking = found.filter((drift) => drift.breaking);
  if (breaking.length === 0) return;
  const lines = breaking.map((drift) => `\n  ${lineOf(drift)}`).join('');
  throw new Error(`${name} differs from the client (server ${version}):${lines}`);
}

function lineOf({ path, kind, message, since }: Drift): string {
  const where = path === '' ? '' : `${path}: `;
  return `${where}${message} (${since === undefined ? kind : `${kind}, ${since}`})`;
}

function print(drift: Drift): void {
  console.warn(`${drift.resource}: ${lineOf(drift)}`);
}

/** A server that is read once, by the first test. If it cannot be read, that test fails, and no other one. */
class Server {
  readonly #cluster: ContractCluster;
  readonly #resources: ReturnType<typeof resourcesOf>;
  #client: Promise<ClientsetBase> | undefined;
  #api: Promise<ServedApiVersion> | undefined;
  #isLost = false;

  constructor(cluster: ContractCluster, resources: ReturnType<typeof resourcesOf>) {
    this.#cluster = cluster;
    this.#resources = resources;
  }

  /**
   * Returns the API, or the reason why it cannot be read after the first call has thrown it.
   * @throws {Error} the cluster cannot be read, by the first call only
   */
  async api(): Promise<ServedApiVersion | string> {
    const isFirst = this.#api === undefined;
    this.#api ??= this.rest().then((rest) => readServedApi(rest, this.#resources));
    try {
      return await this.#api;
    } catch (error) {
      if (isFirst) throw new Error(`the cluster cannot be read: ${messageOf(error)}`, { cause: error });
      return 'the cluster cannot be read: see the first test';
    }
  }

  /** Runs a part of a test. After a connection has failed in one test, the others are skipped. */
  async whileReachable(context: readonly unknown[], run: () => Promise<void>): Promise<void> {
    if (this.#isLost) return skipTest(context, 'the cluster does not respond any more');
    try {
      await run();
    } catch (error) {
      this.#isLost = error instanceof TransportError;
      throw error;
    }
  }

  async rest(): Promise<RESTClient> {
    this.#client ??= this.#connect();
    return (await this.#client).rest;
  }

  async #connect(): Promise<ClientsetBase> {
    const cluster = this.#cluster;
    return quietClient(typeof cluster === 'function' ? await cluster() : cluster);
  }

  async close(): Promise<void> {
    await (await this.#client?.catch(() => undefined))?.close();
  }
}
