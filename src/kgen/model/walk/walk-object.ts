import { type ExclusiveMembers, exclusiveMembers } from '@kgen/schema/exclusive/exclusive';
import { quote, quoteAll } from '../../common/problems.ts';
import type { JsonObject } from '../../input/crd/crd-input.ts';
import type { Property, Schema, Shape } from '../ir.ts';
import { noFacts } from '../schema/facts.ts';
import { asObject, isAbsent } from '../schema/json.ts';
import { ownEmbedded } from '../schema/published-schema.ts';
import { plain, unknownSchema } from '../schema/schema.ts';
import { limited, propertySpot, restSpot, type Spot, valueSpot } from '../schema/schema-path.ts';
import { type Field, type Fields, fieldsOf } from './fields.ts';
import type { Walker } from './walker.ts';

/** Returns a type of its own for an object with properties, otherwise a map. */
export function objectType(node: JsonObject, spot: Spot, walker: Walker): Shape {
  const fields = fieldsOf(node, spot.limits);
  const closed = node['additionalProperties'] === false && node['patternProperties'] === undefined;
  if (fields.named.size === 0 && !closed && (fields.missing.length === 0 || !isOpen(node))) {
    warnMissing(fields.missing, spot, walker);
    return { shape: 'map', values: valuesOf(node, valueSpot(spot), walker) ?? unknownSchema('free-form') };
  }
  const properties = [...fields.named].map(([name, field]) => propertyOf(name, field, spot, walker));
  return define(node, spot, properties, fields.missing, walker);
}

/**
 * Returns the type of an embedded Kubernetes object: of a known kind if it has properties, otherwise of any
 * kind.
 */
export function embeddedType(given: JsonObject, spot: Spot, walker: Walker): Shape {
  const node = ownEmbedded(given);
  const fields = fieldsOf(node, spot.limits);
  if (fields.named.size === 0) return { shape: 'runtime', name: 'EmbeddedObject' };
  const own = new Map([...fields.named].filter(([name]) => !identity.has(name)));
  const properties = [
    typeMeta('apiVersion', fields.named.get('apiVersion'), spot, walker),
    typeMeta('kind', fields.named.get('kind'), spot, walker),
    embeddedMetadata(fields, walker),
    ...[...own].map(([name, field]) => propertyOf(name, field, spot, walker)),
  ];
  return define(
    node,
    spot,
    properties,
    fields.missing.filter((name) => !identity.has(name)),
    walker,
  );
}

/** Properties of every Kubernetes object, independent of its schema. */
export const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * The metadata of an object is always the type of the runtime. Further constraints of the schema become
 * documentation.
 */
export function metadata(
  field: Field | undefined,
  name: 'ObjectMeta' | 'ClusterMeta' | 'ListMeta',
  walker: Walker,
): Property {
  const node = asObject(field?.node);
  const logic = (['required', 'properties', 'allOf', 'anyOf', 'oneOf', 'not'] as const).filter(
    (key) => node?.[key] !== undefined,
  );
  const facts = node === undefined ? noFacts : walker.facts(node, logic);
  const schema: Schema = { shape: 'runtime', name, nullable: false, facts };
  const required = field?.required === true;
  return { name: 'metadata', schema, required, optional: !required, defaulted: false };
}

function embeddedMetadata({ named, missing }: Fields, walker: Walker): Property {
  const property = metadata(named.get('metadata'), 'ObjectMeta', walker);
  return missing.includes('metadata') ? { ...property, required: true, optional: false } : property;
}

/** Returns a property of the object at `spot`. */
export function propertyOf(name: string, field: Field, spot: Spot, walker: Walker): Property {
  const schema = walker.walk(field.node, limited(propertySpot(spot, name, field.siblings), field.limits));
  const fallback = asObject(field.node)?.['default'];
  const given = fallback !== undefined && (fallback !== null || schema.nullable);
  const defaulted = given && walker.references === undefined;
  return { name, schema, required: field.required, optional: !field.required || defaulted, defaulted };
}

/** Returns the type of the values of additional keys, or `undefined` if there are none. */
export function valuesOf(node: JsonObject, spot: Spot, walker: Walker): Schema | undefined {
  const values = node['additionalProperties'];
  const preserved = node['x-kubernetes-preserve-unknown-fields'] === true;
  const typedValues = asObject(values);
  if (typedValues !== undefined && Object.keys(typedValues).length > 0) return walker.walk(typedValues, spot);
  if (typeof values !== 'boolean' && typedValues === undefined && !isAbsent(values))
    return unknownSchema('untyped');
  if (preserved) return unknownSchema('preserve-unknown');
  const open = values === true || typedValues !== undefined || node['patternProperties'] !== undefined;
  return open ? unknownSchema('free-form') : undefined;
}

/**
 * Handles names in `required` without a property: they have the type of additional keys. If no additional
 * keys are allowed, such a name can never be written, which is reported as a warning.
 */
export function missingProperties(
  missing: readonly string[],
  rest: Schema | undefined,
  spot: Spot,
  walker: Walker,
): readonly Property[] {
  if (rest !== undefined)
    return missing.map((name) => ({ name, schema: rest, required: true, optional: false, defaulted: false }));
  warnMissing(missing, spot, walker);
  return [];
}

function define(
  node: JsonObject,
  spot: Spot,
  properties: readonly Property[],
  missing: readonly string[],
  walker: Walker,
): Shape {
  const rest = valuesOf(node, restSpot(spot), walker);
  const all =
    missing.length === 0 ? properties : [...properties, ...missingProperties(missing, rest, spot, walker)];
  const facts = walker.facts(node);
  if (rest !== undefined) return walker.define({ spot, properties: all, rest, facts });
  const exclusive = walker.exclusive ? exclusiveIn(node, all) : [];
  return walker.define({ spot, properties: all, facts, ...(exclusive.length > 0 && { exclusive }) });
}

/** Maximum number of alternatives that a type may have. */
const maxAlternatives = 100;

/** Returns the members of an object without other keys that exclude each other. */
function exclusiveIn(node: JsonObject, properties: readonly Property[]): readonly ExclusiveMembers[] {
  const own = asObject(node['properties']) ?? {};
  if (!properties.every(({ name }) => Object.hasOwn(own, name))) return [];
  const names = properties.filter(({ optional, defaulted }) => optional && !defaulted);
  let alternatives = 1;
  return exclusiveMembers(
    node,
    names.map(({ name }) => name),
  ).filter((group) => {
    alternatives *= group.names.length;
    return alternatives <= maxAlternatives;
  });
}

function typeMeta(name: string, field: Field | undefined, spot: Spot, walker: Walker): Property {
  const schema =
    field === undefined ? plain({ shape: 'string' }) : propertyOf(name, field, spot, walker).schema;
  return { name, schema, required: true, optional: false, defaulted: false };
}

/** Returns whether the schema explicitly allows additional keys. */
function isOpen(node: JsonObject): boolean {
  const values = node['additionalProperties'];
  return (!isAbsent(values) && values !== false) || node['x-kubernetes-preserve-unknown-fields'] === true;
}

function warnMissing(missing: readonly string[], spot: Spot, walker: Walker): void {
  if (missing.length === 0) return;
  walker.warn(
    spot,
    `${quote(spot.path)} requires ${quoteAll(missing)}, which its properties do not have, so the type leaves it out: add the property or drop the requirement`,
  );
}
