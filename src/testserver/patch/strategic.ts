/** Strategic merge patches of built-in kinds, as pure functions over the schema of a kind. */

import type { Schema } from '@kgen/schema/validation/structural';
import { goPrint, goType } from '@kgen/schema/values/go-print';
import {
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  omit,
  own,
  put,
} from '@kgen/schema/values/json';
import { Failure } from '../errors/status.ts';
import { fieldSchema } from '../managed/shape.ts';
import { withoutNulls } from './merge.ts';
import { badFormat, mergeList, orderList, withoutDirectives } from './strategic-lists.ts';

const orderPrefix = '$setElementOrder';
const deletePrefix = '$deleteFromPrimitiveList';

/**
 * Returns `original` after a strategic merge patch. Lists with the strategy `merge` are merged by their merge
 * key (or as sets of scalars), other lists are replaced.
 * @throws {Failure} 400, 422 or 500 for an invalid patch, as on a real server
 */
export function strategicMerge(
  original: JsonObject,
  patch: JsonObject,
  schema: Schema | undefined,
): JsonObject {
  const directive = own(patch, '$patch');
  if (directive !== undefined) return wholeMap(directive, patch);
  const { base, changes } = retainKeys(original, patch);
  const ordered = Object.keys(changes)
    .filter((key) => key.startsWith(orderPrefix))
    .reduce((state, key) => applyOrder(state, key, schema), { base, changes });
  return Object.entries(ordered.changes).reduce(
    (result, [key, value]) => mergeMember(result, key, value, schema),
    ordered.base,
  );
}

function wholeMap(directive: Json, patch: JsonObject): JsonObject {
  if (directive === 'replace') return omit(patch, '$patch');
  if (directive === 'delete') return {};
  throw new Failure({
    code: 500,
    message: `unknown patch type: ${goPrint(directive)} in map: ${goPrint(patch)}`,
  });
}

/** The value so far, and the members of the patch that are not applied yet. */
interface State {
  readonly base: JsonObject;
  readonly changes: JsonObject;
}

/** `$retainKeys` removes the keys that it does not name. */
function retainKeys(original: JsonObject, patch: JsonObject): State {
  const retained = own(patch, '$retainKeys');
  if (retained === undefined) return { base: original, changes: patch };
  if (!isArray(retained)) throw badFormat('retainKeys');
  const changes = omit(patch, '$retainKeys');
  for (const [key, value] of Object.entries(changes)) {
    const isListed = retained.includes(key) || key.startsWith(deletePrefix) || key.startsWith(orderPrefix);
    if (value !== null && !isListed) throw badFormat('retainKeys');
  }
  return {
    base: fromEntries(Object.entries(original).filter(([key]) => retained.includes(key))),
    changes,
  };
}

/** Merges the list that `$setElementOrder/<list>` names, and sorts it. */
function applyOrder({ base, changes }: State, directive: string, schema: Schema | undefined): State {
  const order = own(changes, directive) ?? null;
  if (!isArray(order)) throw wrongType('[]interface {}', order);
  const key = listOf(directive, orderPrefix);
  const [before, change] = [own(base, key), own(changes, key)];
  for (const list of [before, change]) {
    if (list !== undefined && !isArray(list)) throw wrongType('[]interface {}', list);
  }
  const field = fieldOf(schema, key);
  const rest = omit(changes, directive, key);
  const merged = orderList(listValue(before), listValue(change), order, rulesOf(field));
  return { base: merged === undefined ? base : put(base, key, merged), changes: rest };
}

function listValue(value: Json | undefined): readonly Json[] | undefined {
  return isArray(value) ? value : undefined;
}

function listOf(directive: string, prefix: string): string {
  const [head, ...rest] = directive.split('/');
  if (head !== prefix || rest.length === 0) {
    throw badFormat(prefix === orderPrefix ? 'setElementOrder list' : 'primitive list');
  }
  return rest.join('/');
}

function wrongType(expected: string, value: Json): Failure {
  return new Failure({ code: 500, message: `expected a ${expected}, but received a ${goType(value)}` });
}

/** @throws {Failure} 500 for a field that the schema does not declare */
function fieldOf(schema: Schema | undefined, key: string): Schema | undefined {
  const field = fieldSchema(schema, key);
  if (field !== undefined || schema === undefined || schema.preserveUnknown) return field;
  throw new Failure({
    code: 500,
    message: `unable to find api field for the json field "${key}"`,
  });
}

/** Rules by which a list is merged. */
function rulesOf(field: Schema | undefined): Parameters<typeof mergeList>[2] {
  return {
    isMerged: field?.patchStrategies.includes('merge') === true,
    mergeKey: field?.patchMergeKey ?? '',
    mergeElement: (original, patch) => strategicMerge(original, patch, field?.items),
  };
}

function mergeMember(base: JsonObject, member: string, value: Json, schema: Schema | undefined): JsonObject {
  const isDeletion = member.startsWith(deletePrefix);
  const key = isDeletion ? listOf(member, deletePrefix) : member;
  if (value === null) return omit(base, key);
  const before = own(base, key);
  if (before === undefined || goType(before) !== goType(value)) {
    return isDeletion ? base : putNew(base, key, value);
  }
  if (isArray(before) && isArray(value)) {
    const rules = rulesOf(fieldOf(schema, key));
    return put(base, key, mergeList(before, value, rules, isDeletion));
  }
  if (isObject(before) && isObject(value)) return put(base, key, mergeObjects(before, value, schema, key));
  return put(base, key, value);
}

function mergeObjects(
  before: JsonObject,
  value: JsonObject,
  schema: Schema | undefined,
  key: string,
): JsonObject {
  const field = fieldOf(schema, key);
  return field?.patchStrategies.includes('replace') ? value : strategicMerge(before, value, field);
}

/** A value without a counterpart is taken without nulls and without parts that have a directive. */
function putNew(base: JsonObject, key: string, value: Json): JsonObject {
  const kept = withoutDirectives(withoutNulls(value));
  return kept === undefined ? omit(base, key) : put(base, key, kept);
}
