/** Changes of objects by handlers of `defaults`, as operations of a JSON patch. Pure. */

import type { JsonPatchOperation } from '@kgen/runtime';
import { createJsonPatch } from '@kgen/runtime/patch';
import { isObject, type JsonObject, member } from '../../members.ts';
import { withMembers } from './exact-members.ts';

/** A handler returned a value, or made a change, that no response can express. */
export class InvalidHandlerResult extends Error {
  override readonly name = 'InvalidHandlerResult';
}

/**
 * Levels of objects and lists in an object. API servers accept 10,000; functions of Node and of handlers that
 * follow them level by level, such as `JSON.stringify` and `structuredClone`, exceed the stack at some 2,000.
 */
const maxLevels = 1_000;

/** Reason for the refusal of an object with more levels. */
export const tooDeep = 'more than 1,000 levels of objects and lists';

/**
 * Returns whether an object has more levels than reviews process.
 * @param depth number of levels that contain the value
 */
export function isTooDeep(value: unknown, depth: number = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= maxLevels || Object.values(value).some((each) => isTooDeep(each, depth + 1));
}

/** Members that admission cannot change: the server refuses or ignores changes of them. */
const fixedMembers = ['apiVersion', 'kind'];
const fixedMetadata = [
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
];

/**
 * Returns the operations that a handler's result means.
 * @param before the object of the request
 * @param changed the copy of it that the handler received, and may have changed
 * @param result members that replace those of `changed`; `undefined` removes one. Those of `metadata` replace
 * members of the metadata.
 * @throws {InvalidHandlerResult} if the result is not an object, is not JSON, or changes identity
 */
export function changesOf(
  before: JsonObject,
  changed: object,
  result: unknown,
): readonly JsonPatchOperation[] {
  const after = result === undefined || result === changed ? changed : combined(changed, result);
  const problem = nonJson(after);
  if (problem !== undefined) throw new InvalidHandlerResult(`the result is not JSON: ${problem}`);
  const fixed = changedIdentity(before, after);
  if (fixed !== undefined) throw new InvalidHandlerResult(`the handler must not change ${fixed}`);
  return createJsonPatch(before, after);
}

function combined(object: object, members: unknown): object {
  if (!isObject(members))
    throw new InvalidHandlerResult('the handler must return an object, members of it, or nothing');
  const [metadata, added] = [member(object, 'metadata'), member(members, 'metadata')];
  const isPart = isObject(metadata) && isObject(added) && metadata !== added;
  const changed = withMembers(object, members);
  return isPart ? { ...changed, metadata: withMembers(metadata, added) } : changed;
}

/**
 * Returns the path of a member that JSON cannot represent, with its type: `.spec.replicas: NaN`. Members that
 * are `undefined` are absent.
 */
export function nonJson(value: unknown): string | undefined {
  return problemIn(value, '', new Set());
}

function problemIn(value: unknown, path: string, parents: Set<object>): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `${path}: ${value}`;
    case 'object':
      return value === null ? undefined : problemInObject(value, path, parents);
    default:
      return `${path}: ${typeof value}`;
  }
}

function problemInObject(value: object, path: string, parents: Set<object>): string | undefined {
  // The path would have as many names.
  if (parents.size === maxLevels) return tooDeep;
  if (parents.has(value)) return `${path}: an object that contains itself`;
  const isList = Array.isArray(value);
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if ((!isList && tag !== 'Object') || typeof Reflect.get(value, 'toJSON') === 'function')
    return `${path}: ${tag}`;
  parents.add(value);
  for (const key of isList ? value.keys() : Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    if (member === undefined && !isList) continue;
    const problem = problemIn(member, isList ? `${path}[${key}]` : `${path}.${key}`, parents);
    if (problem !== undefined) return problem;
  }
  parents.delete(value);
  return undefined;
}

function changedIdentity(before: object, after: object): string | undefined {
  const of = (object: object, key: string): unknown => member(object, key) ?? undefined;
  const changed = fixedMembers.find((key) => of(before, key) !== of(after, key));
  if (changed !== undefined) return changed;
  const [old, metadata] = [of(before, 'metadata') ?? {}, of(after, 'metadata') ?? {}];
  const name = member(old, 'name');
  // An object that is created may receive a name.
  const fixed = name === undefined || name === '' ? fixedMetadata : ['name', ...fixedMetadata];
  const part = fixed.find((key) => member(old, key) !== member(metadata, key));
  return part === undefined ? undefined : `metadata.${part}`;
}
