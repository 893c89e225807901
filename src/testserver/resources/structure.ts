import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '@kgen/schema/errors/field-error';
import { matchesPattern } from '@kgen/schema/formats/pattern';
import { keywordObjections } from '@kgen/schema/rules/keywords';
import { type Objection, pathText } from '@kgen/schema/rules/places';
import { schemaObjections, structuralObjections } from '@kgen/schema/rules/structural';
import { isObject, type JsonObject, own } from '@kgen/schema/values/json';
import { expressionErrors, ruleFormErrors } from './rule-errors.ts';
import { defaultErrors, nodesOf } from './schema-rules.ts';

/**
 * Returns the violations of the rules of the schemas of definitions.
 * @param hasStatus whether the version has the subresource `status`
 */
export function validateStructure(
  schema: JsonObject,
  path: string,
  hasStatus: boolean,
): readonly FieldError[] {
  const nodes = nodesOf(schema, path);
  const errors = (objections: readonly Objection[]): readonly FieldError[] =>
    objections.map((each) => errorOf(each, path));
  const structural = errors(structuralObjections(schema, patternProblem));
  // Defaults of a schema that is not structural have no meaning.
  const defaults =
    structural.length > 0 ? [] : [...rootDefaultErrors(schema, path), ...nodes.flatMap(defaultErrors)];
  const found = [
    ...structural,
    ...defaults,
    ...errors(keywordObjections(schema, hasStatus)),
    ...nodes.flatMap(ruleFormErrors),
  ];
  if (found.length > 0) return found;
  // Expressions are compiled for the types of a valid schema.
  const dialect = errors(schemaObjections(schema));
  return dialect.length > 0 ? dialect : expressionErrors(schema, path);
}

/** The root is a whole object. */
function rootDefaultErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const value = own(schema, 'default');
  if (!isObject(value)) return [];
  return ['apiVersion', 'kind']
    .filter((key) => own(value, key) === undefined)
    .map((key) => required(`${path}.default.${key}`));
}

function patternProblem(pattern: string): string | undefined {
  const compiled = matchesPattern(pattern, '');
  return compiled instanceof Error ? compiled.message : undefined;
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
  }
}
