/**
 * Rules of single schemas of a definition, members of logical keywords included: those of
 * `ValidateCustomResourceDefinitionOpenAPISchema` of apiextensions-apiserver, which compiles the expressions
 * of a schema without objections at or below it.
 */
import { isArray, isObject, type Json, type JsonObject } from '../values/json.ts';
import { own } from './members.ts';
import type { JsonPath } from './places.ts';
import {
  forbidden,
  invalid,
  isPlain,
  isSet,
  listAt,
  membersAt,
  missing,
  type Objection,
  objectAt,
  type Place,
  pathText,
  placeAt,
  placesIn,
  textAt,
  unsupported,
} from './places.ts';

const listType = 'x-kubernetes-list-type';
const mapType = 'x-kubernetes-map-type';
const mapKeys = 'x-kubernetes-list-map-keys';
const embedded = 'x-kubernetes-embedded-resource';
const preserve = 'x-kubernetes-preserve-unknown-fields';

/** Where a schema stands. */
interface Scope {
  readonly isRoot: boolean;
  /** Whether it describes `metadata`, `kind` or `apiVersion` of an object, or a part of them. */
  readonly isMeta: boolean;
  /** Why it must not have a default. */
  readonly noDefault?: string;
}

/** Objections to single schemas, and the schemas whose expressions can be compiled. */
export interface KeywordCheck {
  readonly found: readonly Objection[];
  /** Schemas with expressions at or below them, of which API servers know the types. */
  readonly ruled: ReadonlySet<JsonObject>;
  /** Steps, as `pathText` prints them, to schemas with expressions that have objections at or below them. */
  readonly faulty: ReadonlySet<string>;
}

/**
 * Returns the rules of single schemas that the schema of a version violates.
 * @param hasStatus whether the version has the subresource `status`
 * @param formsOf returns objections to the forms of the expressions of a schema
 */
export function checkKeywords(
  schema: JsonObject,
  hasStatus: boolean,
  formsOf: (place: Place) => readonly Objection[],
): KeywordCheck {
  const root: Place = { schema, keys: [] };
  const check = new Keywords(formsOf);
  check.visit(root, { isRoot: true, isMeta: false });
  const rootOnly = [
    ...(hasStatus ? rootOf(root) : []),
    ...(isSet(schema, 'nullable')
      ? [forbidden(root, 'nullable', 'nullable cannot be true at the root')]
      : []),
  ];
  return { found: [...rootOnly, ...check.found], ruled: check.ruled, faulty: check.faulty };
}

/** Keywords that the root may have beside the schema of a status, which is validated alone. */
const rootKeywords = [
  ...['Description', 'Type', 'Format', 'Title', 'Maximum', 'ExclusiveMaximum', 'Minimum', 'ExclusiveMinimum'],
  ...['MaxLength', 'MinLength', 'Pattern', 'MaxItems', 'MinItems', 'UniqueItems', 'MultipleOf', 'Required'],
  ...['Items', 'Properties', 'ExternalDocs', 'Example', 'XPreserveUnknownFields', 'XValidations'],
];

const rootNames: ReadonlySet<string> = new Set([
  ...rootKeywords.map((name) => name.charAt(0).toLowerCase() + name.slice(1)),
  preserve,
  'x-kubernetes-validations',
]);

/** API servers print the whole schema as the value. */
function rootOf({ schema, keys }: Place): readonly Objection[] {
  const names = rootKeywords.join(' ');
  const detail = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
  const isAllowed = Object.keys(schema).every((key) => rootNames.has(key) || isZero(own(schema, key)));
  return isAllowed ? [] : [{ keys, reason: 'invalid', value: {}, detail }];
}

function isZero(value: Json | undefined): boolean {
  return value === undefined || value === false || value === '' || (isArray(value) && value.length === 0);
}

class Keywords {
  readonly found: Objection[] = [];
  readonly ruled = new Set<JsonObject>();
  readonly faulty = new Set<string>();
  /** Schemas outside of metadata without objections and expressions: they may be shared. */
  readonly #sound = new Set<JsonObject>();
  readonly #formsOf: (place: Place) => readonly Objection[];

  constructor(formsOf: (place: Place) => readonly Objection[]) {
    this.#formsOf = formsOf;
  }

  /** Returns whether the schema or one below it has expressions. */
  visit(place: Place, scope: Scope): boolean {
    const { schema } = place;
    if (isPlain(schema) || (isOrdinary(scope) && this.#sound.has(schema))) return false;
    const before = this.found.length;
    this.#add(standardOf(place, scope));
    if (isSet(schema, 'uniqueItems')) this.#add([forbidden(place, 'uniqueItems', quadratic)]);
    this.#add(exclusiveOf(place));
    const isAbove = this.#below(place, scope);
    if (own(schema, preserve) === false) this.#add([invalid(place, preserve, 'must be true or undefined')]);
    for (const rules of [mapTypeOf, listTypeOf, keysOf, itemsOf]) this.#add(rules(place));
    const hasRules = listAt(schema, 'x-kubernetes-validations').length > 0;
    if (hasRules) {
      this.#add(this.#formsOf(place));
      if (this.found.length > before) this.faulty.add(pathText(place.keys));
    }
    if (hasRules || isAbove) this.ruled.add(schema);
    else if (isOrdinary(scope) && this.found.length === before) this.#sound.add(schema);
    return hasRules || isAbove;
  }

  /** Visits the schemas below. Returns whether one that API servers know the type of has expressions. */
  #below(place: Place, scope: Scope): boolean {
    const inner: Scope = scope.isRoot ? { ...scope, isRoot: false } : scope;
    let hasRules = false;
    for (const child of placeAt(place, 'additionalProperties'))
      hasRules = this.visit(child, valuesScope(inner)) || hasRules;
    for (const child of placesIn(place, 'properties'))
      hasRules = this.visit(child, propertyScope(child.name, place, scope, inner)) || hasRules;
    for (const child of placeAt(place, 'not')) this.visit(child, inner);
    for (const key of ['allOf', 'oneOf', 'anyOf'])
      for (const child of membersAt(place, key)) this.visit(child, inner);
    for (const child of placesIn(place, 'definitions')) this.visit(child, inner);
    for (const child of placeAt(place, 'items')) hasRules = this.visit(child, inner) || hasRules;
    for (const child of membersAt(place, 'items')) this.visit(child, inner);
    for (const child of placesIn(place, 'dependencies')) this.visit(child, inner);
    return hasRules;
  }

  #add(objections: readonly Objection[]): void {
    for (const each of objections) this.found.push(each);
  }
}

function isOrdinary({ isRoot, isMeta }: Scope): boolean {
  return !isRoot && !isMeta;
}

const quadratic = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';

function valuesScope(scope: Scope): Scope {
  const noDefault = 'inside additionalProperties applying to object metadata';
  return scope.isMeta ? { ...scope, noDefault } : scope;
}

const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

function propertyScope(name: string, parent: Place, scope: Scope, inner: Scope): Scope {
  if (!metaFields.has(name) || !(scope.isRoot || isSet(parent.schema, embedded))) return inner;
  return scope.isRoot
    ? { ...inner, isMeta: true, noDefault: `in top-level ${name}` }
    : { ...inner, isMeta: true };
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Keywords of JSON Schema that definitions do not have. An empty object or string counts as absent. */
const unknown = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

function standardOf(place: Place, scope: Scope): readonly Objection[] {
  const { schema } = place;
  const type = textAt(schema, 'type');
  const noNull = 'type cannot be set to null, use nullable as an alternative';
  const hasDefault = (own(schema, 'default') ?? null) !== null;
  return [
    ...(type === '' || types.includes(type) ? [] : [unsupported(place, 'type', types)]),
    ...(scope.noDefault !== undefined && hasDefault
      ? [forbidden(place, 'default', `must not be set ${scope.noDefault}`)]
      : []),
    ...unknown
      .filter((key) => isStated(key, own(schema, key)))
      .map((key) => forbidden(place, key, `${key} is not supported`)),
    ...(isArray(own(schema, 'type')) ? [invalid(place, 'type', 'must be a single type')] : []),
    ...(type === 'null' ? [forbidden(place, 'type', noNull)] : []),
    ...(listAt(schema, 'items').length > 0
      ? [forbidden(place, 'items', 'items must be a schema object and not an array')]
      : []),
    ...(scope.isMeta && isSet(schema, embedded)
      ? [forbidden(place, embedded, 'must not be used inside of resource meta')]
      : []),
  ];
}

function isStated(key: string, value: Json | undefined): boolean {
  if (value === undefined || value === null || (value === '' && key !== '$ref')) return false;
  const isMap = key === 'patternProperties' || key === 'definitions';
  return !isMap || (isObject(value) && Object.keys(value).length > 0);
}

function exclusiveOf(place: Place): readonly Objection[] {
  const values = own(place.schema, 'additionalProperties') ?? null;
  const hasProperties = Object.keys(objectAt(place.schema, 'properties') ?? {}).length > 0;
  return hasProperties && values !== null && values !== true
    ? [forbidden(place, 'additionalProperties', 'additionalProperties and properties are mutual exclusive')]
    : [];
}

function mapTypeOf(place: Place): readonly Objection[] {
  const stated = textAt(place.schema, mapType);
  if (own(place.schema, mapType) === undefined) return [];
  return [
    ...typeMustBe(place, 'object', mapType),
    ...(stated === 'atomic' || stated === 'granular'
      ? []
      : [unsupported(place, mapType, ['atomic', 'granular'])]),
  ];
}

function typeMustBe(place: Place, expected: string, keyword: string): readonly Objection[] {
  const type = textAt(place.schema, 'type');
  if (type === expected) return [];
  const detail = `must be ${expected} if ${keyword} is specified`;
  return [type === '' ? missing(place, 'type', detail) : invalid(place, 'type', detail)];
}

function listTypeOf(place: Place): readonly Objection[] {
  const { schema } = place;
  const stated = textAt(schema, listType);
  const keys = listAt(schema, mapKeys);
  const strayKeys = `must be map if ${mapKeys} is non-empty`;
  const isKnown = ['atomic', 'set', 'map'].includes(stated);
  return [
    ...(own(schema, listType) === undefined ? [] : typeMustBe(place, 'array', listType)),
    ...(stated === 'set' && textAt(schema, 'type') === 'array' ? setItemsOf(place) : []),
    ...(own(schema, listType) === undefined || isKnown
      ? []
      : [unsupported(place, listType, ['atomic', 'set', 'map'])]),
    ...(keys.length === 0 || stated === 'map'
      ? []
      : [stated === '' ? missing(place, listType, strayKeys) : invalid(place, listType, strayKeys)]),
  ];
}

/** The items of a set are compared as a whole. */
function setItemsOf(place: Place): readonly Objection[] {
  const atomic = `must be atomic as item of a list with ${listType}=set`;
  return placeAt(place, 'items').flatMap((items) => {
    const [type, list, map] = ['type', listType, mapType].map((key) => textAt(items.schema, key));
    if (type === 'array') return list === '' || list === 'atomic' ? [] : [invalid(items, listType, atomic)];
    // API servers print the list type of the items as the value.
    const value = own(items.schema, listType) ?? null;
    return type === 'object' && map !== 'atomic' ? [{ ...invalid(items, mapType, atomic), value }] : [];
  });
}

function keysOf(place: Place): readonly Objection[] {
  const { schema } = place;
  if (textAt(schema, listType) !== 'map') return [];
  const keys = listAt(schema, mapKeys).filter((key) => typeof key === 'string');
  const items = placeAt(place, 'items');
  const hasItems = isObject(own(schema, 'items')) || isArray(own(schema, 'items'));
  return [
    ...(keys.length === 0 ? [missing(place, mapKeys, `must not be empty if ${listType} is map`)] : []),
    ...(hasItems ? [] : [missing(place, 'items', `must have a schema if ${listType} is map`)]),
    ...items.flatMap((item) =>
      textAt(item.schema, 'type') === 'object'
        ? keys.flatMap((key, index) => keyOf(place, item, key, keys.indexOf(key) < index))
        : [typeOfItems(item)],
    ),
  ];
}

function typeOfItems(item: Place): Objection {
  const detail = `must be object if parent array's ${listType} is map`;
  return { keys: [...item.keys, 'type'], reason: 'invalid', value: textAt(item.schema, 'type'), detail };
}

function keyOf(place: Place, item: Place, key: string, isRepeated: boolean): readonly Objection[] {
  const property = placesIn(item, 'properties').find(({ name }) => name === key);
  const type = textAt(property?.schema, 'type');
  const unknown = invalid(place, mapKeys, 'entries must all be names of item properties');
  return [
    ...(property === undefined ? [{ ...unknown, mapKey: mapKeyOf(place, key) }] : []),
    ...(property !== undefined && (type === 'array' || type === 'object')
      ? [scalarKey(property.keys, type)]
      : []),
    ...(isRepeated ? [invalid(place, mapKeys, 'must not contain duplicate entries')] : []),
  ];
}

function mapKeyOf({ keys, schema }: Place, name: string): Objection['mapKey'] & object {
  return { keys: [...keys, mapKeys, listAt(schema, mapKeys).indexOf(name)], name };
}

function scalarKey(keys: JsonPath, type: string): Objection {
  const detail = `must be a scalar type if parent array's ${listType} is map`;
  return { keys: [...keys, 'type'], reason: 'invalid', value: type, detail };
}

/** Items and their keys must have a value: they are required or defaulted, and not null. */
function itemsOf(place: Place): readonly Objection[] {
  const stated = textAt(place.schema, listType);
  if (stated !== 'map' && stated !== 'set') return [];
  return placeAt(place, 'items').flatMap((items) => {
    const keys = new Set(stated === 'map' ? listAt(place.schema, mapKeys) : []);
    const required = listAt(items.schema, 'required');
    return [
      ...(isSet(items.schema, 'nullable')
        ? [forbidden(items, 'nullable', `cannot be nullable when ${listType} is ${stated}`)]
        : []),
      ...placesIn(items, 'properties')
        .filter(({ name }) => keys.has(name))
        .flatMap((property) => keyValueOf(place, property, required.includes(property.name))),
    ];
  });
}

function keyValueOf(
  list: Place,
  property: Place & { readonly name: string },
  isRequired: boolean,
): readonly Objection[] {
  const what = `this property is in ${mapKeys}, so it`;
  const hasValue = isRequired || (own(property.schema, 'default') ?? null) !== null;
  const absent = missing(property, 'default', `${what} must have a default or be a required property`);
  return [
    ...(hasValue ? [] : [{ ...absent, mapKey: mapKeyOf(list, property.name) }]),
    ...(isSet(property.schema, 'nullable')
      ? [forbidden(property, 'nullable', `${what} cannot be nullable`)]
      : []),
  ];
}
