import { type Schema, valueSchema } from '../structural.ts';

/**
 * Returns the path of a rule as it is printed in errors. `undefined` if the schema does not have the path.
 */
export function normalizePath(path: string, schema: Schema): string | undefined {
  let node: Schema | undefined = schema;
  let printed = '';
  let rest = path;
  while (rest !== '') {
    const step = /^\[('(?:[^'\\]|\\.)*')\]|^\.([^.[\]]+)/.exec(rest);
    if (step === null || node === undefined) return undefined;
    const name = step[1] === undefined ? (step[2] ?? '') : unquoted(step[1].slice(1, -1));
    if (name === undefined) return undefined;
    const isNamed: boolean = node.properties.size > 0;
    node = isNamed ? node.properties.get(name) : valueSchema(node);
    if (node === undefined) return undefined;
    printed += isNamed ? `.${name}` : `[${name}]`;
    rest = rest.slice(step[0].length);
  }
  return printed;
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

function unquoted(text: string): string | undefined {
  let isValid = true;
  const result = text.replace(/\\(.)/g, (_, char: string) => {
    isValid &&= char in escapes;
    return escapes[char] ?? '';
  });
  return isValid ? result : undefined;
}
