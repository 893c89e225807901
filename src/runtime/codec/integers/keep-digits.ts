/** Parser of JSON that may contain integers beyond 2^53. Loaded on demand, see `decode-body.ts`. */
import { isExact } from './digits.ts';
import { mayHoldLong } from './long-digits.ts';
import { emptyRecord, setRecord } from './records.ts';

/**
 * Parses the JSON in these bytes as `JSON.parse` does, and keeps the digits of integers that a `number`
 * cannot represent.
 */
export function parseBytes(json: Buffer, start = 0, end: number = json.length): unknown {
  const text = json.toString('utf8', start, end);
  return mayHoldLong(json, start, end) ? parseText(text) : JSON.parse(text);
}

/** Parses JSON that may contain such integers, and keeps their digits. */
export function parseText(json: string): unknown {
  const value: unknown = JSON.parse(json);
  keepDigits(json, value);
  return value;
}

const space = 0x20;
const quoteByte = 0x22;
const commaByte = 0x2c;
const colonByte = 0x3a;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

const integer = /^-?\d{16,}$/;
/** Matches the characters after a number, `true`, `false` or `null`. */
const afterScalar = /[\s,\]}]|$/g;

/** An object or list that is being scanned. */
interface Level {
  /** The parsed value; another value of any type for the first of duplicate keys. */
  readonly holder: unknown;
  readonly isList: boolean;
  /** The digits found so far. */
  readonly record: Record<string, string>;
  /** The key or index of the next value. */
  key: string;
  index: number;
}

/**
 * Scans JSON beside its parsed value, and stores the digits of its integers in the objects and lists that
 * hold them. The stack is explicit, so that deep nesting cannot exhaust that of the engine. For duplicate
 * keys, the last value and its digits are used.
 */
export function keepDigits(json: string, value: unknown): void {
  const levels: Level[] = [];
  let level: Level = { holder: { '': value }, isList: false, record: emptyRecord(), key: '', index: 0 };
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at);
    at += 1;
    if (code === quoteByte) {
      const end = endOfString(json, at);
      // Only the value of this key is looked up.
      if (!level.isList) level.key = keyOf(json, at, end);
      at = end;
    } else if (code === openObject || code === openList) {
      levels.push(level);
      level = opened(level, code === openList);
    } else if (code === closeObject || code === closeList) {
      close(level);
      level = levels.pop() ?? level;
    } else if (code === commaByte) next(level);
    else if (code > space && code !== colonByte) {
      const end = endOfScalar(json, at);
      scalar(level, json.slice(at - 1, end));
      at = end;
    }
  }
}

function endOfScalar(json: string, at: number): number {
  afterScalar.lastIndex = at;
  return afterScalar.exec(json)?.index ?? json.length;
}

/** Returns the position after a string, from the position after its opening quote. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start); at !== -1; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json[at - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return json.length;
}

function keyOf(json: string, start: number, end: number): string {
  const key = json.slice(start, end - 1);
  return key.includes('\\') ? String(JSON.parse(`"${key}"`)) : key;
}

function opened({ holder, key }: Level, isList: boolean): Level {
  return {
    holder: memberOf(holder, key),
    isList,
    record: emptyRecord(),
    key: isList ? '0' : '',
    index: 0,
  };
}

/** Returns an own member, including `__proto__`, which `JSON.parse` creates as an ordinary member. */
function memberOf(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
    ? Reflect.get(holder, key)
    : undefined;
}

function next(level: Level): void {
  if (!level.isList) return;
  level.index += 1;
  level.key = String(level.index);
}

function scalar({ holder, key, record }: Level, text: string): void {
  const value = Number(text);
  if (integer.test(text) && memberOf(holder, key) === value && !isExact(value, text)) record[key] = text;
  else delete record[key];
}

function close({ holder, record }: Level): void {
  if (typeof holder === 'object' && holder !== null) setRecord(holder, record);
}
