/** What other programs say, fit to be repeated in an error. */
import { stripVTControlCharacters } from 'node:util';
import type { ExecConfig } from '../config/types.ts';

const hidden = '[hidden]';
const maxLines = 10;
const maxCharacters = 1000;

/** Words in the name of a flag or a variable whose value is nobody's business. */
const secretName =
  '(?:password|passwd|passphrase|pwd|secret|api[-_]?key|private[-_]?key|credential|authorization|assertion)';

/** What looks like a credential, wherever it stands. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [^-]*-----[\s\S]*?(?:-----END [^-]*-----|$)/g, hidden],
  [/\b(bearer|basic|negotiate)\s+[^\s"']+/gi, `$1 ${hidden}`],
  [/(:\/\/)[^\s/@]+@/g, `$1${hidden}@`],
  [new RegExp(`(${secretName}["']?\\s*[:=]\\s*)("[^"]*"|'[^']*'|[^\\s,;]+)`, 'gi'), `$1${hidden}`],
  [/(token["']?(?:=|\s*[:=]\s*(?=["'])))("[^"]*"|'[^']*'|[^\s,;]+)/gi, `$1${hidden}`],
  [/(token["']?\s*:\s+)(?=\S*\d)[^\s,;]+/gi, `$1${hidden}`],
  [/\beyJ[\w.~+/=-]*/g, hidden],
  [/\b[0-9a-f-]{32,}\b/gi, hidden],
  [/(?<![\w+/=.~-])(?=[\w+/=.~-]*[A-Z])(?=[\w+/=.~-]*[a-z])(?=[\w+/=.~-]*\d)[\w+/=.~-]{16,}/g, hidden],
];

const secretFlag = /token|password|passwd|pwd|secret|key|credential|assertion/i;

/** Values of the configuration that must not be repeated: of every variable, and of flags that are called like secrets. */
export function secretsOf({ args = [], env = [] }: Pick<ExecConfig, 'args' | 'env'>): readonly string[] {
  const flags = args.flatMap((arg, index) => {
    const [, flag = '', value] = /^-{1,2}([^=]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    if (!secretFlag.test(flag)) return [];
    return [value ?? args[index + 1] ?? ''];
  });
  return [...env.map(({ value }) => value), ...flags]
    .filter((secret) => secret.trim().length >= 4)
    .sort((a, b) => b.length - a.length);
}

/** A text without the secrets that are known, and without what looks like one. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text);
  return patterns.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), known);
}

/** A text in one or more lines, without what would do something to a terminal. */
export function plainText(text: string): string {
  const lines = stripVTControlCharacters(text).replaceAll(/\r\n?/g, '\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const visible = lines.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');
  return visible.replaceAll(/(?<! ) +\n/g, '\n').trim();
}

/** The last lines that a program wrote to its standard error, without secrets; empty where there are none. */
export function lastWords(stderr: Uint8Array, secrets: readonly string[]): string {
  const plain = plainText(Buffer.from(stderr).toString('utf8'));
  const last = hideSecrets(plain, secrets).split('\n').slice(-maxLines).join('\n');
  return last.length > maxCharacters ? `…${last.slice(-maxCharacters)}` : last;
}
