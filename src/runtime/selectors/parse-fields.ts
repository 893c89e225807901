/**
 * Parser of field selectors: the grammar and the messages of the server.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/field-selectors/
 */

/** One requirement of a field selector, all of which must match. `==` is `=`. */
export interface FieldRequirement {
  /** Path of the selected field, such as `spec.nodeName`. */
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/**
 * Parses selectors such as `status.phase!=Failed,spec.nodeName=n1`. Backslashes escape `\`, `,` and `=` in
 * values. An empty string has no requirements and matches every object. Requirements are in the order of
 * their text, as in client-go.
 * @throws {TypeError} the string is not a field selector; `cause` is the message of the server
 */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  const terms = text.match(/(?:[^\\,]|\\.?)+/gs) ?? [];
  return terms.sort().map((term) => {
    const [, field, operator, value] = /^(.*?)(!=|==|=)(.*)/s.exec(term) ?? [];
    if (field === undefined || value === undefined)
      throw refused(text, `invalid selector: '${text}'; can't understand '${term}'`);
    return { field, operator: operator === '!=' ? '!=' : '=', value: unescaped(value, text) };
  });
}

function refused(text: string, cause: string): TypeError {
  const rule = 'write field=value or field!=value, with \\ before each of \\ , = in the value';
  return new TypeError(`field selector ${JSON.stringify(text)}: ${cause}: ${rule}`, { cause });
}

function unescaped(value: string, text: string): string {
  return value.replace(/\\(.?)|=/gsu, (found, char: string | undefined) => {
    // As printed by Go: the number of the character.
    if (char === undefined)
      throw refused(text, `invalid field selector: unescaped character in value: ${found.charCodeAt(0)}`);
    if (char === '' || !'\\,='.includes(char))
      throw refused(text, `invalid field selector: invalid escape sequence: ${found}`);
    return char;
  });
}
