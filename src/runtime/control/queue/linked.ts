/** Intrusive doubly linked lists: members move between lists without allocation. */

/**
 * Member of at most one list by place and at most one list by age, or the head of such a list: a list is
 * circular, and its head stands between the last and the first member. Members return themselves as `member`,
 * heads return undefined, so that a loop ends at the head.
 */
export class Linked<T> {
  #previous: Linked<T> = this;
  #next: Linked<T> = this;
  #older: Linked<T> = this;
  #newer: Linked<T> = this;

  get member(): T | undefined {
    return undefined;
  }

  /** The member behind this one; of a head, the first member. */
  get next(): T | undefined {
    return this.#next.member;
  }

  /** The member that is newer than this one; of a head, the oldest member. */
  get newer(): T | undefined {
    return this.#newer.member;
  }

  /** Appends a member to the list of this head by place. */
  append(member: Linked<T>): void {
    const last = this.#previous;
    member.#previous = last;
    member.#next = this;
    last.#next = member;
    this.#previous = member;
  }

  /** Removes this member from its list by place. */
  unlink(): void {
    this.#previous.#next = this.#next;
    this.#next.#previous = this.#previous;
    this.#previous = this;
    this.#next = this;
  }

  /** Appends a member to the list of this head by age. */
  appendNewest(member: Linked<T>): void {
    const newest = this.#older;
    member.#older = newest;
    member.#newer = this;
    newest.#newer = member;
    this.#older = member;
  }

  /** Removes this member from its list by age. */
  unlinkAge(): void {
    this.#older.#newer = this.#newer;
    this.#newer.#older = this.#older;
    this.#older = this;
    this.#newer = this;
  }
}
