import { CompileError } from './issues.ts';

/** A token of CEL. `text` is its source. */
export interface Token {
  readonly kind: 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'ident' | 'escaped' | 'symbol' | 'end';
  readonly text: string;
  readonly at: number;
}

const escapes = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const strings = [
  `"""(?:${escapes}|[^\\\\])*?"""`,
  `'''(?:${escapes}|[^\\\\])*?'''`,
  `"(?:${escapes}|[^\\\\"\\n\\r])*"`,
  `'(?:${escapes}|[^\\\\'\\n\\r])*'`,
  `[rR]"""[\\s\\S]*?"""`,
  `[rR]'''[\\s\\S]*?'''`,
  `[rR]"[^"\\n\\r]*"`,
  `[rR]'[^'\\n\\r]*'`,
].join('|');

const patterns: readonly (readonly [kind: Token['kind'] | 'space', pattern: RegExp])[] = [
  ['space', /(?:[\t \r\n\f]+|\/\/[^\n]*)/y],
  ['bytes', new RegExp(`[bB](?:${strings})`, 'y')],
  ['string', new RegExp(`(?:${strings})`, 'y')],
  ['double', /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y],
  ['uint', /(?:0x[0-9a-fA-F]+|\d+)[uU]/y],
  ['int', /(?:0x[0-9a-fA-F]+|\d+)/y],
  ['ident', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['escaped', /`[A-Za-z0-9_.\-/ ]+`/y],
  ['symbol', /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y],
];

/**
 * Splits an expression into tokens. The last one has the kind `end`.
 * @throws {CompileError} for a character that begins no token
 */
export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const token = tokenAt(source, at);
    if (token === undefined) throw unrecognized(source, at);
    if (token.kind !== 'space') tokens.push({ kind: token.kind, text: token.text, at });
    at += token.text.length;
  }
  return [...tokens, { kind: 'end', text: '<EOF>', at }];
}

interface Match {
  readonly kind: Token['kind'] | 'space';
  readonly text: string;
}

function tokenAt(source: string, at: number): Match | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined) return { kind, text };
  }
  return undefined;
}

function unrecognized(source: string, at: number): CompileError {
  const rest = source.slice(at);
  const quote = /^[bB]?[rR]?["']/.exec(rest)?.[0];
  const text = quote === undefined ? String.fromCodePoint(rest.codePointAt(0) ?? 0) : rest;
  return new CompileError(source, [{ at, message: `Syntax error: token recognition error at: '${text}'` }]);
}
