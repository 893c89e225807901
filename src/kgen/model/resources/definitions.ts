/** Use of each definition of an API: a type of its own, a type of the runtime, or inlined. */
import { packageOf } from '../../common/names.ts';
import type { JsonObject } from '../../input/crd/crd-input.ts';
import type { ApiDefinition, ApiDescription, ApiResource, GroupVersionKind } from '../../openapi/types.ts';
import type { GroupVersionName } from '../ir.ts';
import { isShared, objectMeta, runtimeTypeOf } from '../names/full-names.ts';
import { groupVersionKey, homesOf, sharedHome } from '../names/package-groups.ts';
import { asObject, isAbsent } from '../schema/json.ts';
import { refOf } from '../walk/references.ts';
import { isSpecial } from '../walk/special-definitions.ts';

/**
 * Use of a definition: a named type, a type of the runtime, or none, if it is not an object or its type is
 * known. In the last case it is inlined into its references. A definition that is not used by a resource,
 * such as a discovery response, may still declare a kind.
 */
export type DefinitionUse =
  | { readonly use: 'kind'; readonly kind: DefinedKind }
  | { readonly use: 'list'; readonly list: DefinedList }
  | { readonly use: 'definition'; readonly kind?: GroupVersionKind }
  | { readonly use: 'runtime' }
  | { readonly use: 'inline' };

/** A kind as declared by a resource or the definition itself. */
export interface DefinedKind extends GroupVersionName {
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly ownStatus: boolean;
}

/** The list of a resource's objects. */
export interface DefinedList extends GroupVersionName {
  readonly listKind: string;
  /** Full name of the definition of the items. */
  readonly itemDefinition: string;
  readonly stored: boolean;
}

/** All definitions of an API with their uses. */
export class Definitions {
  readonly #definitions: ReadonlyMap<string, ApiDefinition>;
  readonly #homes: ReadonlyMap<string, GroupVersionName>;
  readonly #uses = new Map<string, DefinitionUse>();
  readonly kubernetesVersion: string | undefined;

  constructor(api: ApiDescription | undefined) {
    this.#definitions = api?.definitions ?? new Map<string, ApiDefinition>();
    this.kubernetesVersion = api?.kubernetesVersion;
    this.#homes = homesOf(this.#definitions.values());
    for (const { group, version, resources } of api?.groupVersions ?? []) {
      for (const resource of resources) this.#learn(resource, groupVersionKey({ group, version }));
    }
    for (const definition of this.#definitions.values()) {
      const { name } = definition;
      if (!this.#uses.has(name)) this.#uses.set(name, ownUse(definition));
    }
  }

  get(name: string): ApiDefinition | undefined {
    return this.#definitions.get(name);
  }

  schemaOf(name: string): JsonObject | undefined {
    return this.#definitions.get(name)?.schema;
  }

  /** Full names of all definitions. */
  get names(): readonly string[] {
    return [...this.#definitions.keys()];
  }

  useOf(name: string): DefinitionUse {
    return this.#uses.get(name) ?? inline;
  }

  homeOf(name: string): GroupVersionName {
    return this.#homes.get(packageOf(name)) ?? sharedHome;
  }

  /** Records the kind and list of a resource for definitions of its own group version. */
  #learn(resource: ApiResource, home: string): void {
    const { definition, listDefinition, kind } = resource;
    const isOwn = (name: string | undefined): name is string =>
      name !== undefined && this.#isObject(name) && groupVersionKey(this.homeOf(name)) === home;
    if (!isOwn(definition)) return;
    const { scope } = resource;
    const ownStatus = resource.subresources.some(({ name }) => name === 'status');
    if (!this.#uses.has(definition))
      this.#uses.set(definition, { use: 'kind', kind: { ...kind, scope, ownStatus } });
    if (!isOwn(listDefinition) || !resource.verbs.includes('list') || this.#uses.has(listDefinition)) return;
    const listKind = listKindOf(resource, this);
    const stored = isStored(resource);
    const { group, version } = kind;
    this.#uses.set(listDefinition, {
      use: 'list',
      list: { group, version, listKind, stored, itemDefinition: definition },
    });
  }

  #isObject(name: string): boolean {
    const definition = this.#definitions.get(name);
    return definition !== undefined && runtimeTypeOf(name) === undefined && !isSpecial(name);
  }
}

/** Returns the kind of the list of a resource. */
export function listKindOf({ kind, listDefinition }: ApiResource, definitions: Definitions): string {
  const [stated] = listDefinition === undefined ? [] : (definitions.get(listDefinition)?.kinds ?? []);
  return stated?.kind ?? `${kind.kind}List`;
}

/** Stored resources can be watched; computed ones cannot. */
export function isStored({ verbs }: ApiResource): boolean {
  return verbs.includes('watch');
}

const inline: DefinitionUse = { use: 'inline' };

/** Returns the use that a definition itself declares, unless a resource declares one. */
function ownUse({ name, schema, kinds }: ApiDefinition): DefinitionUse {
  if (runtimeTypeOf(name) !== undefined) return { use: 'runtime' };
  if (isSpecial(name) || !isStruct(schema)) return inline;
  const [kind, ...more] = kinds;
  const properties = asObject(schema['properties']) ?? {};
  const hasKindMembers = ['apiVersion', 'kind'].every((key) => Object.hasOwn(properties, key));
  if (kind === undefined || more.length > 0 || !hasKindMembers) return { use: 'definition' };
  const isKind = refOf(asObject(properties['metadata'])) === objectMeta && !isShared(name);
  if (!isKind) return { use: 'definition', kind };
  return { use: 'kind', kind: { ...kind, scope: 'Namespaced', ownStatus: false } };
}

/** Returns whether a schema is an object with properties, or with neither properties nor additional keys. */
function isStruct(schema: JsonObject): boolean {
  if (refOf(schema) !== undefined) return false;
  const properties = asObject(schema['properties']);
  if (properties !== undefined && Object.keys(properties).length > 0) return true;
  if (schema['type'] !== 'object') return false;
  const values = schema['additionalProperties'];
  const isOpen = (!isAbsent(values) && values !== false) || schema['patternProperties'] !== undefined;
  return !isOpen && schema['x-kubernetes-preserve-unknown-fields'] !== true;
}
