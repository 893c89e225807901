/** Contents of the states of one object. */
import { parsed } from '../../recording-lines.ts';
import { applied, type Delta, deltaOf } from './deltas.ts';

/** Contents, oldest first. */
export interface Contents {
  /** Adds the newest one. Returns the bytes that the one before needs. */
  add(content: unknown): number;
  at(index: number): unknown;
  /** Drops the oldest one. Returns the bytes that it needed; 0 for the newest one. */
  drop(): number;
}

/** Contents as they are. */
export class PlainContents implements Contents {
  readonly #contents: unknown[] = [];

  add(content: unknown): number {
    this.#contents.push(content);
    return 0;
  }

  at(index: number): unknown {
    return this.#contents[index];
  }

  drop(): number {
    this.#contents.shift();
    return 0;
  }
}

/** The newest content as text; of the others, differences to the next one: a fraction of the memory. */
export class CompactContents implements Contents {
  /** JSON; empty for `undefined`. */
  #newest: string | undefined;
  readonly #deltas: string[] = [];

  add(content: unknown): number {
    const text = textOf(content);
    if (this.#newest === undefined) {
      this.#newest = text;
      return 0;
    }
    const delta = textOf(deltaOf(content, contentIn(this.#newest)));
    this.#deltas.push(delta);
    this.#newest = text;
    return delta.length;
  }

  at(index: number): unknown {
    let content = contentIn(this.#newest ?? '');
    for (let place = this.#deltas.length - 1; place >= index; place -= 1) {
      const delta = contentIn(this.#deltas[place] ?? '');
      // seam: `add` has written it.
      content = applied(delta as Delta | undefined, content);
    }
    return content;
  }

  drop(): number {
    const delta = this.#deltas.shift();
    if (delta === undefined) this.#newest = undefined;
    return delta?.length ?? 0;
  }
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function contentIn(text: string): unknown {
  return text === '' ? undefined : parsed(text);
}
