/** Changes of the schema of a version, node by node. */
import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '@kgen/schema/validation/structural';
import type { JsonObject, JsonPath } from '../../input/crd/crd-input.ts';
import type { DefinitionChange } from './change.ts';
import { type Finding, nodeChanges } from './node-rules.ts';
import {
  anything,
  dropping,
  type Effect,
  harmless,
  itemsOf,
  keepsUnknown,
  nodeOf,
  propertiesOf,
  refusal,
  type SchemaNode,
  typesOf,
  valuesOf,
} from './nodes.ts';

/** A change of a schema, without its definition and version. Its path starts at the schema. */
export type SchemaChange = Omit<DefinitionChange, 'definition' | 'version'>;

/** Returns the changes of a schema. */
export function schemaChanges(before: JsonObject, after: JsonObject): readonly SchemaChange[] {
  return compare(nodeOf(before), nodeOf(after), {
    ...{ field: '', keys: [], oldKeys: [], unit: '', isLoose: false, isRoot: true },
    ...{ isRuled: false, watch: undefined, itemKeys: [], nulled: harmless },
  });
}

/** A value in the objects. */
interface Place {
  /** `.spec.users[].name`. */
  readonly field: string;
  /** Steps to its schemas, after and before the change. */
  readonly keys: JsonPath;
  readonly oldKeys: JsonPath;
  /**
   * The field whose old value API servers compare with the new one: the value itself, or a list around it.
   * `''` if they never take it as unchanged.
   */
  readonly unit: string;
  /** Whether it is below a list whose items have no counterpart in the old object. */
  readonly isLoose: boolean;
  readonly isRoot: boolean;
  /** Whether a rule of a value around it may read it. */
  readonly isRuled: boolean;
  /** The unit of the outermost value around it whose schema reads all of that value. */
  readonly watch: string | undefined;
  /** The fields that identify it, if it is an item of a list. */
  readonly itemKeys: readonly string[];
  readonly nulled: Effect;
}

/** A value with its schemas. */
interface Spot {
  readonly before: SchemaNode;
  readonly after: SchemaNode;
  readonly place: Place;
}

function compare(before: SchemaNode, after: SchemaNode, given: Place): readonly SchemaChange[] {
  const place = given.isLoose || !hasUndescribed(after.schema) ? given : { ...given, unit: '' };
  const spot: Spot = { before, after, place };
  const isRuled = place.isRuled || after.schema.rules.length > 0;
  const [refused, mistyped] = [refusal(place.unit), refusal(isRuled ? '' : place.unit)];
  const effects = { refused, mistyped, altered: alteredAt(spot), nulled: place.nulled };
  const own = nodeChanges({ before, after, ...effects }).map((finding) => changeAt(place, finding));
  const [was, is] = [typesOf(before.schema), typesOf(after.schema)];
  if (was !== undefined && is !== undefined && ![...was].some((type) => is.has(type))) return own;
  return [
    ...own,
    ...fieldChanges(spot),
    ...requiredChanges(spot),
    ...valueChanges(spot),
    ...itemChanges(spot),
  ];
}

/** @param isOld whether the position is that in the old definition */
function changeAt(place: Place, finding: Finding, isOld = isMissing(finding)): SchemaChange {
  const { keyword, effect, ...change } = finding;
  const path = [...(isOld ? place.oldKeys : place.keys), ...[keyword].flat()];
  return { ...change, ...effect, field: place.field, path, ...(isOld && { isRemoved: true as const }) };
}

function isMissing({ before, after }: Finding): boolean {
  return before !== undefined && after === undefined;
}

function fieldChanges(spot: Spot): readonly SchemaChange[] {
  const { before, after } = spot;
  const [was, is] = [propertiesOf(before), propertiesOf(after)];
  const [wasOther, isOther] = [otherOf(before), otherOf(after)];
  const kept = [...is].flatMap(([name, child]) => {
    const place = propertyPlace(spot, name);
    const old = was.get(name) ?? wasOther;
    const compared = old === undefined ? [] : compare(old, child, place);
    return [...defaultChanges(old, child, place, spot), ...compared];
  });
  const lost = [...was].flatMap(([name, child]) => {
    if (is.has(name) || isIdentity(name, spot)) return [];
    const place = propertyPlace(spot, name);
    return isOther === undefined ? [fieldRemoved(place, spot)] : compare(child, isOther, place);
  });
  return [...kept, ...lost];
}

/** Returns the schema of the fields that have none of their own; `undefined` if they are dropped. */
function otherOf(node: SchemaNode): SchemaNode | undefined {
  return valuesOf(node) ?? (keepsUnknown(node) ? anything : undefined);
}

function isIdentity(name: string, { place, after }: Spot): boolean {
  return identity.has(name) && (place.isRoot || after.schema.embeddedResource);
}

/** Fields that servers add to objects. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function fieldRemoved(place: Place, spot: Spot): SchemaChange {
  const isRequired = spot.after.schema.required.includes(nameOf(place));
  const effect = dropping(isRequired ? refusal(spot.place.unit) : alteredAt(spot));
  const reason =
    'its values are dropped when objects are read: keep the field, or remove it in a new version';
  return changeAt(place, { rule: 'field-removed', keyword: [], effect, clients: 'breaks', reason }, true);
}

function nameOf({ keys }: Place): string {
  return String(keys.at(-1));
}

function defaultChanges(
  before: SchemaNode | undefined,
  after: SchemaNode,
  place: Place,
  spot: Spot,
): readonly SchemaChange[] {
  const [was, is] = [before?.schema.default, after.schema.default];
  if (isDeepStrictEqual(was, is)) return [];
  const isRefused = is === undefined && spot.after.schema.required.includes(nameOf(place));
  const effect = isRefused ? refusal(spot.place.unit) : alteredAt(spot);
  if (before === undefined && effect.stored === 'none') return [];
  const [rule, reason] =
    is === undefined
      ? ['default-removed', 'objects without the field have no value any more: write the value to them first']
      : was === undefined
        ? ['default-added', 'objects without the field get a value: it has to be what they meant']
        : [
            'default-changed',
            'objects without the field get another value: make the change in a new version',
          ];
  const values = { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
  const clients = before === undefined ? 'none' : 'breaks';
  return [changeAt(place, { rule, keyword: 'default', ...values, effect, clients, reason })];
}

function requiredChanges(spot: Spot): readonly SchemaChange[] {
  const [was, is] = [spot.before.schema, spot.after.schema];
  const names = (some: Schema, others: Schema): readonly string[] =>
    some.required.filter((name) => !others.required.includes(name) && !isIdentity(name, spot));
  const keyword = 'required';
  const added = names(is, was).map((name) => {
    const place = { ...propertyPlace(spot, name), keys: spot.place.keys };
    const hasDefault = is.properties.get(name)?.default !== undefined;
    const found: Pick<Finding, 'effect' | 'clients' | 'reason'> = hasDefault
      ? { effect: harmless, clients: 'none', reason: 'objects without the field get the default' }
      : { effect: refusal(spot.place.unit), clients: 'breaks', reason: withoutDefault };
    return changeAt(place, { rule: 'required-added', keyword, ...found });
  });
  const optional = names(was, is).filter((name) => is.properties.get(name)?.default === undefined);
  const removed = optional.flatMap((name) => {
    if (!is.properties.has(name)) return [];
    const place = { ...propertyPlace(spot, name), oldKeys: spot.place.oldKeys };
    const reason = 'programs read objects without the field: they have to expect that, or it stays required';
    return [
      changeAt(
        place,
        { rule: 'required-removed', keyword, effect: harmless, clients: 'breaks', reason },
        true,
      ),
    ];
  });
  return [...added, ...removed];
}

const withoutDefault =
  'objects without the field are refused: add a default, or require the field in a new version';

function valueChanges(spot: Spot): readonly SchemaChange[] {
  const { before, after, place } = spot;
  const [was, is, old] = [valuesOf(before), valuesOf(after), otherOf(before)];
  if (is !== undefined && old !== undefined) {
    return compare(old, is, {
      ...below(spot, '{}', ['additionalProperties']),
      nulled: dropping(alteredAt(spot)),
    });
  }
  if (was === undefined || keepsUnknown(after)) return [];
  const rule = 'additional-properties-removed';
  const reason =
    'values of other keys are dropped when objects are read: keep the map, or replace it in a new version';
  const effect = dropping(alteredAt(spot));
  return [
    changeAt(place, { rule, keyword: 'additionalProperties', effect, clients: 'breaks', reason }, true),
  ];
}

function itemChanges(spot: Spot): readonly SchemaChange[] {
  const [was, is] = [itemsOf(spot.before), itemsOf(spot.after)];
  if (was === undefined || is === undefined) return [];
  const { listType, listMapKeys } = spot.after.schema;
  const place = below(spot, '[]', ['items']);
  const isLoose = spot.place.isLoose || listType !== 'map';
  // Items of other lists may lack the keys.
  const hasKeys = isDeepStrictEqual(listMapKeys, spot.before.schema.listMapKeys);
  const unit = isLoose ? spot.place.unit : hasKeys ? place.field : '';
  return compare(was, is, {
    ...place,
    isLoose,
    unit,
    itemKeys: listMapKeys,
    nulled: refusal(place.isRuled ? '' : unit),
  });
}

function propertyPlace(spot: Spot, name: string): Place {
  const place = below(spot, `.${name}`, ['properties', name]);
  const { unit, itemKeys } = spot.place;
  const isRequired = spot.after.schema.required.includes(name);
  const nulled = isRequired ? refusal(unit) : dropping(alteredAt(spot));
  return { ...place, nulled, ...(itemKeys.includes(name) && { watch: place.watch ?? unit }) };
}

function below({ place, after }: Spot, step: string, keys: JsonPath): Place {
  const field = `${place.field}${step}`;
  return {
    ...{ field, keys: [...place.keys, ...keys], oldKeys: [...place.oldKeys, ...keys] },
    isRuled: place.isRuled || after.schema.rules.length > 0,
    ...{ unit: place.isLoose ? place.unit : field, isLoose: place.isLoose, isRoot: false },
    ...{
      watch: place.watch ?? (readsAll(after.schema) ? place.unit : undefined),
      itemKeys: [],
      nulled: harmless,
    },
  };
}

/**
 * Returns whether values may have fields without a schema, which API servers cannot compare with old ones.
 * They compare lists without keys as a whole.
 */
function hasUndescribed(schema: Schema): boolean {
  const { properties, items, listType, additionalProperties, embeddedResource, preserveUnknown } = schema;
  if (schema.type === 'array') return listType === 'map' && items !== undefined && hasUndescribed(items);
  const isOpen = preserveUnknown || additionalProperties === true;
  if (isOpen || (embeddedResource && ![...identity].every((name) => properties.has(name)))) return true;
  const values = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  return [...properties.values(), ...values].some(hasUndescribed);
}

/** Returns whether a schema reads more of a value than its own fields. */
function readsAll(schema: Schema): boolean {
  const { enum: values, allOf, anyOf, oneOf, not: isNot, rules, listType } = schema;
  const lists = [allOf, anyOf, oneOf, rules, values ?? []];
  return lists.some((list) => list.length > 0) || isNot !== undefined || listType === 'set';
}

/** Returns the effect if a part of a value is added, dropped or changed. */
function alteredAt({ place, after }: Spot): Effect {
  const { minProperties, maxProperties } = after.schema;
  const counts = minProperties !== undefined || maxProperties !== undefined;
  if (place.watch !== undefined) return refusal(place.watch);
  return counts || readsAll(after.schema) ? refusal(place.unit) : harmless;
}
