/** Parsed form of structural schemas, with defaults for absent parts. */
import {
  array,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  strings,
  text,
} from '../values/json.ts';

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
  const items = own(json, 'items');
  return {
    ...parseConstraints(json),
    properties: new Map(
      Object.entries(object(json, 'properties')).flatMap(([name, value]) =>
        isObject(value) ? [[name, parseSchema(value)]] : [],
      ),
    ),
    additionalProperties: parseAdditional(own(json, 'additionalProperties')),
    items: isObject(items) ? parseSchema(items) : undefined,
    default: own(json, 'default') ?? undefined,
    preserveUnknown: own(json, 'x-kubernetes-preserve-unknown-fields') === true,
    embeddedResource: own(json, 'x-kubernetes-embedded-resource') === true,
    listType: text(json, 'x-kubernetes-list-type'),
    listMapKeys: strings(json, 'x-kubernetes-list-map-keys'),
    mapType: text(json, 'x-kubernetes-map-type'),
    patchStrategies: text(json, 'x-kubernetes-patch-strategy').split(',').filter(Boolean),
    patchMergeKey: text(json, 'x-kubernetes-patch-merge-key'),
    rules: array(json, 'x-kubernetes-validations').map(parseRule),
    isQuiet: false,
  };
}

function parseConstraints(json: JsonObject): Constraints {
  const not = own(json, 'not');
  const values = own(json, 'enum');
  return {
    type: text(json, 'type'),
    intOrString: own(json, 'x-kubernetes-int-or-string') === true,
    nullable: own(json, 'nullable') === true,
    format: text(json, 'format'),
    // An empty list has no effect.
    enum: isArray(values) && values.length > 0 ? values : undefined,
    pattern: text(json, 'pattern'),
    ...parseBounds(json),
    required: strings(json, 'required'),
    allOf: parseList(json, 'allOf'),
    anyOf: parseList(json, 'anyOf'),
    oneOf: parseList(json, 'oneOf'),
    not: isObject(not) ? parseSchema(not) : undefined,
  };
}

type Bounds = Pick<
  Constraints,
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'multipleOf'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'minProperties'
  | 'maxProperties'
>;

function parseBounds(json: JsonObject): Bounds {
  const number = (key: string): number | undefined => {
    const value = own(json, key);
    return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
  };
  return {
    minimum: number('minimum'),
    maximum: number('maximum'),
    exclusiveMinimum: own(json, 'exclusiveMinimum') === true,
    exclusiveMaximum: own(json, 'exclusiveMaximum') === true,
    multipleOf: number('multipleOf'),
    minLength: number('minLength'),
    maxLength: number('maxLength'),
    minItems: number('minItems'),
    maxItems: number('maxItems'),
    minProperties: number('minProperties'),
    maxProperties: number('maxProperties'),
  };
}

function parseList(json: JsonObject, key: string): readonly Schema[] {
  return array(json, key).filter(isObject).map(parseSchema);
}

function parseAdditional(value: Json | undefined): Schema | boolean | undefined {
  if (typeof value === 'boolean') return value;
  return isObject(value) ? parseSchema(value) : undefined;
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
