/** Objects of the operator, with the fields that it has set. */
import { array, at, isObject, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { LoggedRequest } from '@kgen/testserver/internal/http/request-log';
import type { Store } from '@kgen/testserver/internal/store/store';
import type { ExpectedObject } from './test-text.ts';

/** Resources of which a test knows nothing: records of the operator, and values that must not be copied. */
const ignored: ReadonlySet<string> = new Set([
  'secrets',
  'events',
  'events.events.k8s.io',
  'leases.coordination.k8s.io',
]);

/** Values of the server or of a time, which another run does not repeat. */
const changing = /^\d{4}-\d\d-\d\dT|^[0-9a-f]{8}-[0-9a-f]{4}-|^\d+\.\d+\.\d+\.\d+$/;

/** Returns the objects that a user has written, without those whose names are random. */
export function expectedObjects(
  store: Store,
  log: readonly LoggedRequest[],
  user: string,
): readonly ExpectedObject[] {
  const managers = managersOf(log, user);
  return store
    .resources()
    .filter((resource) => !ignored.has(resource))
    .flatMap((resource) => store.list(resource).flatMap(([, each]) => expectedOf(each, managers)));
}

/** Field managers of the writes of a user. */
function managersOf(log: readonly LoggedRequest[], user: string): ReadonlySet<string> {
  const writes = log.filter((each) => each.user === user && ['POST', 'PUT', 'PATCH'].includes(each.method));
  return new Set(
    writes.map(({ query, userAgent }) => query['fieldManager'] ?? userAgent.split('/')[0] ?? ''),
  );
}

function expectedOf(stored: JsonObject, managers: ReadonlySet<string>): readonly ExpectedObject[] {
  const isRandom = text(stored, 'metadata', 'generateName') !== '';
  if (isRandom || at(stored, 'metadata', 'deletionTimestamp') !== undefined) return [];
  let fields: JsonObject = {};
  for (const entry of array(stored, 'metadata', 'managedFields')) {
    if (!managers.has(text(entry, 'manager'))) continue;
    const found = selected(stored, object(entry, 'fieldsV1'), []);
    if (isObject(found)) fields = merged(fields, found);
  }
  if (Object.keys(fields).length === 0) return [];
  return [
    {
      ...{ apiVersion: text(stored, 'apiVersion'), kind: text(stored, 'kind'), fields },
      namespace: text(stored, 'metadata', 'namespace'),
      name: text(stored, 'metadata', 'name'),
    },
  ];
}

/** Returns the fields of a set, without lists whose items have several owners; `undefined` without one. */
function selected(value: Json | undefined, fields: JsonObject, path: readonly string[]): Json | undefined {
  if (!isObject(value)) return undefined;
  const found: (readonly [string, Json])[] = [];
  for (const [name, inner] of Object.entries(fields)) {
    const key = name.startsWith('f:') ? name.slice(2) : undefined;
    const member = key === undefined ? undefined : own(value, key);
    if (key === undefined || member === undefined || (path.length === 0 && key === 'metadata')) continue;
    const isLeaf = isObject(inner) && Object.keys(inner).every((each) => each === '.');
    const kept = isLeaf ? stable(member) : selected(member, isObject(inner) ? inner : {}, [...path, key]);
    if (kept !== undefined) found.push([key, kept]);
  }
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function stable(value: Json): Json | undefined {
  return changing.test(String(value)) || /"\d{4}-\d\d-\d\dT/.test(printed(value)) ? undefined : value;
}

function printed(value: Json): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  const members = Object.entries(other).map(([key, value]) => {
    const present = own(one, key);
    return [key, isObject(present) && isObject(value) ? merged(present, value) : value] as const;
  });
  return { ...one, ...Object.fromEntries(members) };
}
