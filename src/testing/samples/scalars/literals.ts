/** Values that CEL rules suggest: literals, values beside them, and texts that their functions parse. */
import type { Json, JsonObject } from '@kgen/schema/values/json';
import { typeOf } from '../paths.ts';
import { type StringRules, stringOf, stringRules } from './strings.ts';

/** Texts that functions of CEL parse. */
const parsed: readonly (readonly [name: RegExp, texts: readonly string[]])[] = [
  [/\bduration\(/, ['0s', '1s', '1m', '1h']],
  [/\btimestamp\(/, ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']],
  [/\b(isQ|q)uantity\(/, ['0', '1', '100m', '1Gi']],
  [/\b(isIP|ip)\(/, ['10.0.0.1', '10.0.0.2', 'fd00::1']],
  [/\b(isCIDR|cidr)\(/, ['10.0.0.0/24', '10.0.0.0/8', 'fd00::/64']],
  [/\b(isURL|url)\(/, ['https://example.com', 'https://example.com:8443/a?b=c']],
  [/\b(isS|s)emver\(/, ['1.0.0', '1.2.3']],
  [/\b(int|uint|double)\(/, ['0', '1', '10']],
];

/** Returns the values of the type of a node that rules suggest. */
export function suggestedValues(
  rules: readonly string[],
  node: JsonObject | undefined,
  random: () => number,
): readonly Json[] {
  const type = typeOf(node);
  const all = rules.join(' ');
  const numbers = (all.match(/(?<![\w.])-?\d+(?:\.\d+)?/g) ?? [])
    .map(Number)
    .filter((each) => !Number.isInteger(each) || Number.isSafeInteger(each));
  if (type === 'integer' || type === 'number') return numbers.flatMap((each) => [each, each - 1, each + 1]);
  if (type === 'boolean') return [true, false];
  return type === 'string' ? suggestedStrings(all, stringRules(node ?? {}), random) : [];
}

function suggestedStrings(all: string, rules: StringRules, random: () => number): readonly string[] {
  const texts = [...all.matchAll(/r?'((?:[^'\\]|\\.)*)'|r?"((?:[^"\\]|\\.)*)"/g)].map(
    ([found, single, double]) => {
      const inside = single ?? double ?? '';
      return found.startsWith('r') ? inside : inside.replace(/\\(.)/g, '$1');
    },
  );
  const matching = texts
    .filter((each) => /[\^$*+?[\]]/.test(each))
    .map((pattern) => stringOf({ ...rules, patterns: [...rules.patterns, pattern].reverse() }, random));
  const known = parsed.flatMap(([name, found]) => (name.test(all) ? found : []));
  const values = [...texts.flatMap(neighbours), ...known];
  return [...values, ...values.flatMap((each) => padded(each, rules.maxLength)), ...matching];
}

/** Returns a text with its first number as it is, one less and one more: `2h`, `1h`, `3h`. */
function neighbours(value: string): readonly string[] {
  const [digits] = /\d{1,15}/.exec(value) ?? [];
  if (digits === undefined) return [value];
  const number = Number(digits);
  return [number, Math.max(0, number - 1), number + 1].map((each) => value.replace(digits, String(each)));
}

/** Returns a text that begins with a number, with as many zeros before it as it may have: `0001h`. */
function padded(value: string, length: number): readonly string[] {
  const [digits] = /^\d+/.exec(value) ?? [];
  if (digits === undefined || length > 64 || value.length >= length) return [];
  return [value.replace(digits, digits.padStart(digits.length + length - value.length, '0'))];
}
