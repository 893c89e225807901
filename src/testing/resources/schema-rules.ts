/** Rules of schemas besides those of their structure: types, lists and defaults. */
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../api/fielderror.ts';
import { unknownIn } from '../schema/prune.ts';
import { parseSchema } from '../schema/structural.ts';
import { validateSchema } from '../schema/validate.ts';
import { array, isObject, type Json, type JsonObject, object, own, strings, text } from '../values/json.ts';
import { coerceMetadata } from './metadata.ts';

/** A schema within the schema of a version, with its path in messages. */
export interface SchemaNode {
  readonly schema: JsonObject;
  readonly path: string;
}

/** Returns a schema, and all schemas of its properties, items and values, in the order of the document. */
export function nodesOf(schema: JsonObject, path: string): readonly SchemaNode[] {
  const items = own(schema, 'items');
  const extra = own(schema, 'additionalProperties');
  return [
    { schema, path },
    ...Object.entries(object(schema, 'properties')).flatMap(([name, child]) =>
      isObject(child) ? nodesOf(child, `${path}.properties[${name}]`) : [],
    ),
    ...(isObject(items) ? nodesOf(items, `${path}.items`) : []),
    ...(isObject(extra) ? nodesOf(extra, `${path}.additionalProperties`) : []),
  ];
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const listTypes = ['atomic', 'set', 'map'];
const [typeKey, keysKey] = ['x-kubernetes-list-type', 'x-kubernetes-list-map-keys'] as const;

/** Returns the errors of `type` and of the keywords of lists. */
export function listErrors({ schema, path }: SchemaNode): readonly FieldError[] {
  const [type, listType] = [text(schema, 'type'), text(schema, typeKey)];
  const keys = array(schema, keysKey);
  return [
    ...(type === '' || types.includes(type) ? [] : [notSupported(`${path}.type`, type, types)]),
    ...(listType === '' ? [] : listTypeErrors(type, listType, path)),
    ...(keys.length === 0 || listType === 'map' ? [] : [strayKeys(listType, path)]),
    ...(listType === 'map' ? mapErrors(schema, path) : []),
    ...(listType === 'map' || listType === 'set' ? itemErrors(schema, listType, path) : []),
  ];
}

function listTypeErrors(type: string, listType: string, path: string): readonly FieldError[] {
  const detail = `must be array if ${typeKey} is specified`;
  if (type === '') return [required(`${path}.type`, detail)];
  if (type !== 'array') return [invalidValue(`${path}.type`, type, detail)];
  return listTypes.includes(listType) ? [] : [notSupported(`${path}.${typeKey}`, listType, listTypes)];
}

function strayKeys(listType: string, path: string): FieldError {
  const detail = `must be map if ${keysKey} is non-empty`;
  return listType === ''
    ? required(`${path}.${typeKey}`, detail)
    : invalidValue(`${path}.${typeKey}`, listType, detail);
}

function mapErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const items = own(schema, 'items');
  const keys = strings(schema, keysKey);
  const type = text(items, 'type');
  return [
    ...(keys.length === 0 ? [required(`${path}.${keysKey}`, `must not be empty if ${typeKey} is map`)] : []),
    ...(isObject(items) ? [] : [required(`${path}.items`, `must have a schema if ${typeKey} is map`)]),
    ...(isObject(items) && type !== 'object'
      ? [invalidValue(`${path}.items.type`, type, `must be object if parent array's ${typeKey} is map`)]
      : []),
    ...(isObject(items) && type === 'object'
      ? keys.flatMap((key, at) => keyErrors(key, at, schema, path))
      : []),
  ];
}

function keyErrors(key: string, at: number, schema: JsonObject, path: string): readonly FieldError[] {
  const keys = strings(schema, keysKey);
  const property = own(object(schema, 'items', 'properties'), key);
  const type = text(property, 'type');
  const invalidKeys = (detail: string): FieldError => invalidValue(`${path}.${keysKey}`, keys, detail);
  return [
    ...(property === undefined ? [invalidKeys('entries must all be names of item properties')] : []),
    ...(type === 'array' || type === 'object'
      ? [
          invalidValue(
            `${path}.items.properties[${key}].type`,
            type,
            `must be a scalar type if parent array's ${typeKey} is map`,
          ),
        ]
      : []),
    ...(keys.indexOf(key) < at ? [invalidKeys('must not contain duplicate entries')] : []),
  ];
}

/** Items and their keys must have a value: they are required or defaulted, and not null. */
function itemErrors(schema: JsonObject, listType: string, path: string): readonly FieldError[] {
  const items = own(schema, 'items');
  const isNullable = own(items, 'nullable') === true;
  const keys = listType === 'map' ? strings(schema, keysKey) : [];
  return [
    ...(isNullable
      ? [forbiddenField(`${path}.items.nullable`, `cannot be nullable when ${typeKey} is ${listType}`)]
      : []),
    ...keys.flatMap((key) => keyValueErrors(key, items, `${path}.items.properties[${key}]`)),
  ];
}

function keyValueErrors(key: string, items: Json | undefined, path: string): readonly FieldError[] {
  const property = own(object(items, 'properties'), key);
  if (property === undefined) return [];
  const isSet = strings(items, 'required').includes(key) || (own(property, 'default') ?? null) !== null;
  const what = `this property is in ${keysKey}, so it`;
  return [
    ...(isSet ? [] : [required(`${path}.default`, `${what} must have a default or be a required property`)]),
    ...(own(property, 'nullable') === true
      ? [forbiddenField(`${path}.nullable`, `${what} cannot be nullable`)]
      : []),
  ];
}

/** Returns the errors of a default that violates its own schema. */
export function defaultErrors({ schema, path }: SchemaNode): readonly FieldError[] {
  const value = own(schema, 'default') ?? undefined;
  if (value === undefined) return [];
  const parsed = parseSchema(schema);
  const unknown = unknownIn(value, parsed, (metadata) => coerceMetadata(metadata, ''));
  return [
    ...(unknown.length === 0 ? [] : [invalidValue(`${path}.default`, value, 'must not have unknown fields')]),
    ...validateSchema(value, parsed, undefined, `${path}.default`),
  ];
}
