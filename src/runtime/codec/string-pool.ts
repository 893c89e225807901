/** V8 itself shares texts up to this length, and the names of members, in all that `JSON.parse` makes. */
const sharedAnyway = 10;
/** Longer texts are seldom twice the same, and the pool should not hold much. */
const longest = 2048;
/** Two places each. */
const setBits = 12;
const sets: number = 2 ** setBits;
/** Objects that are nested deeper are not looked at: no text can exhaust the stack. */
const deepest = 64;

/** The set of a text, by up to 64 of its characters: there are texts that differ at their ends, or in the middle alone. */
function setOf(text: string): number {
  const { length } = text;
  const step = 1 + (length >> 6);
  let hash = length;
  for (let at = length - 1; at >= 0; at -= step) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x85ebca6b);
  }
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> (32 - setBits);
}

/** Whether somebody has given members to all objects, which then come up among those of each. */
function allHaveMembers(): boolean {
  for (const _ in empty) return true;
  return false;
}

const empty: object = {};

/**
 * Texts that occur again and again in the objects of a cluster, such as images, nodes and paths: each of them is held once
 * by all objects, which saves a fourth of their memory. The pool itself never holds more than 8192 texts of at most 2048
 * characters. Of two that are in each other's way, one that came once gives way to one that came again.
 */
export class StringPool {
  readonly #recurring: string[] = new Array<string>(sets).fill('');
  readonly #latest: string[] = new Array<string>(sets).fill('');
  /** Whether members of an object may be inherited. */
  #inherited = false;
  /** Whether there may be integers beyond 2^53. */
  #long = false;

  /**
   * Replaces the texts in a value that nobody else has seen yet, just made by `JSON.parse`, by equal ones of the pool.
   * Returns whether there may be integers in it that a `number` cannot represent.
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
    // JSON has no other objects than those with members.
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
    // Faster than a list of the keys. Replacing a member leaves the object's shape as it is.
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

  /** The same text from before, if there is one worth keeping. */
  #known(text: string): string | undefined {
    if (text.length <= sharedAnyway || text.length > longest) return undefined;
    const set = setOf(text);
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
