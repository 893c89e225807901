import type { Failure } from './answers.ts';
import type { Asked } from './view.ts';

/** What becomes of one request. */
export type Fate =
  | { readonly type: 'refused' }
  /** No answer ever comes. */
  | { readonly type: 'hung' }
  | { readonly type: 'failure'; readonly failure: Failure }
  /** The answer to a list breaks off. */
  | { readonly type: 'cut' }
  /** The answer to a list is no JSON. */
  | { readonly type: 'malformed' }
  /** The history is compacted before it is looked at. */
  | { readonly type: 'compacted' };

/** What waits for the next request of its kind. */
export interface Planned {
  readonly name: string;
  readonly for: 'list' | 'page' | 'watch' | 'any';
  readonly fate: Fate;
}

interface Spell {
  readonly name: string;
  readonly fate: Fate;
  readonly until: number;
}

/** What is between a server and its clients. */
export class Weather {
  readonly #planned: Planned[] = [];
  #spells: Spell[] = [];
  /** Until when each stream is ended after two seconds. */
  cutsUntil = 0;
  /** Told of each fault that a request has met. */
  onMet: (name: string) => void = () => undefined;

  /** For the next request of a kind, once. */
  plan(planned: Planned): void {
    this.#planned.push(planned);
  }

  /** For all requests, until it is over. */
  spell(spell: Spell): void {
    this.#spells.push(spell);
  }

  clear(): void {
    this.#planned.length = 0;
    this.#spells = [];
    this.cutsUntil = 0;
  }

  fateOf(asked: Asked, now: number): Fate | undefined {
    this.#spells = this.#spells.filter(({ until }) => until > now);
    const [spell] = this.#spells;
    if (spell !== undefined) return this.#meet(spell);
    const at = this.#planned.findIndex((planned) => concerns(planned, asked));
    const [planned] = at === -1 ? [] : this.#planned.splice(at, 1);
    return planned && this.#meet(planned);
  }

  #meet({ name, fate }: Pick<Planned, 'name' | 'fate'>): Fate {
    this.onMet(name);
    return fate;
  }
}

function concerns({ for: kind }: Planned, { verb, token }: Asked): boolean {
  switch (kind) {
    case 'any':
      return true;
    case 'page':
      return token !== undefined;
    case 'list':
      return verb === 'list' && token === undefined;
    case 'watch':
      return verb !== 'list';
  }
}
