/** Members of objects that may have any form: responses of servers and bodies of requests. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an own member, or `undefined`. */
export function member(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns the value at a path of own members, or `undefined`. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce(member, value);
}

/** Returns the list at a path of own members, or an empty one. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = memberAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Returns whether a value is a string that is not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Returns a member of the metadata of an object if it is a string, or `undefined`. */
export function metadataString(object: unknown, key: 'name' | 'uid' | 'resourceVersion'): string | undefined {
  const value = member(member(object, 'metadata'), key);
  return typeof value === 'string' ? value : undefined;
}

/** Returns whether the server has begun to delete an object. */
export function isTerminating(object: object): boolean {
  const time = member(member(object, 'metadata'), 'deletionTimestamp');
  return time !== undefined && time !== null;
}
