/** Values of tags: each printed value is parsed back to an equal one. */

import { isObject, type Json, type JsonObject } from '@kgen/schema/values/json';
import { readJson } from '@kgen/schema/values/wire';
import { byText } from '../common/words.ts';
import type { TagDefinition } from './tags.ts';

/** A value of a tag, or the reason why the text is invalid. */
export type ParsedValue = { readonly value: Json } | { readonly fault: string };

/** Parses the text of a tag, without the suffix of `splitPart`. */
export function parseValue({ name, form }: TagDefinition, text: string): ParsedValue {
  switch (form) {
    case 'flag':
      return text === '' ? { value: true } : { fault: `@${name} has no value: remove the text behind it` };
    case 'number':
      return numberIn(name, text, /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/, 'a number');
    case 'count':
      return numberIn(name, text, /^(?:0|[1-9]\d*)$/, 'an integer that is not negative');
    case 'text':
      return textIn(name, text);
    case 'names':
      return namesIn(name, text);
    case 'json':
      return jsonIn(name, text);
    case 'rule':
      return ruleIn(text);
  }
}

function numberIn(name: string, text: string, form: RegExp, noun: string): ParsedValue {
  if (!form.test(text)) return { fault: `@${name} must be followed by ${noun}` };
  const value = Number(text);
  return { value: /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value };
}

function textIn(name: string, text: string): ParsedValue {
  if (text === '') return { fault: `@${name} must be followed by its value` };
  const parsed = text.startsWith('"') ? parsedJson(text) : undefined;
  return { value: typeof parsed === 'string' ? parsed : text };
}

function namesIn(name: string, text: string): ParsedValue {
  const names = text.split(/[\s,]+/).filter((each) => each !== '');
  return names.length === 0
    ? { fault: `@${name} must be followed by names of properties` }
    : { value: names };
}

function jsonIn(name: string, text: string): ParsedValue {
  const value = parsedJson(text);
  if (value !== undefined) return { value };
  const hint = /^[\w.%/:-]+$/.test(text) ? `: write @${name} ${JSON.stringify(text)} for a string` : '';
  return { fault: `@${name} must be followed by a value of JSON${hint}` };
}

function parsedJson(text: string): Json | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** `rule -- message -- reason=… fieldPath=… optionalOldSelf`, or an object of JSON with these members. */
function ruleIn(text: string): ParsedValue {
  if (text === '') return { fault: '@validate must be followed by a rule of CEL' };
  const parsed = text.startsWith('{') ? parsedJson(text) : undefined;
  if (isObject(parsed) && typeof parsed['rule'] === 'string') return knownMembers(parsed);
  const [rule = '', message, ...others] = text.split(separator);
  const last = others.at(-1);
  const options = last !== undefined && optionsForm.test(last) ? optionsOf(last) : undefined;
  const words = [message, ...(options === undefined ? others : others.slice(0, -1))];
  const whole = words.filter((word) => word !== undefined).join(separator);
  return { value: { rule, ...(whole === '' ? {} : { message: whole }), ...options } };
}

const separator = ' -- ';
const optionsForm =
  /^(?:(?:reason|fieldPath)=\S+|optionalOldSelf)(?: (?:(?:reason|fieldPath)=\S+|optionalOldSelf))*$/;
const ruleMembers: ReadonlySet<string> = new Set([
  ...['rule', 'message', 'messageExpression', 'reason', 'fieldPath', 'optionalOldSelf'],
]);

function knownMembers(rule: JsonObject): ParsedValue {
  const unknown = Object.keys(rule).find((key) => !ruleMembers.has(key));
  return unknown === undefined
    ? { value: rule }
    : { fault: `@validate has no member ${JSON.stringify(unknown)}: use ${[...ruleMembers].join(', ')}` };
}

function optionsOf(text: string): JsonObject {
  const pairs = text.split(' ').map((option): [string, Json] => {
    const [name = '', ...value] = option.split('=');
    return [name, value.length === 0 ? true : value.join('=')];
  });
  return Object.fromEntries(pairs);
}

/** Returns the text of a tag, such that `parseValue` returns the value again. */
export function printValue({ form }: TagDefinition, value: Json): string {
  switch (form) {
    case 'flag':
      return '';
    case 'names':
      return Array.isArray(value) ? value.join(' ') : '';
    case 'text':
      return typeof value === 'string' && isBare(value) ? value : printJson(value);
    case 'rule':
      return printRule(value);
    default:
      return printJson(value);
  }
}

function printRule(value: Json): string {
  if (!isObject(value)) return printJson(value);
  const { rule, message, reason, fieldPath, optionalOldSelf, ...others } = value;
  const options = [
    ...(typeof reason === 'string' ? [`reason=${reason}`] : []),
    ...(typeof fieldPath === 'string' ? [`fieldPath=${fieldPath}`] : []),
    ...(optionalOldSelf === true ? ['optionalOldSelf'] : []),
  ].join(' ');
  const parts = [rule, message, ...(options === '' ? [] : [options])].filter((part) => part !== undefined);
  const text = parts.join(separator);
  const parsed = isBare(text) && Object.keys(others).length === 0 ? ruleIn(text) : undefined;
  const isExact = parsed !== undefined && 'value' in parsed && sameMembers(parsed.value, value);
  return isExact ? text : printJson(value);
}

function sameMembers(a: Json, b: JsonObject): boolean {
  if (!isObject(a)) return false;
  const keys = Object.keys(b);
  return Object.keys(a).length === keys.length && keys.every((key) => a[key] === b[key]);
}

/** Returns whether a comment keeps a string: lines are wrapped at blanks, and some sequences are escaped. */
function isBare(text: string): boolean {
  return /^[^\s"](?:.*\S)?$/.test(text) && !/\s\s|[^\x20-\x7e]|\\@|\*\\\//.test(text) && !partForm.test(text);
}

/** Returns JSON in one line, in which a comment changes nothing. */
function printJson(value: Json): string {
  return jsonOf(value)
    .replace(/(^|[\s{\\])@/g, '$1\\u0040')
    .replaceAll('*/', '*\\u002f')
    .replace(/ (?= )| $/g, '\\u0020')
    .replace(/[\x7f-\x9f\p{Cf}\u2028\u2029]/gu, escaped);
}

function escaped(char: string): string {
  return Array.from({ length: char.length }, (_, index) => char.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

/** Integers beyond 2^53 keep their digits; keys are sorted. */
function jsonOf(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .sort(([a], [b]) => byText(a, b))
    .map(([key, item]) => `${JSON.stringify(key)}:${jsonOf(item)}`)
    .join(',')}}`;
}

/** A step from a list or a map to its elements. */
export type PartStep = 'items' | 'values';

const partForm = / ?\(((?:items|values)(?: of (?:items|values))*)\)$/;

/** Splits off the suffix that names a part of the property: `^a$ (items of values)`. */
export function splitPart(text: string): { readonly text: string; readonly part: readonly PartStep[] } {
  const found = partForm.exec(text);
  if (found === null) return { text, part: [] };
  const steps = (found[1] ?? '').split(' of ').reverse();
  return {
    text: text.slice(0, found.index),
    part: steps.map((step) => (step === 'items' ? 'items' : 'values')),
  };
}

/** Returns the text of a tag with the suffix that names a part of the property. */
export function joinPart(text: string, part: readonly PartStep[]): string {
  return part.length === 0 ? text : `${text} (${[...part].reverse().join(' of ')})`.trimStart();
}
