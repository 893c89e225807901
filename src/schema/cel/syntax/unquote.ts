import { utf8 } from '../../values/bytes.ts';

const simple: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Returns the characters of a string literal. */
export function unquote(text: string): string {
  const { body, isRaw } = bodyOf(text);
  if (isRaw) return body;
  return body.replace(
    /\\(?:([0-3][0-7]{2})|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gs,
    (_, octal, byte, short, long, char) => {
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      const hex = byte ?? short ?? long;
      return hex === undefined ? (simple[char] ?? char) : String.fromCodePoint(Number.parseInt(hex, 16));
    },
  );
}

/** Returns the bytes of a bytes literal: octal and hexadecimal escapes are single bytes. */
export function unquoteBytes(text: string): Uint8Array {
  const { body, isRaw } = bodyOf(text.slice(1));
  const parts = isRaw ? [body] : (body.match(/\\(?:[0-3][0-7]{2}|[xX][0-9a-fA-F]{2}|.)|[^\\]+/gs) ?? []);
  return Uint8Array.from(
    parts.flatMap((part) => {
      const code = /^\\(?:([0-3][0-7]{2})|[xX]([0-9a-fA-F]{2}))$/.exec(part);
      if (isRaw || code === null)
        return [...utf8(part.startsWith('\\') && !isRaw ? (simple[part.slice(1)] ?? part.slice(1)) : part)];
      return [Number.parseInt(code[1] ?? code[2] ?? '', code[1] === undefined ? 16 : 8)];
    }),
  );
}

function bodyOf(text: string): { readonly body: string; readonly isRaw: boolean } {
  const isRaw = /^[rR]/.test(text);
  const quoted = isRaw ? text.slice(1) : text;
  const size = /^("""|''')/.test(quoted) && quoted.length >= 6 ? 3 : 1;
  return { body: quoted.slice(size, -size), isRaw };
}
