/** Definitions and stored objects of a cluster. */
import type { KubernetesObject } from '@kgen/runtime';
import type { Transport } from '@kgen/runtime/rest';
import { type JsonObject, text } from '@kgen/schema/values/json';

/** Selects a cluster. */
export interface ClusterChoice {
  /** Path of a kubeconfig. Default: `$KUBECONFIG`, `~/.kube/config`, or the service account of a pod. */
  readonly kubeconfig?: string | undefined;
  /** Default: the current context. */
  readonly context?: string | undefined;
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Replaces the connections of the client. */
  readonly transport?: Transport | undefined;
}

/** Reads of a cluster: definitions by name, all definitions, and all objects of a version page by page. */
export interface ClusterReader {
  readonly definition: (name: string) => Promise<JsonObject | undefined>;
  readonly definitions: () => AsyncIterable<JsonObject>;
  readonly objects: (definition: JsonObject, version: string) => AsyncIterable<JsonObject>;
  readonly close: () => Promise<void>;
}

/** Connects to a cluster. The runtime is loaded for it. */
export async function connect(choice: ClusterChoice): Promise<ClusterReader> {
  const [{ loadConfig, isNotFound }, { DynamicClient }] = await Promise.all([
    import('@kgen/runtime'),
    import('@kgen/runtime/dynamic'),
  ]);
  const { kubeconfig, context, env = process.env, transport } = choice;
  const config = await loadConfig({ kubeconfig, context, env });
  const client = new DynamicClient(config, { transport, onWarning: () => undefined, userAgent: 'kgen' });
  const definitions = client.resource({
    ...{
      group: 'apiextensions.k8s.io',
      version: 'v1',
      resource: 'customresourcedefinitions',
      scope: 'Cluster',
    },
  });
  return {
    definition: async (name) => {
      try {
        return jsonOf(await definitions.get(name));
      } catch (cause) {
        if (isNotFound(cause)) return undefined;
        throw cause;
      }
    },
    definitions: async function* () {
      for await (const each of definitions.iterate()) yield jsonOf(each);
    },
    objects: async function* (definition, version) {
      const [group, resource] = [
        text(definition, 'spec', 'group'),
        text(definition, 'spec', 'names', 'plural'),
      ];
      for await (const each of client.resource({ group, version, resource }).iterate()) yield jsonOf(each);
    },
    close: () => client.close(),
  };
}

function jsonOf(value: KubernetesObject): JsonObject {
  // seam: responses are JSON.
  return value as unknown as JsonObject;
}
