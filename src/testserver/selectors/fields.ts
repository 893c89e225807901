/** Field selectors of the kinds of a server. */

import type { FieldRequirement as FieldTerm } from '@kgen/runtime/selectors';
import { at, type JsonObject } from '@kgen/schema/values/json';
import { badRequest } from '../errors/failures.ts';
import type { FieldLabels, SelectableField } from './field-labels.ts';

/** One requirement of a field selector. */
export interface FieldRequirement extends Omit<FieldTerm, 'field'> {
  readonly field: SelectableField;
}

/**
 * Returns requirements with the fields of a kind.
 * @throws {Failure} 400 for unsupported labels
 */
export function resolveFields(terms: readonly FieldTerm[], labels: FieldLabels): readonly FieldRequirement[] {
  return terms.map((term) => ({ ...term, field: fieldOf(term.field, labels) }));
}

function fieldOf(label: string, labels: FieldLabels): SelectableField {
  const field = labels.fields.get(label);
  if (field === undefined) throw badRequest(labels.unsupported(label));
  return field;
}

/** Returns whether an object's fields satisfy every requirement. */
export function matchesFields(value: JsonObject, selector: readonly FieldRequirement[]): boolean {
  return selector.every((term) => (fieldText(value, term.field) === term.value) === (term.operator === '='));
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
  return selector.find(({ field, operator }) => operator === '=' && field.label === label)?.value;
}
