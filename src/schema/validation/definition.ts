/** Rules of API servers for the schema of a version of a definition. */
import { keywordObjections } from '../rules/keywords.ts';
import type { Objection, Place } from '../rules/places.ts';
import { schemaObjections, structuralObjections } from '../rules/structural.ts';
import type { JsonObject } from '../values/json.ts';
import { expressionObjections, ruleFormObjections } from './expressions.ts';
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
  const structural = structuralObjections(schema).map(objection);
  const found = [
    ...structural,
    // Defaults of a schema that is not structural have no meaning.
    ...(structural.length > 0 ? [] : invalidDefaults(schema, fieldOf, coerce).flatMap(invalidDefault)),
    ...keywordObjections(schema, hasStatus).map(objection),
    ...ruleFormObjections(schema).map(objection),
  ];
  if (found.length > 0) return found;
  // Expressions are compiled for the types of a valid schema.
  const dialect = schemaObjections(schema);
  return (dialect.length > 0 ? dialect : expressionObjections(schema)).map(objection);
}
