/** Forms in which the values of a Secret occur in texts. Pure. */

import { isObject, member } from '../members.ts';
import { redactedText } from './rules.ts';

/** Shorter values would hide parts of most texts. */
export const shortest = 6;
/** Characters of a value that are kept: texts that quote more of it are rare. */
const longest = 4096;
/** Shortest line, or string within JSON, that counts as a value of its own. */
const shortestPart = 8;
/** Parts of one value. */
const mostParts = 200;
/** Characters by which a string is recognized: memory must not grow with the length of values. */
const headLength = 64;

/** A string that texts must not contain. */
export interface SecretForm {
  /** Its first characters, at most 64. */
  readonly head: string;
  readonly length: number;
  /** Whether it is a word of a language: it then hides whole words only, and no content of objects. */
  readonly isWord: boolean;
}

/** Returns the values of a Secret, or of a patch for one, whatever its members are. */
export function valuesOf(object: unknown): readonly string[] {
  if (Array.isArray(object)) return object.flatMap((operation: unknown) => valuesOfOperation(operation));
  if (!isObject(object)) return [];
  return [...decoded(member(object, 'data')), ...stringsOf(member(object, 'stringData'))];
}

/** Returns the forms of a value, without those that are too short. */
export function formsOf(value: string): readonly SecretForm[] {
  const whole = value.slice(0, longest);
  const lengths = new Map<string, number>();
  for (const text of [...encodings(whole), ...partsOf(whole).flatMap(quotations)]) {
    const head = text.slice(0, headLength);
    if (text.length < shortest || redactedText.includes(text)) continue;
    lengths.set(head, Math.max(lengths.get(head) ?? 0, text.length));
  }
  return [...lengths].map(([head, length]) => ({
    head: copyOf(head),
    length,
    isWord: /^[A-Za-z]{1,12}$/.test(head),
  }));
}

/** A slice would keep the whole string in memory. */
function copyOf(slice: string): string {
  return Buffer.from(slice, 'utf16le').toString('utf16le');
}

/** An operation of a JSON patch has one value: of a member of `data`, of `data`, or of the whole Secret. */
function valuesOfOperation(operation: unknown): readonly string[] {
  const [path, value] = [member(operation, 'path'), member(operation, 'value')];
  if (typeof path !== 'string') return [];
  if (path === '') return valuesOf(value);
  const [, field = '', ...keys] = path.split('/');
  return valuesOf({ [field]: keys.length === 0 ? value : { [keys.join('/')]: value } });
}

function stringsOf(map: unknown): readonly string[] {
  if (!isObject(map)) return [];
  return Object.values(map).filter((value) => typeof value === 'string');
}

/** Texts that are not UTF-8 are values in base64 only. Of long ones the beginning is decoded. */
function decoded(data: unknown): readonly string[] {
  return stringsOf(data).map((base64) => {
    const isLong = base64.length > 4 * longest;
    const text = Buffer.from(base64.slice(0, 4 * longest), 'base64').toString();
    // A character may have been divided.
    return (isLong ? text.slice(0, longest) : text).includes('\ufffd') ? base64 : text;
  });
}

/**
 * Returns a value without white space around it, its lines, and its strings if it is JSON, such as the
 * passwords of registries. Keys and certificates are not quoted by line. The head of a long value is that of
 * the value without white space at its end.
 */
function partsOf(value: string): readonly string[] {
  const isInLines = value.includes('\n') && !value.includes('-----BEGIN ');
  const lines = isInLines ? value.split(/\r?\n/).map((line) => line.trim()) : [];
  const parts = [...lines, ...leavesOf(value)].filter(({ length }) => length >= shortestPart);
  const isTrimmed = value.length > 2 * headLength ? value.trimStart() === value : value.trim() === value;
  return [...(isTrimmed ? [] : [value.trim()]), ...parts.slice(0, mostParts)];
}

function leavesOf(value: string): readonly string[] {
  if (!/^\s*[{[]/.test(value)) return [];
  const leaves: string[] = [];
  try {
    JSON.parse(value, (_, leaf: unknown) => {
      if (typeof leaf === 'string') leaves.push(leaf);
      return leaf;
    });
  } catch {
    // Not JSON.
  }
  return leaves;
}

/** A string as texts, JSON and URLs quote it. */
function quotations(text: string): readonly string[] {
  const escaped = escapedOf(text);
  return [text, escaped, escapedOf(escaped), encoded(text)];
}

function encodings(text: string): readonly string[] {
  const base64 = Buffer.from(text).toString('base64');
  return [
    ...quotations(text),
    base64,
    base64.replace(/(?<!=)=+$/, ''),
    Buffer.from(text).toString('base64url'),
  ];
}

function escapedOf(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Lone surrogates cannot be encoded. */
function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}
