/** Decides which fields of messages are read: at least those that a projection selects. */
import { type Branch, childOf, type FieldBranch } from '../../codec/projection/branches.ts';
import type { Projection } from '../../codec/projection/projection.ts';

/**
 * Follows the messages of one object at a time. It may select more than its branch, for example in messages
 * whose JSON is not an object of their fields: the result has to be projected nevertheless.
 */
export class FieldFilter {
  readonly #root: MessageFilter;
  /** Filters of the enclosing messages by depth; `undefined` for messages that are read as a whole. */
  readonly #filters: (MessageFilter | undefined)[] = [];
  /** Their ends, and the numbers of their last selected fields. */
  readonly #ends: number[] = [];
  readonly #numbers: number[] = [];
  /** Whether the next message is the value of an entry of a map. */
  #isEntry = false;

  constructor(branch: FieldBranch) {
    this.#root = new MessageFilter(branch);
  }

  /** Starts a message with these fields. The first one has depth 1. */
  enter(depth: number, fields: string, end: number): void {
    const filter = depth === 1 ? this.#root : this.#inner(depth - 1);
    this.#isEntry = false;
    this.#filters[depth] = filter?.applies(fields) ? filter : undefined;
    this.#ends[depth] = end;
  }

  #inner(depth: number): MessageFilter | undefined {
    const inner = this.#filters[depth]?.inner(this.#numbers[depth] ?? 0);
    return this.#isEntry ? inner?.entries : inner;
  }

  /** Returns the end of the present message; -1 if it is read as a whole. */
  end(depth: number): number {
    return this.#filters[depth] === undefined ? -1 : (this.#ends[depth] ?? -1);
  }

  /** Returns whether a field of the present message is selected. */
  selects(depth: number, number: number): boolean {
    if (this.#filters[depth]?.selects(number) !== true) return false;
    this.#numbers[depth] = number;
    return true;
  }

  /** Starts or ends the value of an entry of a map. */
  setEntry(isEntry: boolean): void {
    this.#isEntry = isEntry;
  }
}

const filters = new WeakMap<FieldBranch, FieldFilter>();

/** Returns the filter for a projection. It is shared, because reads do not overlap. */
export function fieldFilter({ branch }: Pick<Projection, 'branch'>): FieldFilter {
  const known = filters.get(branch);
  if (known !== undefined) return known;
  const made = new FieldFilter(branch);
  filters.set(branch, made);
  return made;
}

/** Selected fields of one message, by their numbers. */
class MessageFilter {
  readonly #branch: FieldBranch;
  #fields: string | undefined;
  #applies = false;
  readonly #selected: boolean[] = [];
  readonly #inner: (MessageFilter | undefined)[] = [];
  #entries: MessageFilter | undefined;

  constructor(branch: FieldBranch) {
    this.#branch = branch;
  }

  /**
   * Returns whether fields of a message may be skipped. They may not if no name is known: the JSON of the
   * message may not consist of its fields, as that of an `IntOrString`.
   */
  applies(fields: string): boolean {
    if (fields !== this.#fields) this.#learn(fields);
    return this.#applies;
  }

  selects(number: number): boolean {
    return this.#selected[number] === true;
  }

  /** Returns the filter for the message in a field; `undefined` if it is read as a whole. */
  inner(number: number): MessageFilter | undefined {
    return this.#inner[number];
  }

  /** The filter for the values of a map, if it is the same for all keys. */
  get entries(): MessageFilter | undefined {
    const { fields, rest } = this.#branch;
    if (fields.size === 0) this.#entries ??= filterOf(rest);
    return this.#entries;
  }

  #learn(fields: string): void {
    this.#fields = fields;
    this.#applies = false;
    this.#selected.length = 0;
    this.#inner.length = 0;
    for (const field of fields.split(',')) {
      const space = field.indexOf(' ');
      const name = field.slice(space + 1).replace('*', '');
      // The fields of a message without a name are fields of its parent.
      const branch = name === '' ? this.#branch : childOf(this.#branch, name);
      if (branch === undefined) continue;
      const number = Number(field.slice(0, space));
      this.#applies = true;
      this.#selected[number] = true;
      this.#inner[number] = filterOf(branch);
    }
  }
}

function filterOf(branch: Branch | undefined): MessageFilter | undefined {
  return branch === undefined || branch === true ? undefined : new MessageFilter(branch);
}
