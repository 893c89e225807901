/** Parsed form of structural schemas, with defaults for absent parts. */
import { array, isArray, isObject, type Json, type JsonObject, own, strings, text } from '../values/json.ts';

/** One CEL rule of `x-kubernetes-validations`. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  /** Reason of the cause. Default: FieldValueInvalid. */
  readonly reason: string;
  /** Path below the node, such as `.replicas`; empty for the node itself. */
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
}

/**
 * Constraints on a value that do not depend on its position; also the nodes of allOf, anyOf, oneOf and not.
 */
export interface Constraints {
  /** Empty if the node has no type of its own. */
  readonly type: string;
  readonly intOrString: boolean;
  readonly nullable: boolean;
  readonly format: string;
  readonly enum: readonly Json[] | undefined;
  readonly pattern: string;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly required: readonly string[];
  readonly allOf: readonly Schema[];
  readonly anyOf: readonly Schema[];
  readonly oneOf: readonly Schema[];
  readonly not: Schema | undefined;
}

/** A node of a CustomResourceDefinition's schema, with defaults for absent parts. */
export interface Schema extends Constraints {
  readonly properties: ReadonlyMap<string, Schema>;
  /**
   * Schema of the values of a map. `true` allows anything; `undefined` and `false` allow nothing besides
   * `properties`.
   */
  readonly additionalProperties: Schema | boolean | undefined;
  readonly items: Schema | undefined;
  readonly default: Json | undefined;
  readonly preserveUnknown: boolean;
  readonly embeddedResource: boolean;
  readonly listType: string;
  readonly listMapKeys: readonly string[];
  readonly mapType: string;
  /** Strategies of strategic merge patches, such as `merge` and `retainKeys`. Empty if there are none. */
  readonly patchStrategies: readonly string[];
  /** Key by which a strategic merge patch identifies the elements of a list. */
  readonly patchMergeKey: string;
  readonly rules: readonly Rule[];
  /** Whether unknown fields are dropped without being reported. */
  readonly isQuiet: boolean;
}

/** Parses the JSON of a schema. A member of the wrong type counts as absent. */
export function parseSchema(json: JsonObject): Schema {
  const schema = { ...anything };
  for (const keyword of Object.keys(json)) {
    const value = json[keyword] ?? null;
    if (value !== null) readers.get(keyword)?.(schema, value);
  }
  return schema;
}

/** The schema of all values. */
const anything: Schema = {
  type: '',
  intOrString: false,
  nullable: false,
  format: '',
  enum: undefined,
  pattern: '',
  minimum: undefined,
  maximum: undefined,
  exclusiveMinimum: false,
  exclusiveMaximum: false,
  multipleOf: undefined,
  minLength: undefined,
  maxLength: undefined,
  minItems: undefined,
  maxItems: undefined,
  minProperties: undefined,
  maxProperties: undefined,
  required: [],
  allOf: [],
  anyOf: [],
  oneOf: [],
  not: undefined,
  properties: new Map(),
  additionalProperties: undefined,
  items: undefined,
  default: undefined,
  preserveUnknown: false,
  embeddedResource: false,
  listType: '',
  listMapKeys: [],
  mapType: '',
  patchStrategies: [],
  patchMergeKey: '',
  rules: [],
  isQuiet: false,
};

type Draft = { -readonly [Key in keyof Schema]: Schema[Key] };

/** Sets the member of a keyword from its value, which is not null. */
type Reader = (schema: Draft, value: Json) => void;

const isTrue = (value: Json): boolean => value === true;

const numberOf = (value: Json): number | undefined =>
  typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;

const schemaOf = (value: Json): Schema | undefined => (isObject(value) ? parseSchema(value) : undefined);

const schemasOf = (value: Json): readonly Schema[] => array(value).filter(isObject).map(parseSchema);

const readers: ReadonlyMap<string, Reader> = new Map([
  ['type', member('type', text)],
  ['format', member('format', text)],
  ['pattern', member('pattern', text)],
  ['nullable', member('nullable', isTrue)],
  ['default', member('default', (value) => value)],
  // An empty list has no effect.
  ['enum', member('enum', (value) => (isArray(value) && value.length > 0 ? value : undefined))],
  ['minimum', member('minimum', numberOf)],
  ['maximum', member('maximum', numberOf)],
  ['exclusiveMinimum', member('exclusiveMinimum', isTrue)],
  ['exclusiveMaximum', member('exclusiveMaximum', isTrue)],
  ['multipleOf', member('multipleOf', numberOf)],
  ['minLength', member('minLength', numberOf)],
  ['maxLength', member('maxLength', numberOf)],
  ['minItems', member('minItems', numberOf)],
  ['maxItems', member('maxItems', numberOf)],
  ['minProperties', member('minProperties', numberOf)],
  ['maxProperties', member('maxProperties', numberOf)],
  ['required', member('required', (value) => strings(value))],
  ['allOf', member('allOf', schemasOf)],
  ['anyOf', member('anyOf', schemasOf)],
  ['oneOf', member('oneOf', schemasOf)],
  ['not', member('not', schemaOf)],
  ['items', member('items', schemaOf)],
  ['properties', member('properties', parseProperties)],
  [
    'additionalProperties',
    member('additionalProperties', (value) => (typeof value === 'boolean' ? value : schemaOf(value))),
  ],
  ['x-kubernetes-int-or-string', member('intOrString', isTrue)],
  ['x-kubernetes-preserve-unknown-fields', member('preserveUnknown', isTrue)],
  ['x-kubernetes-embedded-resource', member('embeddedResource', isTrue)],
  ['x-kubernetes-list-type', member('listType', text)],
  ['x-kubernetes-list-map-keys', member('listMapKeys', (value) => strings(value))],
  ['x-kubernetes-map-type', member('mapType', text)],
  ['x-kubernetes-validations', member('rules', (value) => array(value).map(parseRule))],
  ['x-kubernetes-patch-merge-key', member('patchMergeKey', text)],
  [
    'x-kubernetes-patch-strategy',
    member('patchStrategies', (value) => text(value).split(',').filter(Boolean)),
  ],
]);

function member<Key extends keyof Draft>(key: Key, parse: (value: Json) => Draft[Key]): Reader {
  return (schema, value) => {
    schema[key] = parse(value);
  };
}

function parseProperties(value: Json): ReadonlyMap<string, Schema> {
  const properties = new Map<string, Schema>();
  if (!isObject(value)) return properties;
  for (const name of Object.keys(value)) {
    const property = value[name];
    if (isObject(property)) properties.set(name, parseSchema(property));
  }
  return properties;
}

function parseRule(json: Json): Rule {
  return {
    rule: text(json, 'rule'),
    message: text(json, 'message'),
    messageExpression: text(json, 'messageExpression'),
    reason: text(json, 'reason') || 'FieldValueInvalid',
    fieldPath: text(json, 'fieldPath'),
    optionalOldSelf: own(json, 'optionalOldSelf') === true,
  };
}

/** Returns the schema of the values besides `properties`, if the node has one. */
export function valueSchema(schema: Schema): Schema | undefined {
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}
