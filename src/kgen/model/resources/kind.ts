/** Walks over the schemas of kinds, definitions and lists. */
import type { CrdScope } from '../../input/crd/crd.ts';
import type { JsonObject } from '../../input/crd/crd-input.ts';
import type { Facts, Property, Schema } from '../ir.ts';
import { noFacts } from '../schema/facts.ts';
import { asObject } from '../schema/json.ts';
import { type ObjectClass, ObjectTable } from '../schema/object-table.ts';
import { plain, unknownSchema } from '../schema/schema.ts';
import { restSpot, rootSpot, type Spot } from '../schema/schema-path.ts';
import { type Field, fieldsOf } from '../walk/fields.ts';
import { withAllOf } from '../walk/members.ts';
import { withReferredMembers } from '../walk/references.ts';
import { createWalker, type Sink } from '../walk/walk.ts';
import { identity, metadata, missingProperties, propertyOf, valuesOf } from '../walk/walk-object.ts';
import type { Walker } from '../walk/walker.ts';

/** An object type whose schema is read. */
export interface DefinitionSource {
  /** Prefix of its paths: a kind, or the full name of a definition. */
  readonly path: string;
  /** Absent if the structure of the objects is unknown. */
  readonly schema?: JsonObject;
  /** Preferred name of the type. */
  readonly typeName: string;
}

/** A kind whose schema is read. */
export interface KindSource extends DefinitionSource {
  readonly kind: string;
  /** Group and version as in objects: `my.domain/v1`. */
  readonly apiVersion: string;
  readonly scope: CrdScope;
  /** Whether the status is a subresource. */
  readonly ownStatus: boolean;
}

/**
 * Content of an object type's schema. References to nested object types are provisional, by their number in
 * `classes`.
 */
export interface ObjectShape {
  readonly properties: readonly Property[];
  readonly rest?: Schema;
  readonly facts: Facts;
  readonly classes: readonly ObjectClass[];
}

/** Receiver of problems, and the definitions that can be referred to. */
export type Reading = Omit<Sink, 'define'>;

/** Reads the schema of one version of one kind. */
export function readKind(source: KindSource, reading: Reading): ObjectShape {
  return read(source, reading, (node, spot, walker) => kindMembers(node ?? {}, spot, source, walker));
}

/** A definition whose schema is read. */
export interface PartSource extends DefinitionSource {
  /** Its apiVersion and kind. Absent if it is used for several kinds. */
  readonly identity?: { readonly apiVersion: string; readonly kind: string };
}

/** Reads a definition that is an object. Without properties it has no keys. */
export function readDefinition(source: PartSource, reading: Reading): ObjectShape {
  return read(source, reading, (node = {}, spot, walker) => {
    const { named, missing } = fieldsOf(node);
    const rest = valuesOf(node, restSpot(spot), walker);
    const own = [...named].map(([name, field]): Property => {
      if (name !== 'apiVersion' && name !== 'kind') return propertyOf(name, field, spot, walker);
      const value = source.identity?.[name];
      return value === undefined
        ? unchanging(propertyOf(name, field, spot, walker))
        : constant(name, value, field, walker);
    });
    return { properties: [...own, ...missingProperties(missing, rest, spot, walker)], rest };
  });
}

/** Identity is immutable for every object, so that this fact is dropped. */
function unchanging({ schema, ...property }: Property): Property {
  const { immutable: _immutable, ...facts } = schema.facts;
  return { ...property, schema: { ...schema, facts } };
}

/** A list of objects of one kind whose schema is read. */
export interface ListSource extends DefinitionSource {
  readonly listKind: string;
  readonly apiVersion: string;
  /** Name of the type of its items, in the same group version. */
  readonly itemName: string;
}

/** Reads the schema of a list, if there is one. The common members of lists do not depend on the schema. */
export function readList(source: ListSource, reading: Reading): ObjectShape {
  return read(source, reading, (node = {}, spot, walker) => {
    const { named } = fieldsOf(node);
    const items: Schema = {
      shape: 'array',
      items: plain({ shape: 'ref', name: source.itemName }),
      list: 'atomic',
      mapKeys: [],
      nullable: false,
      facts: factsAt(named.get('items'), walker),
    };
    const others = [...named].filter(([name]) => !identity.has(name) && name !== 'items');
    const properties: readonly Property[] = [
      constant('apiVersion', source.apiVersion, named.get('apiVersion'), walker),
      constant('kind', source.listKind, named.get('kind'), walker),
      { ...metadata(named.get('metadata'), 'ListMeta', walker), optional: false },
      { name: 'items', schema: items, required: true, optional: false, defaulted: false },
      ...others.map(([name, field]) => propertyOf(name, field, spot, walker)),
    ];
    return { properties, rest: undefined };
  });
}

interface Members {
  readonly properties: readonly Property[];
  readonly rest: Schema | undefined;
}

type ReadMembers = (node: JsonObject | undefined, spot: Spot, walker: Walker) => Members;

function read(
  { path, typeName, schema }: DefinitionSource,
  reading: Reading,
  members: ReadMembers,
): ObjectShape {
  const table = new ObjectTable();
  const walker = createWalker({ ...reading, define: (draft) => table.define(draft) });
  const spot = rootSpot(path, typeName);
  if (schema !== undefined) walker.check(schema, spot);
  const node = schema === undefined ? undefined : withAllOf(withReferredMembers(schema, spot, walker));
  const { properties, rest } = members(node, spot, walker);
  const facts = node === undefined ? noFacts : walker.facts(node);
  const shape = { properties, facts, classes: table.classes };
  return rest === undefined ? shape : { ...shape, rest };
}

/**
 * Returns the members of a kind: the common members of objects first, then those of the schema.
 */
function kindMembers(node: JsonObject, spot: Spot, source: KindSource, walker: Walker): Members {
  const { named, missing } = fieldsOf(node);
  const rest = valuesOf(node, restSpot(spot), walker) ?? freeRoot(source, named);
  const absent = missing.filter((name) => !identity.has(name));
  const own = [...named].filter(([name]) => !identity.has(name));
  const properties = [
    constant('apiVersion', source.apiVersion, named.get('apiVersion'), walker),
    constant('kind', source.kind, named.get('kind'), walker),
    metadata(named.get('metadata'), source.scope === 'Cluster' ? 'ClusterMeta' : 'ObjectMeta', walker),
    ...own.map(([name, field]) => kindProperty(name, field, spot, source, walker)),
    ...missingProperties(absent, rest, spot, walker),
  ];
  return { properties, rest };
}

/** A root without known structure accepts any member. */
function freeRoot(source: KindSource, named: ReadonlyMap<string, Field>): Schema | undefined {
  if (source.schema === undefined) return unknownSchema('untyped');
  const closed = source.schema['additionalProperties'] === false;
  return named.size === 0 && !closed ? unknownSchema('free-form') : undefined;
}

/**
 * If the status is a subresource, writers of an object can omit it, because the server ignores it in the
 * request, whatever the schema requires. Otherwise it is an ordinary field.
 */
function kindProperty(name: string, field: Field, spot: Spot, source: KindSource, walker: Walker): Property {
  const property = propertyOf(name, field, spot, walker);
  return name === 'status' && source.ownStatus ? { ...property, optional: true } : property;
}

/** A constant is always immutable, so that this fact is dropped. */
function constant(name: string, value: string, field: Field | undefined, walker: Walker): Property {
  const { immutable: _immutable, ...facts } = factsAt(field, walker);
  const schema: Schema = { ...plain({ shape: 'constant', value }), facts };
  return { name, schema, required: false, optional: true, defaulted: false };
}

function factsAt(field: Field | undefined, walker: Walker): Facts {
  const node = asObject(field?.node);
  return node === undefined ? noFacts : walker.facts(node);
}
