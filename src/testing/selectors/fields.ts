import { badRequest } from '../api/failures.ts';
import { type Json, type JsonObject, own } from '../values/json.ts';

/** One requirement of a field selector. */
export interface FieldRequirement {
  /** Path without a leading dot, such as `metadata.name` or `spec.colour`. */
  readonly field: string;
  readonly equals: boolean;
  readonly value: string;
}

/**
 * Parses a field selector: `a=b`, `a==b`, `a!=b`, joined by commas, with `\` before `\`, `,` and `=` in
 * values.
 * @param supported the permitted fields
 * @throws {Failure} 400 for a syntax error and for unsupported fields
 */
export function parseFieldSelector(text: string, supported: readonly string[]): readonly FieldRequirement[] {
  if (text === '') return [];
  const parts = text.match(/(?:\\.|[^,\\])+/g) ?? [];
  return parts.map((part) => parseTerm(part, supported));
}

function parseTerm(part: string, supported: readonly string[]): FieldRequirement {
  const match = /^([^=!\\]*)(==|!=|=)((?:\\.|[^\\])*)$/.exec(part);
  if (match === null) throw badRequest(`invalid selector: '${part}'; can't understand '${part}'`);
  const [, field = '', operator = '', escaped = ''] = match;
  if (!supported.includes(field)) throw badRequest(`field label not supported: ${field}`);
  return { field, equals: operator !== '!=', value: unescaped(escaped) };
}

function unescaped(value: string): string {
  if (/(?:^|[^\\])(?:\\\\)*=/.test(value))
    throw badRequest(`invalid field selector: unescaped '=' in ${JSON.stringify(value)}`);
  return value.replace(/\\(.)/g, (_, char: string) => {
    if (!'\\,='.includes(char))
      throw badRequest(`invalid field selector: invalid escape sequence '\\${char}'`);
    return char;
  });
}

/** Returns whether an object's fields satisfy every requirement. An absent field counts as empty. */
export function matchesFields(value: JsonObject, selector: readonly FieldRequirement[]): boolean {
  return selector.every((term) => (fieldText(value, term.field) === term.value) === term.equals);
}

function fieldText(value: JsonObject, field: string): string {
  const found = field.split('.').reduce<Json | undefined>(own, value);
  return found === undefined || found === null ? '' : String(found);
}
