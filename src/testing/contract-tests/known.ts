/** Resources of generated clients. */
import type { ClientConnection, ClientsetBase, ResourceFacts, SchemaDocument } from '@kgen/runtime/gen/v1';
import { isObject } from '@kgen/schema/values/json';
import { type KnownResource, nameOf } from 'kgen/contract';
import { loadModules } from '../samples/documents.ts';

/** A generated clientset, its class, or descriptors of resources. */
export type ContractClient =
  | ClientsetBase
  | (new (
      connection: ClientConnection,
    ) => ClientsetBase)
  | readonly ResourceFacts[];

/**
 * Returns the descriptors of all resources that a clientset names, sorted by group version and plural. Sends
 * no request. A list of descriptors is returned as it is.
 * @throws {TypeError} the clientset names no resource
 */
export function resourcesOf(client: ContractClient): readonly ResourceFacts[] {
  if (Array.isArray(client)) return client;
  const clientset = typeof client === 'function' ? new client({ server: 'http://unused.invalid' }) : client;
  const groups = Object.values(clientset).filter((value) => isObject(value));
  const found = groups.flatMap((group) => Object.values(group).flatMap((accessor) => facts(accessor) ?? []));
  if (found.length === 0)
    throw new TypeError('the client is not a generated clientset: it names no resource');
  return found.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Returns the descriptor of an accessor. Its client contains it, and sends no request until it is used. */
function facts(accessor: unknown): ResourceFacts | undefined {
  if (typeof accessor !== 'function') return undefined;
  const client: unknown = accessor();
  const target = isObject(client) ? client['target'] : undefined;
  const resource = isObject(target) ? target['resource'] : undefined;
  return isObject(resource) && isDescriptor(resource) ? resource : undefined;
}

function isDescriptor(value: object): value is ResourceFacts {
  return (
    'plural' in value && typeof value.plural === 'string' && 'verbs' in value && Array.isArray(value.verbs)
  );
}

/** Loads the schema of a resource, unless it was generated without schemas. */
export async function knownResource(resource: ResourceFacts): Promise<KnownResource> {
  if (resource.schema === undefined) return { resource };
  const modules = await loadModules(resource.schema);
  const definition = (name: string): SchemaDocument | undefined =>
    modules.find(({ definitions }) => Object.hasOwn(definitions, name))?.definitions[name];
  const root = definition(modules[0]?.kinds[resource.kind] ?? '');
  return root === undefined ? { resource } : { resource, schema: { root, definition } };
}
