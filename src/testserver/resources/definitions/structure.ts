/** Validation of the structural schemas of CustomResourceDefinitions. */
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import { type Objection, pathText } from '@kgen/schema/rules/places';
import { schemaViolations } from '@kgen/schema/validation/definition';
import type { JsonObject } from '@kgen/schema/values/json';
import { coerceMetadata } from '../metadata.ts';

/**
 * Returns the violations of the rules of the schemas of definitions.
 * @param hasStatus whether the version has the subresource `status`
 */
export function validateStructure(
  schema: JsonObject,
  path: string,
  hasStatus: boolean,
): readonly FieldError[] {
  return schemaViolations(schema, hasStatus, {
    objection: (each) => [errorOf(each, path)],
    invalidDefault: ({ errors }) => [errors],
    fieldOf: ({ keys }) => `${path}${pathText(keys)}.default`,
    coerce: (metadata, field) => coerceMetadata(metadata, '', field),
  }).flat();
}

function errorOf({ keys, reason, value, supported, detail, place }: Objection, path: string): FieldError {
  const field = `${path}${pathText(keys)}`;
  const text = place === undefined ? detail : `${detail} ${path}${pathText(place)}`;
  switch (reason) {
    case 'required':
      return required(field, text);
    case 'forbidden':
      return forbiddenField(field, text);
    case 'unsupported':
      return notSupported(field, value ?? null, supported ?? []);
    case 'invalid':
      return invalidValue(field, value ?? null, text);
    case 'internal':
      return { reason: 'InternalError', field, detail: text };
  }
}
