/** Schemas of one resource with the definitions that they refer to. */
import type { LoadSchemas, Resource, SchemaModule } from '@kgen/runtime/gen/v1';
import { isObject, type JsonObject, own, text } from '@kgen/schema/values/json';

/** The schema of a kind, and access to the definitions that it refers to. */
export interface Documents {
  /** Full name of the definition of the kind. */
  readonly name: string;
  readonly root: JsonObject;
  /** Returns the definition with this full name. */
  readonly definition: (name: string) => JsonObject | undefined;
  /** Results of `structureOf`. */
  readonly structures: WeakMap<JsonObject, JsonObject>;
}

/**
 * Loads the schema of a resource and of all definitions that it refers to.
 * @throws {TypeError} the resource has no schema
 */
export async function loadDocuments(resource: Resource): Promise<Documents> {
  const { group, version, kind, schema } = resource;
  const shown = `${group === '' ? version : `${group}/${version}`} ${kind}`;
  if (schema === undefined) {
    throw new TypeError(
      `${shown} has no schema: generate its client without --no-schemas, with kgen 0.1 or newer`,
    );
  }
  const modules = await loadModules(schema);
  const [own] = modules;
  const name = own?.kinds[kind];
  const definition = (chosen: string): JsonObject | undefined => {
    const module = modules.find(({ definitions }) => Object.hasOwn(definitions, chosen));
    return module?.definitions[chosen];
  };
  const root = name === undefined ? undefined : definition(name);
  if (name === undefined || root === undefined) throw new TypeError(`${shown} is missing in its schemas`);
  return { name, root, definition, structures: new WeakMap() };
}

/** Returns the module and all that it imports, each once, the module first. */
export async function loadModules(first: LoadSchemas): Promise<readonly SchemaModule[]> {
  const modules = new Set<SchemaModule>();
  const load = async (next: LoadSchemas): Promise<void> => {
    const module = await next();
    if (modules.has(module)) return;
    modules.add(module);
    await Promise.all(Object.values(module.imports).map(load));
  };
  await load(first);
  return [...modules];
}

/** Returns the schema that a node refers to, with the members of the node itself on top. */
export function resolveNode(node: JsonObject, documents: Documents): JsonObject {
  const ref = text(node, '$ref');
  if (ref === '') return node;
  const { $ref: _ref, ...beside } = node;
  return { ...(documents.definition(ref) ?? {}), ...beside };
}

/** Returns a schema without references, as the validation of custom resources expects it. */
export function schemaAt(node: JsonObject, key: string): JsonObject | undefined {
  const value = own(node, key);
  return isObject(value) ? value : undefined;
}

/** Returns the group and type of a definition: `core.PodSpec` for `io.k8s.api.core.v1.PodSpec`. */
export function definitionKey(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const parts = name.split('.');
  const key = `${parts.at(-3) ?? ''}.${parts.at(-1) ?? ''}`;
  keys.set(name, key);
  return key;
}

const keys = new Map<string, string>();
