/** Fields that a manager owns, as `metadata.managedFields` lists them in the format `fieldsV1`. */

import { isObject, type JsonObject, member } from '../members.ts';
import { canonical, digestOf } from './canonical.ts';

/** Owned fields below a value, by step: `f:name`, `k:{…}`, `v:…`. Without steps, the whole value is owned. */
export type FieldTree = ReadonlyMap<string, FieldTree>;

/** Entry of a manager that applies. */
export interface OwnedFields {
  readonly apiVersion: string;
  readonly fields: FieldTree;
}

/** Identity of a manager that applies to an object. */
export interface ApplyManager {
  readonly manager: string;
  /** `''` for the object itself, or the name of a subresource: `status`. Default: `''`. */
  readonly subresource?: string | undefined;
}

/** Returns whether the object has `managedFields`, which informers remove. */
export function hasManagedFields(object: JsonObject): boolean {
  return managedFieldsOf(object).length > 0;
}

/**
 * Returns the fields that a manager owns by server-side apply. Returns `undefined` without such an
 * entry, or more than one, or an entry in a format that is not supported.
 */
export function ownedFieldsOf(object: JsonObject, owner: ApplyManager): OwnedFields | undefined {
  const entry = ownedEntryOf(object, owner);
  const fields = entry && parseTree(entry.fieldsV1);
  return fields && { apiVersion: entry.apiVersion, fields };
}

/** Returns a digest of the fields that a manager owns by server-side apply, for comparisons. */
export function ownedDigestOf(object: JsonObject, owner: ApplyManager): string | undefined {
  const entry = ownedEntryOf(object, owner);
  return entry && digestOf(`${entry.apiVersion}${canonical(entry.fieldsV1)}`);
}

/** Returns whether a manager owns fields by server-side apply. */
export function hasManager(object: JsonObject, owner: ApplyManager): boolean {
  return ownedEntryOf(object, owner) !== undefined;
}

/** Entry of `managedFields`. */
interface OwnedEntry {
  readonly apiVersion: string;
  readonly fieldsV1: JsonObject;
}

function ownedEntryOf(object: JsonObject, owner: ApplyManager): OwnedEntry | undefined {
  const [entry, ...more] = managedFieldsOf(object).filter((each) => isEntryOf(each, owner));
  const fieldsV1 = member(entry, 'fieldsV1');
  if (more.length > 0 || !isObject(fieldsV1)) return undefined;
  return { apiVersion: String(member(entry, 'apiVersion') ?? ''), fieldsV1 };
}

/** Returns the members of the keys of a list item: those of `k:{"name":"web"}`. */
export function keysOfStep(step: string): JsonObject {
  const keys: unknown = JSON.parse(step.slice(2));
  return isObject(keys) ? keys : {};
}

function managedFieldsOf(object: JsonObject): readonly unknown[] {
  const entries = member(member(object, 'metadata'), 'managedFields');
  return Array.isArray(entries) ? entries : [];
}

function isEntryOf(entry: unknown, { manager, subresource = '' }: ApplyManager): boolean {
  return (
    member(entry, 'manager') === manager &&
    member(entry, 'operation') === 'Apply' &&
    (member(entry, 'subresource') ?? '') === subresource
  );
}

/** Returns `undefined` for steps that are not supported: indices of lists, and malformed keys. */
function parseTree(value: JsonObject): FieldTree | undefined {
  const tree = new Map<string, FieldTree>();
  for (const [step, below] of Object.entries(value)) {
    if (step === '.') continue;
    const inner = isStep(step) && isObject(below) ? parseTree(below) : undefined;
    if (inner === undefined) return undefined;
    tree.set(step, inner);
  }
  return new Set([...tree.keys()].map((step) => step.startsWith('f:'))).size > 1 ? undefined : tree;
}

function isStep(step: string): boolean {
  if (step.startsWith('f:')) return true;
  if (!step.startsWith('k:') && !step.startsWith('v:')) return false;
  try {
    const value: unknown = JSON.parse(step.slice(2));
    return step.startsWith('v:') || isObject(value);
  } catch {
    // Clients can write managed fields, so the step may be malformed.
    return false;
  }
}
