/** Things that a simulated process holds until they end. */
import { callSite } from './call-site.ts';

/** A kind of thing that a process holds. */
export type Holding = 'timers' | 'streams' | 'requests without a response';

/** Numbers by the text of what is held, such as `timers at /path/operator.ts:10`. */
export type HoldingCounts = ReadonlyMap<string, number>;

/** Counts what a process holds. */
export class Holdings {
  readonly #withLines: boolean;
  /** Kinds and lines; empty lines are not known. */
  readonly #held = new Map<object, { readonly kind: Holding; readonly site: string }>();
  /** Line of the timer whose callback runs. */
  #site = '';

  /** @param withLines whether lines of the operator are determined, which takes long */
  constructor(withLines: boolean) {
    this.#withLines = withLines;
  }

  /** Adds a thing; called by the code that begins it. */
  add(kind: Holding, key: object): void {
    const site = this.#withLines ? callSite() || this.#site : '';
    this.#held.set(key, { kind, site });
  }

  /** Removes a thing that has ended. */
  remove(key: object): void {
    this.#held.delete(key);
  }

  /** Removes a timer and runs its callback, whose new timers have its line: an interval starts again. */
  fire(key: object, callback: () => void): void {
    this.#site = this.#held.get(key)?.site ?? '';
    this.remove(key);
    try {
      callback();
    } finally {
      this.#site = '';
    }
  }

  counts(): HoldingCounts {
    const counts = new Map<string, number>();
    for (const { kind, site } of this.#held.values()) {
      const text = site === '' ? kind : `${kind} at ${site}`;
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    return counts;
  }
}
