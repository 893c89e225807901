/** Connection of the commands of a project to a cluster. */
import { type ClusterConfig, loadConfig, RESTClient, type RESTClientOptions } from '@kgen/runtime';
import { isNoMatch } from '@kgen/runtime/discovery';
import { DynamicClient, ObjectsClient } from '@kgen/runtime/dynamic';
import { isObject, type JsonObject, text } from '@kgen/schema/values/json';
import { checkProtected, contextText } from './protect.ts';

/** Choice of a cluster. */
export interface ClusterChoice {
  readonly context?: string | undefined;
  readonly kubeconfig?: string | undefined;
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Contexts that the commands refuse. A `*` matches any characters. Default: none. */
  readonly protect?: readonly string[] | undefined;
  readonly client?: RESTClientOptions | undefined;
}

/** Kind of objects. */
export interface ObjectKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Identity of an object. */
export interface ObjectRef extends ObjectKind {
  readonly namespace?: string;
  readonly name: string;
  /** Absent if any object of the name is meant. */
  readonly uid?: string;
}

/** Returns the identity of an object. */
export function refOf(object: JsonObject): ObjectRef {
  const [namespace, uid] = [text(object, 'metadata', 'namespace'), text(object, 'metadata', 'uid')];
  return {
    apiVersion: text(object, 'apiVersion'),
    kind: text(object, 'kind'),
    ...(namespace !== '' && { namespace }),
    name: text(object, 'metadata', 'name'),
    ...(uid !== '' && { uid }),
  };
}

/** Returns the name of an object in messages: `Deployment shop/web`. */
export function refText({ kind, namespace, name }: ObjectRef): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** A cluster. Close it after use. */
export class Cluster {
  readonly config: ClusterConfig;
  readonly rest: RESTClient;
  readonly objects: ObjectsClient;
  readonly #dynamic: DynamicClient;

  constructor(config: ClusterConfig, client: RESTClientOptions = {}) {
    this.config = config;
    this.rest = new RESTClient(config, { userAgent: 'kgen', onWarning: () => undefined, ...client });
    this.objects = new ObjectsClient(this.rest);
    this.#dynamic = new DynamicClient(this.rest);
  }

  /**
   * Opens a cluster, after the line with its context is printed.
   * @throws {Refusal} the context is protected
   */
  static async open(choice: ClusterChoice, print: (line: string) => void): Promise<Cluster> {
    const { context, kubeconfig, env = process.env, protect, client } = choice;
    const config = await loadConfig({ context, kubeconfig, env });
    print(contextText(config));
    checkProtected(config, protect);
    return new Cluster(config, client);
  }

  close(): Promise<void> {
    return this.rest.close();
  }

  /** Returns an object; `undefined` if it, or its kind, does not exist. */
  async find({ apiVersion, kind, namespace, name }: ObjectRef): Promise<JsonObject | undefined> {
    try {
      return record(await this.objects.find({ apiVersion, kind, metadata: { name, namespace } }));
    } catch (cause) {
      if (isNoMatch(cause)) return undefined;
      throw cause;
    }
  }

  /** Returns the objects of a kind, in a namespace or in all of them; none if it is not served. */
  async list(
    { apiVersion, kind }: ObjectKind,
    { namespace, labelSelector }: { readonly namespace?: string; readonly labelSelector?: string } = {},
  ): Promise<readonly JsonObject[]> {
    try {
      const { mapping } = await this.objects.clientFor({ apiVersion, kind, metadata: { namespace } });
      const all = this.#dynamic.resource(mapping);
      const client = namespace === undefined || mapping.scope === 'Cluster' ? all : all.namespace(namespace);
      const found: JsonObject[] = [];
      for await (const object of client.iterate({ labelSelector })) found.push(record(object) ?? {});
      return found;
    } catch (cause) {
      if (isNoMatch(cause)) return [];
      throw cause;
    }
  }

  /**
   * Requests the deletion of an object, and of no other one with its name. A Deployment exists until its Pods
   * have ended, and a custom object until its dependents are deleted: a garbage collector may keep those of a
   * kind whose definition is gone.
   */
  async delete({ apiVersion, kind, namespace, name, uid }: ObjectRef): Promise<void> {
    await this.objects.delete(
      { apiVersion, kind, metadata: { name, namespace } },
      {
        propagationPolicy: kind === 'Deployment' || isCustom(apiVersion) ? 'Foreground' : 'Background',
        ...(uid !== undefined && { preconditions: { uid } }),
      },
    );
  }
}

/** Returns whether a group belongs to a definition of others than Kubernetes. */
function isCustom(apiVersion: string): boolean {
  const [group = ''] = apiVersion.split('/');
  return group.includes('.') && !group.endsWith('.k8s.io');
}

function record(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
