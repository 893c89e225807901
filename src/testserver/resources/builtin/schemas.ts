/** Schemas of built-in kinds, loaded on demand because they are large. */
import type { LoadSchemas, ResourceFacts, SchemaModule } from '@kgen/runtime/gen/v1';
import type { ProtobufModule } from '@kgen/runtime/protobuf';
import { parseSchema, type Schema } from '@kgen/schema/validation/structural';
import { isObject, type Json, type JsonObject, object, omit, own, text } from '@kgen/schema/values/json';

/** Definitions of all loaded modules by full name, such as `io.k8s.api.core.v1.Pod`. */
const definitions = new Map<string, JsonObject>();
const linked = new Map<string, Schema>();
const loading = new Map<LoadSchemas, Promise<SchemaModule>>();

const loads = new Set<Promise<void>>();

/** Waits for the schemas that are being loaded, and returns the number of those that were loaded so far. */
export async function loadedSchemas(): Promise<number> {
  await Promise.allSettled(loads);
  return loads.size;
}

/** The schema of one built-in resource, which is loaded when it is needed first. */
export class SchemaSource {
  readonly #kind: string;
  readonly #key: string;
  #name: string | undefined;
  #loading: Promise<void> | undefined;

  constructor(apiVersion: string, kind: string) {
    this.#kind = kind;
    this.#key = `${apiVersion}/${kind}`;
  }

  /** The schema with all definitions that it refers to; `undefined` before it is loaded. */
  get schema(): Schema | undefined {
    return this.#name === undefined ? undefined : linkedDefinition(this.#name);
  }

  /** Loads the schema. Returns `undefined` if it is loaded. */
  load(): Promise<void> | undefined {
    if (this.#name !== undefined) return undefined;
    this.#loading ??= this.#load();
    loads.add(this.#loading);
    return this.#loading;
  }

  async #load(): Promise<void> {
    const module = await loadGroupVersion(this.#key);
    this.#name = module?.kinds[this.#kind] ?? '';
  }
}

/** Loads the schemas of the group version of a kind, such as `apps/v1/Deployment`. */
export async function loadGroupVersion(key: string): Promise<SchemaModule | undefined> {
  const schema = (await loadDescriptor(key))?.schema;
  return schema === undefined ? undefined : loadModule(schema);
}

/** Loads the protobuf codecs of the group version of a kind. */
export async function loadCodecs(key: string): Promise<ProtobufModule> {
  const descriptor = await loadDescriptor(key);
  return descriptor?.protobuf === undefined ? { codecs: new Map() } : descriptor.protobuf();
}

type Loaders = Pick<ResourceFacts, 'schema' | 'protobuf'>;

async function loadDescriptor(key: string): Promise<Loaders | undefined> {
  const { catalog, isCatalogKey } = await import('@kgen/kubernetes/catalog');
  return isCatalogKey(key) ? catalog[key]() : undefined;
}

/** Loads a module and all modules to which it refers. */
export function loadModule(load: LoadSchemas): Promise<SchemaModule> {
  const known = loading.get(load);
  if (known !== undefined) return known;
  const module = load().then(async (found) => {
    for (const [name, document] of Object.entries(found.definitions)) definitions.set(name, document);
    await Promise.all(Object.values(found.imports).map(loadModule));
    return found;
  });
  loading.set(load, module);
  return module;
}

/** Returns the JSON of a loaded definition. */
export function definitionOf(name: string): JsonObject | undefined {
  return definitions.get(name);
}

/**
 * Returns the schema of a definition. Its parts are linked when they are read, so that it may be recursive.
 */
function linkedDefinition(name: string): Schema | undefined {
  const known = linked.get(name);
  if (known !== undefined) return known;
  const document = definitions.get(name);
  if (document === undefined) return undefined;
  const schema = link(document);
  linked.set(name, schema);
  return schema;
}

function link(document: JsonObject): Schema {
  const reference = text(document, '$ref');
  const target = reference === '' ? undefined : linkedDefinition(reference);
  if (target !== undefined) return target;
  const parts = ['properties', 'items', 'additionalProperties'];
  const isOpaque =
    text(document, 'type') === 'object' && !parts.some((part) => Object.hasOwn(document, part));
  return Object.defineProperties(
    // Objects without a structure, such as those of RawExtension, have one manager.
    parseSchema({ ...omit(document, ...parts), ...(isOpaque ? { 'x-kubernetes-map-type': 'atomic' } : {}) }),
    Object.fromEntries(parts.map((part) => [part, lazily(() => linkPart(document, part))])),
  );
}

/** Returns a property that is computed when it is read first. */
function lazily(compute: () => unknown): PropertyDescriptor {
  let value: unknown;
  let isComputed = false;
  const get = (): unknown => {
    if (!isComputed) [value, isComputed] = [compute(), true];
    return value;
  };
  return { get, enumerable: true, configurable: true };
}

function linkPart(document: JsonObject, part: string): unknown {
  if (part === 'properties') {
    const entries = Object.entries(object(document, part));
    return new Map(
      entries.flatMap(([name, value]) => (isObject(value) ? [[name, link(value)] as const] : [])),
    );
  }
  const value: Json | undefined = own(document, part);
  if (typeof value === 'boolean') return value;
  return isObject(value) ? link(value) : undefined;
}
