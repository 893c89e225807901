/** Changes of a value that break one rule of its schema each. */
import {
  array,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  own,
  strings,
  text,
} from '@kgen/schema/values/json';
import type { Documents } from '../documents.ts';
import { nodeAt, type Path } from '../paths.ts';
import { numberRange } from '../scalars/numbers.ts';
import { isValidString, numberAt, stringRules } from '../scalars/strings.ts';
import { countBounds, membersOf } from './merge.ts';

/** A change that breaks a rule of a place. `value` is the new value; `undefined` removes the member. */
export interface Break {
  readonly rule: string;
  readonly path: Path;
  readonly value: Json | undefined;
}

/** Returns the changes of a value, and of its members, that break a rule of its schema. */
export function breaksAt(path: Path, value: Json, documents: Documents): readonly Break[] {
  const node = nodeAt(path, documents);
  if (node === undefined) return [];
  const at = (rule: string, broken: Json | undefined): Break => ({ rule, path, value: broken });
  const required =
    isObject(value) && (path.length > 0 || own(node, 'required') !== undefined)
      ? strings(node, 'required')
          .filter((name) => path.length > 0 || !identity.has(name))
          .filter((name) => own(value, name) !== undefined)
          .map((name): Break => ({ rule: 'required', path: [...path, name], value: undefined }))
      : [];
  if (path.length === 0) return required;
  return [...required, ...typeBreaks(node, at), ...valueBreaks(node, value, at)];
}

/** Members of the root that every object has. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

type At = (rule: string, broken: Json | undefined) => Break;

function typeBreaks(node: JsonObject, at: At): readonly Break[] {
  const type = text(node, 'type');
  const wrong: Readonly<Record<string, Json>> = {
    string: 7,
    boolean: 'yes',
    array: 'none',
    object: 'none',
    integer: 'none',
    number: 'none',
  };
  if (own(node, 'x-kubernetes-int-or-string') === true) return [at('x-kubernetes-int-or-string', true)];
  const value = wrong[type];
  return value === undefined ? [] : [at('type', value)];
}

function valueBreaks(node: JsonObject, value: Json, at: At): readonly Break[] {
  return [...enumBreaks(node, at), ...typedBreaks(node, value, at)];
}

function enumBreaks(node: JsonObject, at: At): readonly Break[] {
  if (array(node, 'enum').length === 0) return [];
  const isText = ['string', ''].includes(text(node, 'type'));
  return [at('enum', isText ? 'not-in-the-enum' : -987_654)];
}

function typedBreaks(node: JsonObject, value: Json, at: At): readonly Break[] {
  if (typeof value === 'number') return numberBreaks(node, value, at);
  if (typeof value === 'string') return stringBreaks(node, value, at);
  if (isArray(value)) return listBreaks(node, value, at);
  return isObject(value) ? memberBreaks(node, value, at) : [];
}

function numberBreaks(node: JsonObject, value: number, at: At): readonly Break[] {
  const { low, high } = numberRange(node);
  const factor = numberAt(node, 'multipleOf');
  return [
    ...(Number.isFinite(low) ? [at('minimum', low - (factor ?? 1))] : []),
    ...(Number.isFinite(high) ? [at('maximum', high + (factor ?? 1))] : []),
    ...(factor === undefined ? [] : [at('multipleOf', value + factor / 2)]),
    ...(text(node, 'format') === 'int32' && !Number.isFinite(high) ? [at('format', 2 ** 31)] : []),
  ];
}

function stringBreaks(node: JsonObject, value: string, at: At): readonly Break[] {
  const { min, max } = countBounds(node, 'Length');
  const rules = stringRules(node);
  const invalid = ['', ' ', '!', '-', 'UPPER', '0', 'a b', '\u00e9', `${value}!`, `-${value}`, `${value} `];
  const bad = (change: Partial<typeof rules>): string | undefined => {
    const one = { format: '', patterns: [], minLength: 0, maxLength: Number.POSITIVE_INFINITY, ...change };
    return invalid.find(
      (each) => !isValidString(each, one) && isValidString(each, { ...rules, format: '', patterns: [] }),
    );
  };
  const pattern = rules.patterns.length === 0 ? undefined : bad({ patterns: rules.patterns });
  const format = rules.format === '' ? undefined : bad({ format: rules.format });
  return [
    ...(min > 0 ? [at('minLength', value.slice(0, min - 1))] : []),
    ...(max < 10_000 ? [at('maxLength', value.padEnd(max + 1, value === '' ? 'a' : value))] : []),
    ...(pattern === undefined ? [] : [at('pattern', pattern)]),
    ...(format === undefined ? [] : [at('format', format)]),
  ];
}

function listBreaks(node: JsonObject, value: readonly Json[], at: At): readonly Break[] {
  const { min, max } = countBounds(node, 'Items');
  const [first] = value;
  const isUnique = ['set', 'map'].includes(text(node, 'x-kubernetes-list-type'));
  const longer =
    first === undefined
      ? undefined
      : Array.from({ length: max + 1 < 300 ? max + 1 : 0 }, (_, i) =>
          distinct(value[i] ?? small(first, node), i, node),
        );
  return [
    ...(min > 0 ? [at('minItems', value.slice(0, min - 1))] : []),
    ...(longer === undefined || longer.length === 0 ? [] : [at('maxItems', longer)]),
    ...(isUnique && first !== undefined && value.length < max
      ? [at('x-kubernetes-list-type', [...value, first])]
      : []),
  ];
}

/** Longest item, in characters of JSON, that is repeated to reach a bound. */
const longestItem = 1_000;

/** Returns the item, or its required members if it is large. */
function small(item: Json, list: JsonObject): Json {
  if (!isObject(item) || JSON.stringify(item).length <= longestItem) return item;
  const items = own(list, 'items');
  const names = [...strings(items, 'required'), ...strings(list, 'x-kubernetes-list-map-keys')];
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

/** Returns an item with a string key that no other item of the list has. */
function distinct(item: Json, index: number, list: JsonObject): Json {
  const [key] = strings(list, 'x-kubernetes-list-map-keys');
  const old = key === undefined || !isObject(item) ? undefined : own(item, key);
  if (key === undefined || typeof old !== 'string' || !isObject(item))
    return typeof item === 'string' ? `${item}${index}` : item;
  return { ...item, [key]: `${old}${index}` };
}

function memberBreaks(node: JsonObject, value: JsonObject, at: At): readonly Break[] {
  const { min, max } = countBounds(node, 'Properties');
  const entries = Object.entries(value);
  const [first] = entries;
  const isMap = own(node, 'additionalProperties') !== undefined && membersOf(node).properties.length === 0;
  const more =
    first === undefined || !isMap || max > 300
      ? []
      : Array.from({ length: max + 1 }, (_, i) => [`key-${i}`, first[1]]);
  return [
    ...(min > 0 ? [at('minProperties', Object.fromEntries(entries.slice(0, min - 1)))] : []),
    ...(more.length === 0 ? [] : [at('maxProperties', Object.fromEntries(more))]),
  ];
}
