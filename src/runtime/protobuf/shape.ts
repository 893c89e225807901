/** Objects and lists that take no more memory than they need, made of members and elements that come one by one. */

/**
 * A class of its own for the objects of a message, which are plain ones in every respect: their prototype is that of `{}`.
 * The engine learns from the first ones how many members they have, and makes room for these in the objects themselves;
 * members that are added to `{}` are in lists beside it, which grow again and again.
 */
export function shape(): new () => Record<string, unknown> {
  // The engine counts what is assigned here, and makes room for so many at first. None of it is ever executed.
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
  // seam: TypeScript does not know functions as classes.
  return Plain as unknown as new () => Record<string, unknown>;
}

/** Objects that are maps, of texts and of other values. */
export const TextMap: new () => Record<string, unknown> = shape();
export const ValueMap: new () => Record<string, unknown> = shape();

/** A list with one more element. */
export function add<V>(list: V[] | undefined, value: V): V[] {
  if (list === undefined) return [value];
  const [first] = list;
  // Arrays that grow have room for sixteen more, and most lists are short.
  if (list.length === 1 && first !== undefined) return [first, value];
  list.push(value);
  return list;
}

/** The list without room for more. */
export function exact<V>(list: V[]): V[] {
  return list.length > 2 ? list.slice() : list;
}

/** Sets a member of a map, whatever it is called. */
export function setMember(map: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') map[key] = value;
  else Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}
