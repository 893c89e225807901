import { readFile } from 'node:fs/promises';
import type { Condition, KubernetesObject, RESTClient } from '@kgen/runtime';
import { load } from 'js-yaml';
import { vi } from 'vitest';
import { deadline } from './cluster-tests.ts';

/** Members of a CustomResourceDefinition that tests read. */
export interface Definition extends KubernetesObject {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly acceptedNames?: { readonly plural: string; readonly kind: string };
    readonly storedVersions?: readonly string[];
  };
}

/** Files of the samples in `crds/`. */
export const sampleFiles = ['myapp', 'foo', 'rediscluster', 'showcase'] as const;

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Installs every sample and waits until the server serves it. */
export async function installDefinitions(rest: RESTClient): Promise<void> {
  const names = await Promise.all(sampleFiles.map((file) => installDefinition(rest, file)));
  await Promise.all(names.map((name) => served(rest, name)));
}

/**
 * Waits until every served version of a definition is available, a moment after the definition is
 * established.
 */
export async function served(rest: RESTClient, definition: string): Promise<void> {
  const { group, names, versions } = (await established(rest, definition)).spec;
  for (const { name } of versions.filter((version) => version.served)) {
    await vi.waitFor(() => rest.get(`/apis/${group}/${name}/${names.plural}`), deadline);
  }
}

async function installDefinition(rest: RESTClient, file: string): Promise<string> {
  const text = await readFile(new URL(`../../crds/${file}.yaml`, import.meta.url), 'utf8');
  // A sample of this project, checked by the generator's own tests.
  const definition = load(text) as { metadata: { name: string } };
  await rest.post(definitions, { body: definition });
  return definition.metadata.name;
}

/** Waits until a definition is established, and returns it. */
export async function established(rest: RESTClient, name: string): Promise<Definition> {
  return vi.waitFor(async () => {
    const definition = await readDefinition(rest, name);
    const conditions = definition.status?.conditions ?? [];
    if (conditions.some(({ type, status }) => type === 'Established' && status === 'True')) return definition;
    throw new Error(`${name} is not established: ${JSON.stringify(conditions)}`);
  }, deadline);
}

async function readDefinition(rest: RESTClient, name: string): Promise<Definition> {
  // Response of the server for a definition that it accepted.
  return (await rest.get(`${definitions}/{name}`, { path: { name } })) as Definition;
}

/** Creates a namespace and returns its name. */
export async function createNamespace(rest: RESTClient, name: string): Promise<string> {
  await rest.post('/api/v1/namespaces', {
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  });
  return name;
}
