/** Defaults that their own schema refuses. */
import type { FieldError } from '@kgen/runtime/objects';
import { isPlain, type Place, placeAt, placesIn } from '../rules/places.ts';
import { type Json, type JsonObject, own } from '../values/json.ts';
import { validateEmbedded } from './embedded.ts';
import { type CoerceMetadata, unknownIn } from './prune.ts';
import { validateRules } from './rules/validate.ts';
import { parseSchema, type Schema } from './structural.ts';
import { validateSchema } from './validate.ts';

/** A default with the rules that it violates. The errors have the fields of its place. */
export interface InvalidDefault {
  readonly place: Place;
  readonly value: Json;
  readonly errors: readonly FieldError[];
}

/**
 * Returns the invalid defaults of a structural schema. As API servers do, it leaves out those below
 * `additionalProperties`.
 * @param fieldOf returns the field of a default, with which the fields of its errors begin
 */
export function invalidDefaults(
  schema: JsonObject,
  fieldOf: (place: Place) => string,
  coerce: CoerceMetadata,
): readonly InvalidDefault[] {
  // Schemas without invalid defaults: a schema may share equal parts, which are visited once.
  const sound = new Set<JsonObject>();
  const visit = (place: Place, above: Schema | undefined): readonly InvalidDefault[] => {
    const value = own(place.schema, 'default') ?? undefined;
    if (sound.has(place.schema) || (value === undefined && isPlain(place.schema))) return [];
    const parsed = above ?? (value === undefined ? undefined : parseSchema(place.schema));
    const errors =
      value === undefined || parsed === undefined
        ? []
        : errorsOf(value, place, parsed, fieldOf(place), coerce);
    const found = [
      ...(value === undefined || errors.length === 0 ? [] : [{ place, value, errors }]),
      ...placesIn(place, 'properties').flatMap((child) => visit(child, parsed?.properties.get(child.name))),
      ...placeAt(place, 'items').flatMap((child) => visit(child, parsed?.items)),
    ];
    if (found.length === 0 && place.keys.length > 0) sound.add(place.schema);
    return found;
  };
  return visit({ schema, keys: [] }, undefined);
}

function errorsOf(
  value: Json,
  place: Place,
  parsed: Schema,
  field: string,
  coerce: CoerceMetadata,
): readonly FieldError[] {
  const schema = place.keys.length === 0 ? { ...parsed, embeddedResource: true } : parsed;
  const pruned: readonly FieldError[] =
    unknownIn(value, schema, coerce).length === 0
      ? []
      : [{ reason: 'FieldValueInvalid', field, value, detail: 'must not have unknown fields' }];
  const typed = validateEmbedded(value, schema, field);
  if (typed.length > 0) return [...pruned, ...typed];
  const invalid = validateSchema(value, parsed, undefined, field);
  if (invalid.length > 0) return [...pruned, ...invalid];
  return [...pruned, ...validateRules(value, undefined, schema, field).errors];
}
