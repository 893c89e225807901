/** Managers of an object, and their form in `metadata.managedFields`. */
import { array, compact, isObject, type Json, type JsonObject, own, text } from '@kgen/schema/values/json';
import { decodeSet, encodeSet, type FieldSet } from './fieldset.ts';

/** Owner of fields, with the kind of write. */
export interface Manager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

/** A manager with its fields. */
export interface Managed extends Manager {
  readonly time: string;
  readonly fields: FieldSet;
}

/** The managers of an object, by identity. */
export type Managers = ReadonlyMap<string, Managed>;

/**
 * Returns the identity of a manager: two writes with equal identities have one manager. The version does not
 * count for appliers.
 */
export function identity({ manager, operation, apiVersion, subresource }: Manager): string {
  return JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource]);
}

/** Reads `metadata.managedFields`. */
export function decodeManagers(value: Json | undefined): Managers {
  return new Map(
    array(value)
      .map(decodeEntry)
      .map((entry) => [identity(entry), entry]),
  );
}

/** Entries by their decoded form and the reverse: most writes change few of them. */
const decodedEntries = new WeakMap<JsonObject, Managed>();
const encodedEntries = new WeakMap<Managed, JsonObject>();

function decodeEntry(entry: Json): Managed {
  const known = isObject(entry) ? decodedEntries.get(entry) : undefined;
  if (known !== undefined) return known;
  const managed = readEntry(entry);
  if (isObject(entry)) decodedEntries.set(entry, managed);
  return managed;
}

function readEntry(entry: Json): Managed {
  return {
    manager: text(entry, 'manager'),
    operation: text(entry, 'operation') === 'Apply' ? 'Apply' : 'Update',
    apiVersion: text(entry, 'apiVersion'),
    subresource: text(entry, 'subresource'),
    time: text(entry, 'time'),
    fields: decodeSet(own(entry, 'fieldsV1')),
  };
}

/** Returns `metadata.managedFields`: appliers first, then by time and name. */
export function encodeManagers(managers: Managers): readonly JsonObject[] {
  const order = (entry: Managed): readonly string[] => [
    entry.operation,
    entry.time,
    entry.manager,
    entry.apiVersion,
    entry.subresource,
  ];
  const entries = [...managers.values()].filter((entry) => entry.fields.size > 0);
  return entries.sort((a, b) => compareTexts(order(a), order(b))).map(encodeEntry);
}

function compareTexts(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((part, i) => part !== b[i]);
  return index < 0 ? 0 : (a[index] ?? '') < (b[index] ?? '') ? -1 : 1;
}

function encodeEntry(entry: Managed): JsonObject {
  const known = encodedEntries.get(entry);
  if (known !== undefined) return known;
  const encoded = entryOf(entry, entry.time, encodeSet(entry.fields));
  encodedEntries.set(entry, encoded);
  decodedEntries.set(encoded, entry);
  return encoded;
}

/** Returns one entry of `metadata.managedFields`. */
export function entryOf(entry: Manager, time: string, fieldsV1: JsonObject): JsonObject {
  return compact({
    manager: entry.manager,
    operation: entry.operation,
    apiVersion: entry.apiVersion,
    time: time === '' ? undefined : time,
    fieldsType: 'FieldsV1',
    fieldsV1,
    subresource: entry.subresource === '' ? undefined : entry.subresource,
  });
}
