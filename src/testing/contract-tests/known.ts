/** Resources of generated clients. */
import { apiVersionOf } from '@kgen/runtime';
import type { ClientConnection, ClientsetBase, ResourceFacts, SchemaDocument } from '@kgen/runtime/gen/v1';
import type { KnownResource } from 'kgen/contract';
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
  const groups = Object.values(clientset).filter((value) => isFields(value));
  const found = groups.flatMap((group) => Object.values(group).flatMap((accessor) => facts(accessor) ?? []));
  if (found.length === 0)
    throw new TypeError('the client is not a generated clientset: it names no resource');
  return found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf(resource: ResourceFacts): string {
  return `${apiVersionOf(resource)} ${resource.plural}`;
}

/** Returns the descriptor of an accessor. Its client contains it, and sends no request until it is used. */
function facts(accessor: unknown): ResourceFacts | undefined {
  if (typeof accessor !== 'function') return undefined;
  const client: unknown = accessor();
  const target = isFields(client) ? client['target'] : undefined;
  const resource = isFields(target) ? target['resource'] : undefined;
  return isFields(resource) && isDescriptor(resource) ? resource : undefined;
}

function isDescriptor(value: Fields): value is Fields & ResourceFacts {
  return typeof value['plural'] === 'string' && Array.isArray(value['verbs']);
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

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
