/** Changes and comparisons of the digits of objects. Loaded on demand. */
import { type Digits, digitsKey, digitsOf, recordOf } from './digits.ts';

/** Returns a record in which every key is an ordinary key. */
export function emptyRecord(): Record<string, string> {
  return Object.create(null);
}

/** Replaces all digits of an object or list. An empty record removes them. */
export function setRecord(holder: object, record: Digits): void {
  if (Object.keys(record).length > 0) {
    const value = Object.freeze(record);
    Object.defineProperty(holder, digitsKey, { value, configurable: true, enumerable: true, writable: true });
  } else if (Object.hasOwn(holder, digitsKey)) Reflect.deleteProperty(holder, digitsKey);
}

/** Sets or removes the digits under one key. The record is copied, because other objects may share it. */
export function setDigits(holder: object, key: string, digits: string | undefined): void {
  const known = recordOf(holder);
  if (known?.[key] === digits) return;
  const record: Record<string, string> = Object.assign(emptyRecord(), known);
  if (digits === undefined) delete record[key];
  else record[key] = digits;
  setRecord(holder, record);
}

/** Copies the digits of a member along with its value. */
export function copyDigits(from: object, fromKey: string, to: object, toKey: string): void {
  setDigits(to, toKey, digitsOf(from, fromKey));
}

/** Copies all digits to an object with the same members. */
export function copyRecord(from: object, to: object): void {
  setRecord(to, recordOf(from) ?? emptyRecord());
}

/** Item that is added to a list, with its digits. */
interface Added {
  readonly value: unknown;
  readonly digits: string | undefined;
}

/** Like `list.splice` for at most one added item, but moves the digits with their items. */
export function spliceList(list: unknown[], start: number, removed: number, added?: Added): void {
  const exact = recordOf(list) !== undefined || added?.digits !== undefined;
  const all = exact ? list.map((_, index) => digitsOf(list, String(index))) : [];
  if (added === undefined) {
    list.splice(start, removed);
    all.splice(start, removed);
  } else {
    list.splice(start, removed, added.value);
    all.splice(start, removed, added.digits);
  }
  if (!exact) return;
  const record = emptyRecord();
  for (const [index, one] of all.entries()) if (one !== undefined) record[index] = one;
  setRecord(list, record);
}

/** Like `structuredClone`, but copies of integers beyond 2^53 are exact. */
export function exactClone<T>(value: T): T {
  const copy = structuredClone(value);
  const seen = new Set<unknown>();
  const left: [unknown, unknown][] = [[value, copy]];
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [from, to] = pair;
    if (!isHolder(from) || !isHolder(to) || seen.has(to)) continue;
    seen.add(to);
    copyRecord(from, to);
    for (const key of Object.keys(to)) left.push([Reflect.get(from, key), Reflect.get(to, key)]);
  }
  return copy;
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}

/**
 * Returns whether two members are the same integer, or `undefined` if that is unknown. A number that lost its
 * digits in a copy equals its original integer, because it was not changed.
 */
export function sameInteger(
  before: object,
  beforeKey: string,
  after: object,
  afterKey: string,
): boolean | undefined {
  const old: unknown = Reflect.get(before, beforeKey);
  const desired: unknown = Reflect.get(after, afterKey);
  if (!isNumeric(old) || !isNumeric(desired)) return undefined;
  const digits = typeof desired === 'bigint' ? `${desired}` : digitsOf(after, afterKey);
  if (digits !== undefined) return digits === (digitsOf(before, beforeKey) ?? String(old));
  return Number(old) === desired;
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
