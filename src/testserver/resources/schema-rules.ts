/** Defaults of schemas. */
import { type FieldError, invalidValue } from '@kgen/schema/errors/field-error';
import { unknownIn } from '@kgen/schema/validation/prune';
import { parseSchema } from '@kgen/schema/validation/structural';
import { validateSchema } from '@kgen/schema/validation/validate';
import { isObject, type JsonObject, object, own } from '@kgen/schema/values/json';
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
