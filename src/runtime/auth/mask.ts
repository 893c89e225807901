/** Sanitizer for the output of other programs in error messages. */
import type { ExecConfig } from '../config/types.ts';

const hidden = '[hidden]';
const maxLines = 10;
const maxCharacters = 1000;
/** Maximum depth of the search for strings in the cluster settings. */
const maxDepth = 20;

/** Words in the name of a flag or a variable whose value is a secret. */
const secretName =
  '(?:password|passwd|passphrase|pwd|secret|api[-_]?key|private[-_]?key|credential|authorization|assertion)';

/** Patterns of credentials anywhere in a text. */
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

/**
 * Name of a flag, which may appear in messages. Anything else may be a secret: `-wSECRET`, `login`, a value.
 */
const flagName = /^--[a-z]+(?:-[a-z]+)*$/;

/**
 * Returns values of the configuration that must not appear in messages: arguments, values of variables, and
 * cluster settings.
 */
export function secretsOf(exec: Pick<ExecConfig, 'args' | 'env' | 'clusterConfig'>): readonly string[] {
  const { args = [], env = [], clusterConfig } = exec;
  const given = args.filter((arg) => !flagName.test(arg)).flatMap(partsOf);
  return [...env.map(({ value }) => value), ...given, ...stringsIn(clusterConfig)]
    .filter((secret) => secret.trim().length >= 4)
    .sort((a, b) => b.length - a.length);
}

/** Returns the strings in a JSON value. */
function stringsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > maxDepth) return [];
  return Object.values(value).flatMap((one) => stringsIn(one, depth + 1));
}

/** Returns an argument, split from its value if it is a flag with one. */
function partsOf(arg: string): readonly string[] {
  const at = arg.indexOf('=');
  return at < 0 || !arg.startsWith('-') ? [arg] : [arg, arg.slice(at + 1)];
}

/** Returns a text without the listed secrets, and without patterns of credentials. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text);
  return patterns.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), known);
}

/**
 * Control sequences of terminals as in ECMA-48: operating system commands up to their end, control sequences,
 * escapes. No part can be read in two ways, so that the time is linear, which that of
 * `stripVTControlCharacters` of `node:util` is not.
 */
const controlSequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
  /(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\u009d]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/g;

/** Returns a text of one or more lines without terminal control sequences. */
export function plainText(text: string): string {
  const lines = text.replaceAll(controlSequences, '').replaceAll(/\r\n?/g, '\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed here
  const visible = lines.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');
  return visible.replaceAll(/(?<! ) +\n/g, '\n').trim();
}

/**
 * Returns the last lines that a program wrote to its standard error, without secrets; empty if there are
 * none.
 */
export function lastWords(stderr: Uint8Array, secrets: readonly string[]): string {
  const plain = plainText(Buffer.from(stderr).toString('utf8'));
  const last = hideSecrets(plain, secrets).split('\n').slice(-maxLines).join('\n');
  return last.length > maxCharacters ? `…${last.slice(-maxCharacters)}` : last;
}
