/**
 * Field selectors read from text, as the server reads them.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/field-selectors/
 */

/** One requirement of a field selector; all of them must hold. `==` is `=`. */
export interface FieldRequirement {
  /** Path of the field, such as `spec.nodeName`. */
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Runs of what is neither a comma nor a backslash, and escapes; a backslash at the very end stands alone. */
const TERM = /(?:[^\\,]|\\[\s\S]|\\$)+/g;
const PARTS = /^(?<field>(?:[^\\=!]|!(?!=))+?)(?<operator>!=|==|=)(?<value>(?:[^\\,=]|\\[\\,=])*)$/;

/**
 * Reads `status.phase!=Failed,spec.nodeName=n1` and the like. Backslashes escape `\`, `,` and `=` in values. Empty text
 * has no requirements and so selects everything.
 * @throws {TypeError} for text that is no field selector
 */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  return (text.match(TERM) ?? []).map((term) => {
    const { field, operator, value } = PARTS.exec(term)?.groups ?? {};
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
