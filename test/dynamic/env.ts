import { DiscoveryClient, RESTMapper } from '@kgen/runtime/discovery';
import { DynamicClient, MetadataClient, nestedField, ScaleClient } from '@kgen/runtime/dynamic';
import type { ControlPlane } from '@kgen/testing';
import { afterAll, beforeAll } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { served } from '../support/sample-definitions.ts';
import { definitions } from './definitions.ts';

/** A running server. */
export type Running = Pick<ControlPlane, 'config' | 'kubeconfig' | 'stop'> &
  Partial<Pick<ControlPlane, 'assets' | 'folder'>>;

/** Environment of the tests; usable once the server runs. */
export interface Env {
  readonly server: Running;
  readonly dynamic: DynamicClient;
  readonly metadata: MetadataClient;
  readonly scales: ScaleClient;
  readonly mapper: RESTMapper;
  /** Creates a namespace of its own for the test and returns its name. */
  namespace(): Promise<string>;
}

export const group = 'dynamic.example.com';
export const widgets = { group, version: 'v1', resource: 'widgets' };
export const gadgets = { group, version: 'v1', resource: 'gadgets' };
export const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
export const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
const crds = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };

function isEstablished(definition: object | undefined): boolean {
  const conditions = nestedField(definition ?? {}, 'status', 'conditions');
  if (!Array.isArray(conditions)) return false;
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}

async function install(dynamic: DynamicClient): Promise<void> {
  for (const definition of definitions) {
    const { metadata } = await dynamic.resource(crds).create(definition);
    await dynamic.resource(crds).waitFor(metadata.name, isEstablished, { timeoutMs: 60_000 });
    await served(dynamic.rest, metadata.name);
  }
}

async function open(server: Running): Promise<Env> {
  const dynamic = new DynamicClient(server.config);
  await install(dynamic);
  const mapper = new RESTMapper(new DiscoveryClient(dynamic.rest));
  return {
    server,
    dynamic,
    metadata: new MetadataClient(dynamic.rest),
    scales: new ScaleClient(dynamic.rest),
    mapper,
    namespace: async () => {
      const metadata = { name: unique('dynamic') };
      await dynamic.resource(namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata });
      return metadata.name;
    },
  };
}

/** Starts a server before the tests of the current block, and stops it afterwards. */
export function useServer(start: () => Promise<Running>): () => Env {
  let started: Env | undefined;
  // The first start builds the servers.
  const startTimeout = 1_200_000;
  beforeAll(async () => {
    started = await open(await start());
  }, startTimeout);
  afterAll(async () => {
    await started?.dynamic.close();
    await started?.server.stop();
  });
  return () => {
    if (started === undefined) throw new Error('the server does not run yet: use this inside a test');
    return started;
  };
}
