/** Recent errors of controllers and informers by name, for health endpoints and metrics. */

import { isApiError } from '@kgen/runtime';
import type { Clock } from '@kgen/runtime/informers';
import { errorOf } from '../errors.ts';

/** Time for which a problem is reported after its last occurrence, in milliseconds. */
const recentMs = 600_000;
/** Maximum number of problems: names of errors are those of the program. */
const maxProblems = 100;

interface Problem {
  readonly part: string;
  readonly error: string;
  at: number;
  /** Returns whether the part works again since the last occurrence. */
  isOver: () => boolean;
}

/** Problems of the last 10 minutes. */
export class Problems {
  readonly #clock: Clock;
  readonly #problems = new Map<string, Problem>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds an occurrence. `isOver` ends the report earlier than after 10 minutes. */
  add(part: string, error: string, isOver: () => boolean = () => false): void {
    const key = `${part} ${error}`;
    const known = this.#problems.get(key);
    if (known !== undefined) {
      known.at = this.#clock.now();
      known.isOver = isOver;
      return;
    }
    if (this.#problems.size >= maxProblems) this.#forget();
    if (this.#problems.size < maxProblems)
      this.#problems.set(key, { part, error, at: this.#clock.now(), isOver });
  }

  /** Returns the present problems, such as `controller myapp: InvalidResultError`. */
  list(): readonly string[] {
    this.#forget();
    return [...this.#problems.values()].map(({ part, error }) => `${part}: ${error}`);
  }

  /** Forgets what is over. */
  #forget(): void {
    const since = this.#clock.now() - recentMs;
    for (const [key, problem] of this.#problems) {
      if (problem.at < since || problem.isOver()) this.#problems.delete(key);
    }
  }
}

/** Returns the name of an error; for a response of the API server, its reason, such as `Forbidden`. */
export function errorName(thrown: unknown): string {
  const { name } = errorOf(thrown);
  const text = isApiError(thrown) ? thrown.reason || name : name;
  return typeof text === 'string' && /^[A-Za-z]\w{0,63}$/.test(text) ? text : 'Error';
}
