/** Rules of CEL for tags of members. */
import { escapeName } from '@kgen/schema/cel/syntax/reserved';
import { equal, isArray, isObject, type Json, type JsonObject, text } from '@kgen/schema/values/json';
import type { SchemaTag } from './keywords.ts';

/** Returns the rules that a tag adds to those of a value. */
export function memberRules(
  { definition, value }: SchemaTag,
  before: readonly Json[],
): readonly JsonObject[] {
  const names = isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  switch (definition.name) {
    case 'validate':
      return isObject(value) ? [value] : [];
    case 'immutable':
      return before.some((rule) => isObject(rule) && isUnchanged(rule['rule'])) ? [] : [immutableRule];
    case 'atLeastOneOf':
      return [countRule(names, '>= 1', 'at least one of the fields in', 'must be set')];
    case 'atMostOneOf':
      return [countRule(names, '<= 1', 'at most one of the fields in', 'may be set')];
    case 'exactlyOneOf':
      return [countRule(names, '== 1', 'exactly one of the fields in', 'must be set')];
    default:
      return [];
  }
}

/** Rule of a value that does not change. */
const immutableRule: JsonObject = { rule: 'self == oldSelf', message: 'field is immutable' };

/** Returns the rule of an object whose member, once set, must not be removed. */
export function lastingRule(name: string): JsonObject {
  const field = celField(name);
  return {
    rule: `!has(oldSelf.${field}) || has(self.${field})`,
    message: `field ${name} is immutable once set`,
  };
}

/** Returns whether rules are those that `@immutable` adds, possibly behind others about other things. */
export function endsImmutable(rules: Json | undefined): boolean {
  if (!isArray(rules) || !equal(rules.at(-1), immutableRule)) return false;
  return rules.slice(0, -1).every((rule) => !/self\s*==\s*oldSelf/.test(text(rule, 'rule')));
}

function isUnchanged(rule: Json | undefined): boolean {
  return typeof rule === 'string' && /^\s*self\s*==\s*oldSelf\s*$/.test(rule);
}

function countRule(names: readonly string[], test: string, head: string, tail: string): JsonObject {
  const fields = names.map((name) => `has(self.${celField(name)})`).join(',');
  return {
    rule: `[${fields}].filter(x,x==true).size() ${test}`,
    message: `${head} [${names.join(' ')}] ${tail}`,
  };
}

/** Returns the name of a property in expressions. Names that have none do not compile, which is reported. */
export function celField(name: string): string {
  return escapeName(name) ?? name;
}
