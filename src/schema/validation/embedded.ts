import { type FieldError, invalidValue, required } from '@kgen/runtime/objects';
import { isArray, isObject, type Json, type JsonObject, own } from '../values/json.ts';
import { type Schema, valueSchema } from './structural.ts';

/** Returns the errors of embedded resources, which require apiVersion and kind. */
export function validateEmbedded(value: Json, schema: Schema, path = ''): readonly FieldError[] {
  const { items } = schema;
  if (isArray(value)) {
    return items === undefined
      ? []
      : value.flatMap((item, i) => validateEmbedded(item, items, `${path}[${i}]`));
  }
  if (!isObject(value)) return [];
  return [
    ...(schema.embeddedResource && path !== '' ? typeErrors(value, path) : []),
    ...Object.entries(value).flatMap(([key, item]) => {
      const property = schema.properties.get(key);
      if (property !== undefined)
        return validateEmbedded(item, property, path === '' ? key : `${path}.${key}`);
      const values = valueSchema(schema);
      return values === undefined ? [] : validateEmbedded(item, values, `${path}[${key}]`);
    }),
  ];
}

function typeErrors(value: JsonObject, path: string): readonly FieldError[] {
  return ['apiVersion', 'kind'].flatMap((key) => {
    const item = own(value, key);
    const field = `${path}.${key}`;
    if (item === undefined) return [required(field)];
    if (typeof item !== 'string') return [invalidValue(field, item, 'must be a string')];
    return item === '' ? [invalidValue(field, item, 'must not be empty')] : [];
  });
}
