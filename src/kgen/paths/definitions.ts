/** Maps definitions of OpenAPI documents to the model. */
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { isList, isObject, own } from '../input/json.ts';
import type { Facts, GroupVersion, Model, Schema } from '../model/ir.ts';

/** Schemas of definitions by full name. */
export type Definitions = ReadonlyMap<string, Schema>;

/**
 * Returns `known` with the custom resources among the documents' definitions. A custom resource is identified
 * by the kind of its definition, because the API server chooses the definition's name.
 */
export function withCustomResources(
  known: Definitions,
  documents: readonly JsonObject[],
  model: Model,
): Definitions {
  const kinds = kindsOf(model);
  const definitions = new Map(known);
  for (const [name, schema] of documents.flatMap(schemasOf)) {
    const kind = definitions.has(name) ? undefined : kindOf(schema);
    const found = kind === undefined ? undefined : kinds.get(kind);
    if (found !== undefined) definitions.set(name, found);
  }
  return definitions;
}

/** The named definitions of a document. */
export function schemasOf(document: JsonObject): readonly (readonly [string, JsonValue])[] {
  const components = own(document, 'components');
  const schemas = isObject(components) ? own(components, 'schemas') : undefined;
  return isObject(schemas) ? Object.entries(schemas) : [];
}

/** Returns the single kind that a definition describes, as a key, or `undefined`. */
export function kindOf(schema: JsonValue): string | undefined {
  const kinds = isObject(schema) ? own(schema, 'x-kubernetes-group-version-kind') : undefined;
  if (!isList(kinds) || kinds.length !== 1 || !isObject(kinds[0])) return undefined;
  const [{ group = null, version = null, kind = null }] = [kinds[0]];
  return keyOf(group, version, kind);
}

/** Returns kinds and list kinds of every resource. */
function kindsOf(model: Model): ReadonlyMap<string, Schema> {
  const kinds = new Map<string, Schema>();
  for (const groupVersion of model.groupVersions) {
    const { group, version, resources } = groupVersion;
    for (const { kind, listKind, names } of resources) {
      kinds.set(keyOf(group, version, listKind), refTo(groupVersion, names.list));
      kinds.set(keyOf(group, version, kind), refTo(groupVersion, names.type));
    }
  }
  return kinds;
}

/** A kind as a key of maps: group, version and kind. */
export function keyOf(...parts: readonly JsonValue[]): string {
  return JSON.stringify(parts.map(String));
}

const noFacts: Facts = { keywords: {} };

function refTo({ group, version }: GroupVersion, name: string): Schema {
  return { shape: 'ref', name, from: { group, version }, nullable: false, facts: noFacts };
}
