import type { CrdScope } from '../input/crd.ts';
import type { JsonObject } from '../input/crd-input.ts';
import { noFacts } from './facts.ts';
import { type Field, fieldsOf } from './fields.ts';
import type { Facts, Property, Schema } from './ir.ts';
import { asObject } from './json.ts';
import { withAllOf } from './members.ts';
import { type ObjectClass, ObjectTable } from './object-table.ts';
import { withReferredMembers } from './references.ts';
import { plain, unknownSchema } from './schema.ts';
import { restSpot, rootSpot, type Spot } from './spot.ts';
import { createWalker, type Sink } from './walk.ts';
import { identity, metadata, missingProperties, propertyOf, valuesOf } from './walk-object.ts';
import type { Walker } from './walker.ts';

/** An object type whose schema is to be read. */
export interface DefinitionSource {
  /** What its paths start with: a kind, or the full name of a definition. */
  readonly path: string;
  /** Absent where nothing is known of the objects. */
  readonly schema?: JsonObject;
  /** Name that the type would like to have. */
  readonly typeName: string;
}

/** A kind whose schema is to be read. */
export interface KindSource extends DefinitionSource {
  readonly kind: string;
  /** Group and version as objects carry them: `my.domain/v1`. */
  readonly apiVersion: string;
  readonly scope: CrdScope;
  /** True when the status is a subresource. */
  readonly ownStatus: boolean;
}

/**
 * What the schema of an object type says; references to the object types in it are provisional, by their number in
 * `classes`.
 */
export interface ObjectShape {
  readonly properties: readonly Property[];
  readonly rest?: Schema;
  readonly facts: Facts;
  readonly classes: readonly ObjectClass[];
}

/** What hears of problems, and what knows the definitions that are referred to. */
export type Reading = Omit<Sink, 'define'>;

/** Reads the schema of one version of one kind. */
export function readKind(source: KindSource, reading: Reading): ObjectShape {
  return read(source, reading, (node, spot, walker) => kindMembers(node ?? {}, spot, source, walker));
}

/** A definition whose schema is to be read. */
export interface PartSource extends DefinitionSource {
  /** What it says of itself, as objects carry it; absent where that may be several things. */
  readonly identity?: { readonly apiVersion: string; readonly kind: string };
}

/** Reads a definition that is an object: without properties it has no keys at all. */
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

/** What an object is does not change, which goes without saying. */
function unchanging({ schema, ...property }: Property): Property {
  const { immutable: _immutable, ...facts } = schema.facts;
  return { ...property, schema: { ...schema, facts } };
}

/** A list of objects of one kind whose schema is to be read. */
export interface ListSource extends DefinitionSource {
  readonly listKind: string;
  readonly apiVersion: string;
  /** Name of the type of its items, which is of the same group version. */
  readonly itemName: string;
}

/** Reads the schema of a list, if there is one. What every list has is certain, whatever the schema demands. */
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
      { name: 'items', schema: items, optional: false, defaulted: false },
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

/** The members of a kind: what every object has comes first, then the schema's own, in its order. */
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

/** A root about which nothing is known takes any member. */
function freeRoot(source: KindSource, named: ReadonlyMap<string, Field>): Schema | undefined {
  if (source.schema === undefined) return unknownSchema('untyped');
  const closed = source.schema['additionalProperties'] === false;
  return named.size === 0 && !closed ? unknownSchema('free-form') : undefined;
}

/**
 * Where the status is a subresource, whoever writes an object need not and cannot write it: the server takes it
 * out of what it is given, whatever the schema demands. Where it is not, it is a field like the others.
 */
function kindProperty(name: string, field: Field, spot: Spot, source: KindSource, walker: Walker): Property {
  const property = propertyOf(name, field, spot, walker);
  return name === 'status' && source.ownStatus ? { ...property, optional: true } : property;
}

/** That a constant cannot be changed goes without saying. */
function constant(name: string, value: string, field: Field | undefined, walker: Walker): Property {
  const { immutable: _immutable, ...facts } = factsAt(field, walker);
  const schema: Schema = { ...plain({ shape: 'constant', value }), facts };
  return { name, schema, optional: true, defaulted: false };
}

function factsAt(field: Field | undefined, walker: Walker): Facts {
  const node = asObject(field?.node);
  return node === undefined ? noFacts : walker.facts(node);
}
