/** Random damage to strings, as by editors, tools and accidents. */
import type { Random } from '../support/random.ts';

/** Tokens of YAML, templates and terminals. */
const tokens = [
  '"',
  "'",
  '`',
  '{',
  '}',
  '[',
  ']',
  '[[[[[[[[[[',
  '{{ .Values.x }}',
  '{{- if .Values.crds }}\n',
  ': ',
  ':\n',
  '- ',
  '? ',
  '|\n',
  '>-\n',
  '&a ',
  '*a ',
  '*missing',
  '<<: *a\n',
  '<<: {spec: {}}\n',
  '!!js/function ',
  '!!binary ',
  '!<tag:x> ',
  '!local ',
  '@',
  '#',
  ' #',
  '\t',
  '\n\t',
  '\r',
  '\r\n',
  '\n\n',
  '\n---\n',
  '\n--- ',
  '\n...\n',
  '---',
  '\u2028',
  '\u0085',
  '\u00a0',
  '\ufeff',
  '\u0007',
  '\u001b[2J',
  '\ufffd',
  '😀',
  '__proto__: {polluted: true}\n',
  'constructor: 1\n',
  '0x1F',
  '1e999',
  '.inf',
  '.nan',
  '9'.repeat(400),
  'on',
  '0644',
  '1_000',
  '2001-01-01',
  'null',
  '~',
  '""',
  '{}',
  '[]',
  'true',
  '-1',
  'spec:\n',
  'kind: List\nitems:\n- ',
  'apiVersion: v1\n',
  'a: &x [*x]\n',
  `a: &a [${'x,'.repeat(50)}]\nb: [${'*a,'.repeat(50)}]\n`,
  '- '.repeat(100),
  'a: '.repeat(50),
  `${' '.repeat(500)}x`,
] as const;

/** Returns the string with one to six changes. It contains no zero characters and no unpaired surrogates. */
export function injured(text: string, random: Random): string {
  let out = text;
  for (let count = 1 + random.int(6); count > 0; count -= 1) out = injure(out, random);
  return Buffer.from(out.replaceAll('\0', '')).toString();
}

function injure(text: string, random: Random): string {
  const at = random.int(text.length + 1);
  const end = Math.min(text.length, at + 1 + random.int(random.chance(0.2) ? 400 : 8));
  const from = random.int(text.length + 1);
  const piece = text.slice(from, from + random.int(200));
  const token = random.pick(tokens);
  return random.pick([
    () => text.slice(0, at) + token + text.slice(at),
    () => text.slice(0, at) + token + text.slice(end),
    () => text.slice(0, at) + text.slice(end),
    () => text.slice(0, at) + piece + text.slice(at),
    () => text.slice(0, at) + text.slice(at, end) + text.slice(at),
    () => text.slice(0, at) + String.fromCodePoint(1 + random.int(0xd7fe)) + text.slice(at + 1),
    () => text.slice(0, at),
    () => text.slice(at),
    () => onALine(text, at, (line) => `${' '.repeat(random.int(9))}${line.trimStart()}`),
    () => onALine(text, at, (line) => `${line}\n${line}`),
    () => onALine(text, at, (line) => line.replace(/: .*/, `: ${token}`)),
  ])();
}

function onALine(text: string, at: number, change: (line: string) => string): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  const stop = end === -1 ? text.length : end;
  return (
    text.slice(0, start) +
    change(text.slice(start, Math.max(start, stop))) +
    text.slice(Math.max(start, stop))
  );
}

/** Returns the bytes with some of them changed, removed or doubled: usually no longer valid UTF-8. */
export function corrupted(bytes: Uint8Array, random: Random): Uint8Array {
  const out = [...bytes];
  for (let count = 1 + random.int(20); count > 0; count -= 1) {
    const at = random.int(out.length);
    random.pick([
      () => out.splice(at, 1, random.int(256)),
      () => out.splice(at, 1, (out[at] ?? 0) ^ (1 << random.int(8))),
      () => out.splice(at, random.int(50)),
      () => out.splice(at, 0, ...out.slice(at, at + random.int(50))),
      () => out.splice(at),
    ])();
  }
  return Uint8Array.from(out);
}
