/**
 * Parser of field selectors, by the rules of the server.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/field-selectors/
 */

/** One requirement of a field selector, all of which must match. `==` is `=`. */
export interface FieldRequirement {
  /** Path of the selected field, such as `spec.nodeName`. */
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Matches characters other than commas and backslashes, escapes, and a trailing backslash. */
const termPattern = /(?:[^\\,]|\\[\s\S]|\\$)+/g;
const parts = /^(?<field>(?:[^\\=!]|!(?!=))+?)(?<operator>!=|==|=)(?<value>(?:[^\\,=]|\\[\\,=])*)$/;

/**
 * Parses selectors such as `status.phase!=Failed,spec.nodeName=n1`. Backslashes escape `\`, `,` and `=` in
 * values. An empty string has no requirements and matches every object.
 * @throws {TypeError} the string is not a field selector
 */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  return (text.match(termPattern) ?? []).map((term) => {
    const { field, operator, value } = parts.exec(term)?.groups ?? {};
    if (field === undefined || value === undefined) {
      throw new TypeError(
        `field selector ${JSON.stringify(text)}: cannot read ${JSON.stringify(term)}: write field=value or field!=value, with \\ before each of \\ , = in the value`,
      );
    }
    return {
      field,
      operator: operator === '!=' ? '!=' : '=',
      value: value.replaceAll(/\\([\\,=])/g, '$1'),
    };
  });
}
