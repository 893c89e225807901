/**
 * Plain scalars as parsed by kubectl, which differs from YAML 1.1 and 1.2: `yes`, `on` and `y` are booleans,
 * `012` is ten, `0o7` is seven, `1_000` is a thousand; `1:30` and dates are strings.
 */
import type { Tags } from 'yaml';

type Tag = Exclude<Tags[number], string>;

const numberPattern = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const otherBase =
  /^(?<sign>[-+]?)(?:0[bB](?<two>[01]+)|0[xX](?<sixteen>[0-9a-fA-F]+)|0[oO]?(?<eight>[0-7]+))$/;
const integerPattern = /^[-+]?[0-9]+$/;
/** Matches all plain scalars that `numberOf` may parse, and few others. */
const plainNumber =
  /^(?:[-+]_*)?(?:0[bB][01_]+|0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE](?:_*[-+])?[0-9_]+)?)$/;
const truePattern = /^(?:[yY]|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const falsePattern = /^(?:[nN]|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const nullPattern = /^(?:~|null|Null|NULL)?$/;
/**
 * Matches strings that other parsers of YAML may not read as strings: times, sexagesimal numbers, merges,
 * special cases.
 */
const lookalike =
  /^(?:\d{4}-\d\d?-\d\d?.*|[-+]?[\d_]+(?::[0-5]?\d)+(?:\.[\d_]*)?|[-+]?\.?(?:inf|infinity|nan)|[-+]?[\d_]*(?:\.[\d_]*)?(?:e[-+]?\d+)?|[-+]?0[box][\da-f_]*|<<|=)$/i;
const word = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

/**
 * Returns the number that a plain scalar represents. Integers that a `number` cannot represent are `bigint`s.
 * A number beyond the range of a double is a string.
 */
export function numberOf(plain: string): number | bigint | undefined {
  if (!/^[-+.0-9]/.test(plain)) return undefined;
  const digits = plain.replaceAll('_', '');
  const based = inOtherBase(digits);
  if (based !== undefined) return based;
  if (!numberPattern.test(digits)) return undefined;
  const value = Number(digits);
  if (!Number.isFinite(value)) return undefined;
  if (integerPattern.test(digits) && !Number.isSafeInteger(value)) return BigInt(digits.replace('+', ''));
  return value;
}

function inOtherBase(digits: string): number | bigint | undefined {
  const { sign, two, sixteen, eight } = otherBase.exec(digits)?.groups ?? {};
  if (sign === undefined) return undefined;
  const text = two === undefined ? (eight === undefined ? `0x${sixteen}` : `0o${eight}`) : `0b${two}`;
  // A 64-bit integer cannot be longer.
  const value = text.length > 70 ? 2n ** 64n : BigInt(text);
  if (value >= 2n ** 64n) return undefined;
  const signed = sign === '-' ? -value : value;
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
}

/** Returns whether some parser could read the unquoted string as another value. */
export function needsQuotes(text: string): boolean {
  return word.test(text) || numberOf(text) !== undefined || lookalike.test(text);
}

const nullTag: Tag = {
  tag: 'tag:yaml.org,2002:null',
  default: true,
  test: nullPattern,
  identify: (value) => value === null,
  resolve: () => null,
  stringify: () => 'null',
};

const booleanTag: Tag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: new RegExp(`${truePattern.source}|${falsePattern.source}`),
  identify: (value) => typeof value === 'boolean',
  resolve: (text) => truePattern.test(text),
};

const numberTag: Tag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: plainNumber,
  identify: (value) => typeof value === 'number' || typeof value === 'bigint',
  resolve: (text) => numberOf(text) ?? text,
  stringify: ({ value }) => String(value),
};

/** For `!!int "3"`; without an explicit tag, `numberTag` takes precedence. */
const integerTag: Tag = {
  tag: 'tag:yaml.org,2002:int',
  resolve: (text) => numberOf(text) ?? text,
};

/** Objects of Kubernetes contain bytes only as strings, and kubectl parses them as strings. */
const binaryTag: Tag = {
  tag: 'tag:yaml.org,2002:binary',
  resolve: (text, onError) => {
    try {
      return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
    } catch {
      onError('not base64');
      return text;
    }
  },
};

/** Tags besides maps, lists and strings: for the option `customTags` with the schema `failsafe`. */
export const scalarTags: Exclude<Tags[number], string>[] = [
  nullTag,
  booleanTag,
  numberTag,
  integerTag,
  binaryTag,
];
