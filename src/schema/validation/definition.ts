/** Rules of API servers for the schema of a version of a definition. */
import { checkKeywords } from '../rules/keywords.ts';
import type { Objection, Place } from '../rules/places.ts';
import { schemaObjections, structuralObjections } from '../rules/structural.ts';
import type { JsonObject } from '../values/json.ts';
import { expressionObjections, ruleForms } from './expressions.ts';
import { type InvalidDefault, invalidDefaults } from './invalid-defaults.ts';
import type { CoerceMetadata } from './prune.ts';

/** How violations are reported. */
export interface Reporting<T> {
  readonly objection: (objection: Objection) => T;
  readonly invalidDefault: (invalid: InvalidDefault) => readonly T[];
  /** Returns the field of a default, with which the fields of its errors begin. */
  readonly fieldOf: (place: Place) => string;
  /** Drops the unknown fields of the metadata of embedded resources in defaults. */
  readonly coerce: CoerceMetadata;
}

/**
 * Returns the violations of a schema, in the order of API servers.
 * @param hasStatus whether the version has the subresource `status`
 */
export function schemaViolations<T>(
  schema: JsonObject,
  hasStatus: boolean,
  { objection, invalidDefault, fieldOf, coerce }: Reporting<T>,
): readonly T[] {
  const structural = structuralObjections(schema);
  // Defaults of a schema that is not structural have no meaning.
  const defaults =
    structural === undefined || structural.length > 0 ? [] : invalidDefaults(schema, fieldOf, coerce);
  const keywords = checkKeywords(schema, hasStatus, ruleForms);
  // Expressions are compiled for the types of a structural schema.
  const isTyped = structural?.length === 0 && defaults.length === 0;
  const found = [
    ...(structural ?? []).map(objection),
    ...defaults.flatMap(invalidDefault),
    ...keywords.found.map(objection),
    ...(isTyped ? expressionObjections(schema, keywords) : []).map(objection),
  ];
  return found.length > 0 || structural !== undefined ? found : schemaObjections(schema).map(objection);
}
