/** Reads the API of a server for the comparison with a client. */

import { apiVersionOf, type RESTClient } from '@kgen/runtime';
import type { ResourceFacts } from '@kgen/runtime/client';
import { type APIResource, type APIResourceList, DiscoveryClient } from '@kgen/runtime/discovery';
import { messageOf } from '@kgen/schema/values/thrown';
import {
  type ContractResource,
  type Deprecation,
  deprecationOf,
  isSame,
  type ServedApi,
  type ServedResource,
} from 'kgen/contract';
import { schemaInDocument, selectableFieldsIn, versionInDefinition } from './published.ts';

/** The API of a server, and its version. */
export interface ServedApiVersion extends ServedApi {
  /** `v1.36.3` */
  readonly version: string;
}

/** Concurrent requests. */
const atOnce = 8;

/**
 * Reads the parts of a server's API that concern the resources of a client: discovery, and their schemas from
 * CustomResourceDefinitions, if the user may read them, otherwise from OpenAPI v3. Sends GET requests only;
 * the cluster role `system:discovery` is sufficient. Users that may list a resource also learn of its
 * deprecation, for which the metadata of at most one object is requested.
 *
 * Rejects as the methods of `DiscoveryClient` do if discovery fails as a whole.
 */
export async function readServedApi(
  rest: RESTClient,
  resources: readonly ResourceFacts[],
): Promise<ServedApiVersion> {
  const discovery = new DiscoveryClient(rest);
  const [{ gitVersion }, found] = await Promise.all([
    discovery.serverVersion(),
    discovery.serverGroupsAndResources(),
  ]);
  const served = found.resources.flatMap(resourcesIn);
  const expected = served.filter((one) => resources.some((resource) => isSame(one, resource)));
  const unavailable = new Map([...found.failed].map(([name, error]) => [name, error.message]));
  const reader = new Reader(rest, discovery, unavailable);
  const details = new Map<ContractResource, ServedResource>();
  await inParallel(expected, async (resource) => {
    details.set(
      resource,
      await reader.read(
        resource,
        resources.find((one) => isSame(one, resource)),
      ),
    );
  });
  return {
    version: gitVersion,
    resources: served.map((resource) => details.get(resource) ?? { resource }),
    unavailable,
  };
}

/** Runs a function for each item, with a limit on concurrent calls. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function resourcesIn({ groupVersion, resources }: APIResourceList): readonly ContractResource[] {
  const slash = groupVersion.indexOf('/');
  const home = { group: groupVersion.slice(0, Math.max(slash, 0)), version: groupVersion.slice(slash + 1) };
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs }) => ({
      ...home,
      kind,
      plural: name,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      verbs,
      subresources: subresourcesOf(name, resources),
    }));
}

function subresourcesOf(
  plural: string,
  resources: readonly APIResource[],
): Readonly<Record<string, readonly string[]>> {
  const own = resources.filter(({ name }) => name.startsWith(`${plural}/`));
  return Object.fromEntries(own.map(({ name, verbs }) => [name.slice(plural.length + 1), verbs]));
}

class Reader {
  readonly #rest: RESTClient;
  readonly #discovery: DiscoveryClient;
  readonly #unavailable: Map<string, string>;
  /** Documents by group version. */
  readonly #documents: Map<string, Promise<unknown>> = new Map();
  /** CustomResourceDefinitions by name. */
  readonly #definitions: Map<string, Promise<unknown>> = new Map();

  constructor(rest: RESTClient, discovery: DiscoveryClient, unavailable: Map<string, string>) {
    this.#rest = rest;
    this.#discovery = discovery;
    this.#unavailable = unavailable;
  }

  async read(resource: ContractResource, facts: ResourceFacts | undefined): Promise<ServedResource> {
    const custom = facts?.builtIn === true ? undefined : await this.#custom(resource);
    const schema = custom?.schema ?? schemaInDocument(await this.#document(apiVersionOf(resource)), resource);
    const selectableFields =
      custom?.selectableFields ?? (schema === undefined ? undefined : selectableFieldsIn(schema));
    const deprecation = custom?.deprecation ?? (await this.#deprecation(resource));
    return {
      resource: selectableFields === undefined ? resource : { ...resource, selectableFields },
      ...(schema === undefined ? {} : { schema }),
      ...(deprecation === undefined ? {} : { deprecation }),
    };
  }

  async #custom(resource: ContractResource): Promise<ReturnType<typeof versionInDefinition>> {
    const name = `${resource.plural}.${resource.group}`;
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
    // Without permission, and for resources of other API servers, the published schema is read.
    const read = (): Promise<unknown> => this.#rest.get(path).catch(() => undefined);
    return versionInDefinition(await once(this.#definitions, name, read), resource);
  }

  #document(groupVersion: string): Promise<unknown> {
    return once(this.#documents, groupVersion, async () => {
      try {
        return await this.#discovery.openAPIV3Document(groupVersion);
      } catch (error) {
        this.#unavailable.set(groupVersion, messageOf(error));
        return undefined;
      }
    });
  }

  /** Servers warn of deprecated versions in every response. */
  async #deprecation({ group, version, plural, verbs }: ContractResource): Promise<Deprecation | undefined> {
    if (!verbs.includes('list')) return undefined;
    const home = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    try {
      const { headers, cancel } = await this.#rest.stream({
        path: `${home}/${plural}`,
        query: [['limit', '1']],
        headers: { accept: metadataOnly },
      });
      cancel();
      // RFC 7234: code, agent and quoted string.
      const [, quoted] =
        /\b299 \S+ "((?:[^"\\]|\\.)*\bis deprecated\b(?:[^"\\]|\\.)*)"/.exec(headers['warning'] ?? '') ?? [];
      return quoted === undefined ? undefined : deprecationOf(quoted.replaceAll(/\\(.)/g, '$1'));
    } catch {
      // The user may not list it, or the server fails: the version may be served all the same.
      return undefined;
    }
  }
}

const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

function once(
  known: Map<string, Promise<unknown>>,
  key: string,
  read: () => Promise<unknown>,
): Promise<unknown> {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}
