/** Objects and lists that are built member by member and take no more memory than they need. */

/**
 * Returns a class for the objects of a message, which are plain objects: their prototype is that of `{}`. The
 * engine learns their number of members from the first instances and allocates these inside of the object;
 * members that are added to `{}` are in a separate array, which is reallocated as it grows.
 */
export function objectClass(): new () => Record<string, unknown> {
  // The engine counts the assignments here for its initial allocation. They are never executed.
  function Plain(this: Record<string, unknown>): void {
    if (new.target !== undefined) return;
    this['a'] = 0;
    this['b'] = 0;
    this['c'] = 0;
    this['d'] = 0;
    this['e'] = 0;
    this['f'] = 0;
    this['g'] = 0;
    this['h'] = 0;
    this['i'] = 0;
    this['j'] = 0;
    this['k'] = 0;
    this['l'] = 0;
    this['m'] = 0;
    this['n'] = 0;
    this['o'] = 0;
    this['p'] = 0;
  }
  Plain.prototype = Object.prototype;
  // seam: TypeScript does not treat functions as classes.
  return Plain as unknown as new () => Record<string, unknown>;
}

/** Objects that are maps of strings or of other values. */
export const StringMap: new () => Record<string, unknown> = objectClass();
export const ValueMap: new () => Record<string, unknown> = objectClass();

/**
 * Appends an element to a list, which is created if it is absent. Returns the list, which can be a new one.
 */
export function append<V>(list: V[] | undefined, value: V): V[] {
  if (list === undefined) return [value];
  const [first] = list;
  // Arrays that grow have room for sixteen more elements, and most lists are short.
  if (list.length === 1 && first !== undefined) return [first, value];
  list.push(value);
  return list;
}

/** Returns the list without spare capacity. */
export function trimCapacity<V>(list: V[]): V[] {
  return list.length > 2 ? list.slice() : list;
}

/** Sets a member of a map, for any name. */
export function setMember(map: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') map[key] = value;
  else Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}
