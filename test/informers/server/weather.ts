import type { Failure } from './answers.ts';
import type { Asked } from './view.ts';

/** Fault of one request. */
export type Fate =
  | { readonly type: 'refused' }
  /** The response never arrives. */
  | { readonly type: 'hung' }
  | { readonly type: 'failure'; readonly failure: Failure }
  /** The response to a list is interrupted. */
  | { readonly type: 'cut' }
  /** The response to a list is not JSON. */
  | { readonly type: 'garbled' }
  /** The history is compacted before the request is processed. */
  | { readonly type: 'compacted' };

/** Fault for the next request of its kind. */
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

/** Faults between a server and its clients. */
export class Weather {
  readonly #planned: Planned[] = [];
  #spells: Spell[] = [];
  /** Time until which each stream ends after two seconds. */
  cutsUntil = 0;
  /** Called for each fault that a request has met. */
  onMet: (name: string) => void = () => undefined;

  /** Sets the fault of the next request of a kind. */
  plan(planned: Planned): void {
    this.#planned.push(planned);
  }

  /** Sets the fault of all requests for a period. */
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
