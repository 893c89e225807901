/** Field selectors: parser and matching. */

import { at, type JsonObject } from '@kgen/schema/values/json';
import { badRequest } from '../errors/failures.ts';
import type { FieldLabels, SelectableField } from './field-labels.ts';

/** One requirement of a field selector. */
export interface FieldRequirement {
  readonly field: SelectableField;
  readonly equals: boolean;
  readonly value: string;
}

/**
 * Parses a field selector: `a=b`, `a==b`, `a!=b`, joined by commas, with `\` before `\`, `,` and `=` in
 * values.
 * @param labels the labels that the kind supports
 * @throws {Failure} 400 for a syntax error and for unsupported labels
 */
export function parseFieldSelector(selector: string, labels: FieldLabels): readonly FieldRequirement[] {
  return resolveFields(parseTerms(selector), labels);
}

/**
 * Parses a field selector with any labels.
 * @throws {Failure} 400 for a syntax error
 */
export function parseTerms(selector: string): readonly FieldTerm[] {
  return (selector.match(/(?:\\.?|[^,\\])+/g) ?? []).map(parseTerm);
}

/**
 * Returns terms with the fields of a kind.
 * @throws {Failure} 400 for unsupported labels
 */
export function resolveFields(terms: readonly FieldTerm[], labels: FieldLabels): readonly FieldRequirement[] {
  return terms.map(({ label, ...term }) => ({ ...term, field: fieldOf(label, labels) }));
}

/** One requirement with a label of any kind. */
export interface FieldTerm {
  readonly label: string;
  readonly equals: boolean;
  readonly value: string;
}

function parseTerm(part: string): FieldTerm {
  const [, label, operator, escaped] = /^(.*?)(!=|==|=)(.*)$/s.exec(part) ?? [];
  if (label === undefined || escaped === undefined)
    throw badRequest(`invalid selector: '${part}'; can't understand '${part}'`);
  return { label, equals: operator !== '!=', value: unescaped(escaped) };
}

function unescaped(value: string): string {
  return value.replace(/\\(.?)|=/gs, (found, char: string | undefined) => {
    // As printed by Go: the number of the character.
    if (char === undefined)
      throw badRequest(`invalid field selector: unescaped character in value: ${found.charCodeAt(0)}`);
    if (char === '' || !'\\,='.includes(char))
      throw badRequest(`invalid field selector: invalid escape sequence: \\${char}`);
    return char;
  });
}

function fieldOf(label: string, labels: FieldLabels): SelectableField {
  const field = labels.fields.get(label);
  if (field === undefined) throw badRequest(labels.unsupported(label));
  return field;
}

/** Returns whether an object's fields satisfy every requirement. */
export function matchesFields(value: JsonObject, selector: readonly FieldRequirement[]): boolean {
  return selector.every((term) => (fieldText(value, term.field) === term.value) === term.equals);
}

function fieldText(value: JsonObject, { paths, otherwise }: SelectableField): string {
  for (const path of paths) {
    const found = at(value, ...path);
    if (found !== undefined && found !== null && found !== '') return String(found);
  }
  return otherwise;
}

/** Returns the value that a selector requires of a field, or `undefined` if it requires none. */
export function requiredValue(selector: readonly FieldRequirement[], label: string): string | undefined {
  return selector.find(({ field, equals }) => equals && field.label === label)?.value;
}
