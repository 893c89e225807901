/** V8 itself shares strings up to this length, and the names of members, in results of `JSON.parse`. */
const sharedAnyway = 10;
/** Longer strings rarely recur, and the pool should stay small. */
const longest = 2048;
/** Each set has two places. */
const setBits = 12;
const sets: number = 2 ** setBits;
/** Maximum depth of processed objects, so that deep nesting cannot exhaust the stack. */
const deepest = 64;

const empty: object = {};

/**
 * Strings that recur in the objects of a cluster, such as images, nodes and paths: each is shared by all
 * objects, which saves a quarter of their memory. The pool holds at most 8192 strings of at most 2048
 * characters. Of two strings that compete for a place, a recurring one takes precedence.
 */
export class StringPool {
  readonly #recurring: string[] = new Array<string>(sets).fill('');
  readonly #latest: string[] = new Array<string>(sets).fill('');
  /** Whether members of an object may be inherited. */
  #inherited = false;
  /** Whether there may be integers beyond 2^53. */
  #long = false;

  /**
   * Replaces the strings of a value, a fresh result of `JSON.parse`, by equal ones of the pool. Returns
   * whether it may contain integers that a `number` cannot represent.
   */
  share(value: unknown): boolean {
    this.#inherited = allHaveMembers();
    this.#long = false;
    this.#share(value, 0);
    return this.#long;
  }

  #share(value: unknown, depth: number): void {
    if (typeof value === 'number') {
      if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) this.#long = true;
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    if (depth > deepest) this.#long = true;
    else if (Array.isArray(value)) this.#shareItems(value, depth);
    // Other objects in JSON have members.
    else this.#shareMembers(value as Record<string, unknown>, depth);
  }

  #shareItems(list: unknown[], depth: number): void {
    for (let index = 0; index < list.length; index += 1) {
      const item = list[index];
      if (typeof item !== 'string') this.#share(item, depth + 1);
      else {
        const known = this.#known(item);
        if (known !== undefined) list[index] = known;
      }
    }
  }

  #shareMembers(object: Record<string, unknown>, depth: number): void {
    // Faster than a list of the keys. Replacing a member does not change the object's hidden class.
    for (const key in object) {
      const member = object[key];
      if (typeof member !== 'string') this.#share(member, depth + 1);
      else {
        const known = this.#known(member);
        if (known === undefined || (this.#inherited && !Object.hasOwn(object, key))) continue;
        object[key] = known;
      }
    }
  }

  /** Returns the equal string in the pool, if there is one. */
  #known(text: string): string | undefined {
    return isPooled(text) ? this.#find(text, hashOf(text)) : undefined;
  }

  /** Returns the equal string in the pool, otherwise the string itself. `hash` is that of the string. */
  shared(text: string, hash: number): string {
    return isPooled(text) ? (this.#find(text, hash) ?? text) : text;
  }

  #find(text: string, hash: number): string | undefined {
    const set = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> (32 - setBits);
    const recurring = this.#recurring[set];
    if (recurring === text) return recurring;
    const latest = this.#latest[set];
    if (latest === text) {
      this.#recurring[set] = latest;
      this.#latest[set] = recurring ?? '';
      return latest;
    }
    if (recurring === '') this.#recurring[set] = text;
    else this.#latest[set] = text;
    return undefined;
  }
}

/** Returns whether Object.prototype has enumerable members, which `for…in` includes for each object. */
function allHaveMembers(): boolean {
  for (const _ in empty) return true;
  return false;
}

function isPooled({ length }: string): boolean {
  return length > sharedAnyway && length <= longest;
}

/**
 * Returns a hash of up to 64 characters of a string, because strings may differ only at their ends or in the
 * middle.
 */
export function hashOf(text: string): number {
  const { length } = text;
  const step = 1 + (length >> 6);
  let hash = length;
  for (let at = length - 1; at >= 0; at -= step) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x85ebca6b);
  }
  return hash;
}
