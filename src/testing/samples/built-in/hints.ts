/** Hints for the samples of built-in kinds. */
import { fromEntries, isArray, isObject, type Json } from '@kgen/schema/values/json';
import { definitionKey } from '../documents.ts';
import type { Hints } from '../generator.ts';
import { definitionValues, kindValues, memberValues, ownNamespace, unions } from './rules.ts';

/** Returns the hints for objects of a built-in kind in a namespace. */
export function builtInHints(kind: string, namespace = 'default'): Hints {
  const hint = (owner: string, name: string): Json | undefined => {
    const key = definitionKey(owner);
    const value = kindValues[kind]?.[key]?.[name] ?? memberValues[key]?.[name];
    return value === undefined ? undefined : inNamespace(value, namespace);
  };
  return {
    share: 0,
    hasSingleItems: true,
    definition: (name, random) => pick(definitionValues[definitionKey(name)], random),
    property: (owner, name) => hint(owner, `${name}!`) ?? hint(owner, name),
    always: (owner, name) => name === 'spec' || hint(owner, `${name}!`) !== undefined,
    union: (owner) => unions[definitionKey(owner)],
  };
}

/** Returns a value with the namespace of the object where it refers to it. */
function inNamespace(value: Json, namespace: string): Json {
  if (value === ownNamespace) return namespace;
  if (isArray(value)) return value.map((item) => inNamespace(item, namespace));
  if (!isObject(value)) return value;
  return fromEntries(Object.entries(value).map(([key, item]) => [key, inNamespace(item, namespace)]));
}

function pick(values: readonly Json[] | undefined, random: () => number): Json | undefined {
  return values?.[Math.floor(random() * values.length)];
}

/** Returns whether a definition is one value for samples, which have no goals in it. */
export function isLeaf(definition: string): boolean {
  return definitionValues[definitionKey(definition)] !== undefined;
}

/** Options that samples do not have, and rules that are not broken, by definition. */
export type Limits = Readonly<Record<string, readonly string[]>>;

/** Returns whether an option may be set: `present`, or `member=option`. */
export function isAllowed(limits: Limits, member: string, label: string): boolean {
  return !hasLimit(limits, member, label === 'present' ? '' : `=${label}`);
}

/** Returns whether a server enforces a rule of a member. */
export function isEnforced(limits: Limits, member: string, rule: string): boolean {
  return !hasLimit(limits, member, `!${rule}`);
}

function hasLimit(limits: Limits, member: string, suffix: string): boolean {
  const [, definition = '', rest = ''] = /^([^.]*\.[^.]*)\.?(.*)/s.exec(member) ?? [];
  return limits[definition]?.includes(`${rest}${suffix}`) === true;
}
