import type { CrdScope } from '../input/crd.ts';
import type { JsonObject } from '../input/crd-input.ts';
import { factsOf, noFacts } from './facts.ts';
import { type Field, fieldsOf } from './fields.ts';
import type { Facts, Property, Schema } from './ir.ts';
import { asObject } from './json.ts';
import { withAllOf } from './members.ts';
import { type ObjectClass, ObjectTable } from './object-table.ts';
import { plain, unknownSchema } from './schema.ts';
import { restSpot, rootSpot, type Spot } from './spot.ts';
import { createWalker } from './walk.ts';
import { identity, metadata, missingProperties, propertyOf, valuesOf } from './walk-object.ts';
import type { Finding, Walker } from './walker.ts';

/** A kind whose schema is to be read. */
export interface KindSource {
  readonly kind: string;
  /** Group and version as objects carry them: `my.domain/v1`. */
  readonly apiVersion: string;
  readonly scope: CrdScope;
  /** Absent where nothing is known of the objects. */
  readonly schema?: JsonObject;
  /** Name that the type would like to have. */
  readonly typeName: string;
  /** True when the status is a subresource. */
  readonly ownStatus: boolean;
}

/**
 * What the schema of a kind says; references to object types are provisional, by their number in `classes`.
 */
export interface KindShape {
  readonly properties: readonly Property[];
  readonly rest?: Schema;
  readonly facts: Facts;
  readonly classes: readonly ObjectClass[];
}

/** Reads the schema of one version of one kind. */
export function readKind(source: KindSource, tell: (finding: Finding) => void): KindShape {
  const table = new ObjectTable();
  const walker = createWalker({ define: (draft) => table.define(draft), tell });
  const spot = rootSpot(source.kind, source.typeName);
  if (source.schema !== undefined) walker.check(source.schema, spot);
  const node = source.schema === undefined ? undefined : withAllOf(source.schema);
  const { properties, rest } = rootMembers(node ?? {}, spot, source, walker);
  const shape = { properties, facts: node === undefined ? noFacts : factsOf(node), classes: table.classes };
  return rest === undefined ? shape : { ...shape, rest };
}

interface RootMembers {
  readonly properties: readonly Property[];
  readonly rest: Schema | undefined;
}

/** The members of the root: what every object has comes first, then the schema's own, in its order. */
function rootMembers(node: JsonObject, spot: Spot, source: KindSource, walker: Walker): RootMembers {
  const { named, missing } = fieldsOf(node);
  const rest = valuesOf(node, restSpot(spot), walker) ?? freeRoot(source, named);
  const absent = missing.filter((name) => !identity.has(name));
  const own = [...named].filter(([name]) => !identity.has(name));
  const properties = [
    constant('apiVersion', source.apiVersion, named.get('apiVersion')),
    constant('kind', source.kind, named.get('kind')),
    metadata(named.get('metadata'), source.scope === 'Cluster' ? 'ClusterMeta' : 'ObjectMeta'),
    ...own.map(([name, field]) => rootProperty(name, field, spot, source, walker)),
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
function rootProperty(name: string, field: Field, spot: Spot, source: KindSource, walker: Walker): Property {
  const property = propertyOf(name, field, spot, walker);
  return name === 'status' && source.ownStatus ? { ...property, optional: true } : property;
}

function constant(name: string, value: string, field: Field | undefined): Property {
  const node = asObject(field?.node);
  const schema: Schema = {
    ...plain({ shape: 'constant', value }),
    facts: node === undefined ? noFacts : factsOf(node),
  };
  return { name, schema, optional: true, defaulted: false };
}
