/**
 * Rules of structural schemas, without which pruning and defaulting are undefined: those of
 * `ValidateStructural` of apiextensions-apiserver.
 */
import { patternProblem } from '../formats/pattern.ts';
import { equal, isObject, type Json, type JsonObject } from '../values/json.ts';
import { incompleteParts } from './completeness.ts';
import { own } from './members.ts';
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
  placeAt,
  placesIn,
  textAt,
} from './places.ts';

const [preserve, intOrString, embedded] = [
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
  'x-kubernetes-embedded-resource',
] as const;

type Level = 'root' | 'items' | 'fields';

/**
 * Returns the rules of structural schemas that the schema of a version violates. `undefined` if API servers
 * do not read it as a structural one.
 */
export function structuralObjections(schema: JsonObject): readonly Objection[] | undefined {
  const root: Place = { schema, keys: [] };
  if (isUnreadable(schema, new Set())) return undefined;
  const sound: Sound = { root: new Set(), items: new Set(), fields: new Set() };
  return [...structureOf(root, 'root', sound), ...incompleteParts(root)];
}

/** Schemas without objections, by level: a schema may share equal parts, which are visited once. */
type Sound = Readonly<Record<Level, Set<JsonObject>>>;

/** Keywords with which API servers do not read a schema as a structural one. Each is an error of its own. */
const unreadable = ['patternProperties', 'dependencies', 'definitions'];

function isUnreadable(schema: JsonObject, seen: Set<JsonObject>): boolean {
  if (isPlain(schema) || seen.has(schema)) return false;
  seen.add(schema);
  return (
    ['id', '$schema', '$ref'].some((key) => textAt(schema, key) !== '') ||
    unreadable.some((key) => Object.keys(objectAt(schema, key) ?? {}).length > 0) ||
    own(schema, 'additionalItems') !== undefined ||
    own(schema, preserve) === false ||
    listAt(schema, 'items').length > 0 ||
    childrenOf(schema).some((child) => isObject(child) && isUnreadable(child, seen))
  );
}

function childrenOf(schema: JsonObject): readonly (Json | undefined)[] {
  return [
    ...Object.values(objectAt(schema, 'properties') ?? {}),
    ...['items', 'additionalProperties', 'not'].map((key) => own(schema, key)),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => listAt(schema, key)),
  ];
}

/** Returns the objection to `$schema`, which API servers report only without any other objection. */
export function schemaObjections(schema: JsonObject): readonly Objection[] {
  const detail = "OpenAPIV3Schema 'schema' is not supported";
  return hasDialect(schema) ? [{ keys: [], reason: 'invalid', value: '', detail }] : [];
}

function hasDialect(schema: JsonObject): boolean {
  if (textAt(schema, '$schema') !== '') return true;
  return childrenOf(schema).some((child) => isObject(child) && hasDialect(child));
}

function structureOf(place: Place, level: Level, sound: Sound): readonly Objection[] {
  const { schema } = place;
  if (sound[level].has(schema) || (level !== 'root' && isPlain(schema))) return [];
  const found = objectionsAt(place, level, (at) => (child) => structureOf(child, at, sound));
  if (found.length === 0) sound[level].add(schema);
  return found;
}

function objectionsAt(
  place: Place,
  level: Level,
  below: (level: Level) => (child: Place) => readonly Objection[],
): readonly Objection[] {
  const { schema } = place;
  return [
    ...(textAt(schema, 'type') === 'array' && objectAt(schema, 'items') === undefined
      ? [missing(place, 'items', 'must be specified')]
      : []),
    ...placeAt(place, 'items').flatMap(below('items')),
    ...placesIn(place, 'properties').flatMap(below('fields')),
    ...valuesOf(place, level),
    ...placeAt(place, 'additionalProperties').flatMap(below('fields')),
    ...extensionsOf(place),
    ...(logic.some((key) => Object.hasOwn(schema, key)) ? logicOf(place, isPair(schema)) : []),
    ...typeOf(place, level),
    ...metadataOf(place, level),
    ...(isSet(schema, embedded) && !isSet(schema, preserve) && placesIn(place, 'properties').length === 0
      ? [missing(place, 'properties', noProperties)]
      : []),
  ];
}

/** Keywords of `logicOf`, which most schemas lack. */
const logic = ['allOf', 'anyOf', 'oneOf', 'not', 'pattern'];

const noProperties = `must not be empty if ${embedded} is true without ${preserve}`;

function valuesOf(place: Place, level: Level): readonly Objection[] {
  if ((own(place.schema, 'additionalProperties') ?? null) === null) return [];
  const isEmbedded = isSet(place.schema, embedded);
  return [
    ...(level === 'root' ? [forbidden(place, 'additionalProperties', 'must not be used at the root')] : []),
    ...(isEmbedded
      ? [forbidden(place, 'additionalProperties', `must not be used if ${embedded} is set`)]
      : []),
  ];
}

function extensionsOf(place: Place): readonly Objection[] {
  if (!isSet(place.schema, intOrString)) return [];
  return [preserve, embedded]
    .filter((key) => isSet(place.schema, key))
    .map((key) => invalid(place, key, `must be false if ${intOrString} is true`));
}

const pair = [{ type: 'integer' }, { type: 'string' }];

/** The only members that may have types: `anyOf` of an integer and a string. */
type Pair = 'anyOf' | 'allOf' | undefined;

function isPair(schema: JsonObject): Pair {
  if (equal(listAt(schema, 'anyOf'), pair)) return 'anyOf';
  const [first] = listAt(schema, 'allOf');
  return isObject(first) && equal(listAt(first, 'anyOf'), pair) ? 'allOf' : undefined;
}

function logicOf(place: Place, exempt: Pair): readonly Objection[] {
  const nested = (member: Place): readonly Objection[] => nestedOf(member);
  const [first, ...others] = membersAt(place, 'allOf');
  return [
    ...(exempt === 'anyOf' ? [] : membersAt(place, 'anyOf').flatMap(nested)),
    ...(first === undefined ? [] : nestedOf(first, exempt === 'allOf' ? 'anyOf' : undefined)),
    ...others.flatMap(nested),
    ...membersAt(place, 'oneOf').flatMap(nested),
    ...placeAt(place, 'not').flatMap(nested),
    ...patternOf(place),
  ];
}

function patternOf(place: Place): readonly Objection[] {
  const pattern = textAt(place.schema, 'pattern');
  const problem = pattern === '' ? undefined : patternProblem(pattern);
  return problem === undefined
    ? []
    : [invalid(place, 'pattern', `must be a valid regular expression, but isn't: ${problem}`)];
}

/** Keywords that members of logical keywords must not have, with the words of API servers. */
const outside: readonly (readonly [key: string, detail: string])[] = [
  ['type', 'must be empty to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  [preserve, 'must be false to be structural'],
  [embedded, 'must be false to be structural'],
  [intOrString, 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function nestedOf(place: Place, exempt?: Pair): readonly Objection[] {
  const { schema } = place;
  const nested = (member: Place): readonly Objection[] => nestedOf(member);
  const values = own(schema, 'additionalProperties');
  return [
    ...logicOf(place, exempt),
    ...placeAt(place, 'items').flatMap(nested),
    ...placesIn(place, 'properties').flatMap(nested),
    ...outside.filter(([key]) => hasValue(schema, key)).map(([key, detail]) => forbidden(place, key, detail)),
    ...(isObject(values) || values === true
      ? [forbidden(place, 'additionalProperties', 'must be undefined to be structural')]
      : []),
    ...placesIn(place, 'properties')
      .filter(({ name }) => name === 'metadata')
      .map(
        (metadata): Objection => ({
          keys: metadata.keys,
          reason: 'forbidden',
          detail: 'must not be specified in a nested context',
        }),
      ),
  ];
}

/** Zero values of Go are absent. */
function hasValue(schema: JsonObject, key: string): boolean {
  const value = own(schema, key) ?? null;
  if (key === 'default') return value !== null;
  return value !== null && value !== '' && value !== false && listIsFilled(value);
}

function listIsFilled(value: unknown): boolean {
  return !Array.isArray(value) || value.length > 0;
}

const emptyType = {
  root: 'must not be empty at the root',
  items: 'must not be empty for specified array items',
  fields: 'must not be empty for specified object fields',
};

function typeOf(place: Place, level: Level): readonly Objection[] {
  const { schema } = place;
  const type = textAt(schema, 'type');
  const isFree = isSet(schema, intOrString) || isSet(schema, preserve);
  const mustBeObject = `must be object if ${embedded} is true`;
  return [
    ...(isSet(schema, embedded) && type !== 'object'
      ? [type === '' ? missing(place, 'type', mustBeObject) : invalid(place, 'type', mustBeObject)]
      : type === '' && !isFree
        ? [missing(place, 'type', emptyType[level])]
        : []),
    ...(level === 'root' && type !== '' && type !== 'object'
      ? [invalid(place, 'type', 'must be object at the root')]
      : []),
  ];
}

function metadataOf(place: Place, level: Level): readonly Objection[] {
  const isResource = level === 'root' || isSet(place.schema, embedded);
  if (!isResource) return [];
  return placesIn(place, 'properties').flatMap((property): readonly Objection[] => {
    const type = textAt(property.schema, 'type');
    if (property.name === 'metadata') return metadataRules(property, level);
    const isNamed = property.name === 'kind' || property.name === 'apiVersion';
    const wrong: Objection = {
      keys: [...property.keys, 'type'],
      reason: 'invalid',
      value: type,
      detail: 'must be string',
    };
    return isNamed && type !== 'string' ? [wrong] : [];
  });
}

function metadataRules(place: Place, level: Level): readonly Objection[] {
  const { keys, schema } = place;
  const type = textAt(schema, 'type');
  const wrongType: Objection = {
    keys: [...keys, 'type'],
    reason: 'invalid',
    value: type,
    detail: 'must be object',
  };
  return [
    ...(type !== 'object' ? [wrongType] : []),
    ...(level === 'root' && statesMore(schema)
      ? [{ keys, reason: 'forbidden', detail: onlyNames } as const]
      : []),
  ];
}

const onlyNames =
  'must not specify anything other than name and generateName, but metadata is implicitly specified';

function statesMore(schema: JsonObject): boolean {
  const properties = Object.keys(objectAt(schema, 'properties') ?? {});
  const allowed = properties.every((name) => name === 'name' || name === 'generateName');
  return Object.keys(schema).some((key) => {
    if (key === 'type' || key === 'default') return false;
    if (key === 'properties') return properties.length > 0 && !allowed;
    return hasValue(schema, key);
  });
}
