/**
 * Boolean functions of the presence of members, as reduced ordered decision diagrams: equal functions have
 * equal numbers, so that a function that is never true is recognised exactly.
 */

/** A Boolean function: `no`, `yes`, or the number of a diagram in `Formulas`. */
export type Formula = number;

export const no: Formula = 0;
export const yes: Formula = 1;

/** Thrown if functions are larger than those of schemas in practice. */
export class TooComplex extends Error {}

/** Maximum number of nodes. The function "exactly one of 100 members" has 200. */
const maxNodes = 10_000;

/** Maximum number of different combinations of functions. */
const maxChoices = 200_000;

interface Node {
  /** Decreases from node to node: sums, which add one variable after another, share their parts. */
  readonly variable: number;
  /** The function if the variable is false. */
  readonly low: Formula;
  readonly high: Formula;
}

const terminal: Node = { variable: 0, low: no, high: no };

/** The functions of one object. Each method throws `TooComplex` beyond the limit. */
export class Formulas {
  readonly #nodes: Node[] = [terminal, terminal];
  readonly #numbers = new Map<string, Formula>();
  readonly #chosen = new Map<string, Formula>();
  readonly #members = new Map<string, Formula>();
  #variables = 0;

  /** Names of the members that occur in functions, in order of their first use. */
  get members(): readonly string[] {
    return [...this.#members.keys()];
  }

  /** Returns the condition that a member is present. */
  member(name: string): Formula {
    const known = this.#members.get(name) ?? this.unknown();
    this.#members.set(name, known);
    return known;
  }

  /** Returns a condition of which nothing is known. */
  unknown(): Formula {
    this.#variables += 1;
    return this.#node(this.#variables, no, yes);
  }

  /** Returns `then` where the condition holds, and `otherwise` elsewhere. */
  choose(condition: Formula, then: Formula, otherwise: Formula): Formula {
    if (condition === yes || then === otherwise) return then;
    if (condition === no) return otherwise;
    const key = `${condition} ${then} ${otherwise}`;
    const known = this.#chosen.get(key);
    if (known !== undefined) return known;
    const parts = [condition, then, otherwise];
    const variable = parts.reduce((last, part) => Math.max(last, this.#at(part).variable), 0);
    const [low, high] = (['low', 'high'] as const).map((branch) => {
      const [a = no, b = no, c = no] = parts.map((part) => this.#branch(part, variable, branch));
      return this.choose(a, b, c);
    });
    const result = this.#node(variable, low ?? no, high ?? no);
    if (this.#chosen.size >= maxChoices) throw new TooComplex();
    this.#chosen.set(key, result);
    return result;
  }

  not(formula: Formula): Formula {
    return this.choose(formula, no, yes);
  }

  every(formulas: readonly Formula[]): Formula {
    return formulas.reduce((all, one) => this.choose(all, one, no), yes);
  }

  some(formulas: readonly Formula[]): Formula {
    return formulas.reduce((any, one) => this.choose(any, yes, one), no);
  }

  same(a: Formula, b: Formula): Formula {
    return this.choose(a, b, this.not(b));
  }

  /** Returns the condition that at least `least` and at most `most` of the conditions hold. */
  count(conditions: readonly Formula[], least: number, most: number): Formula {
    // The condition that exactly so many hold, by number. Numbers beyond `limit` are equal to it.
    const limit = Math.min(conditions.length, Math.max(least, most + 1));
    let counts: readonly Formula[] = [yes, ...Array.from({ length: limit }, () => no)];
    for (const condition of conditions) {
      counts = counts.map((same, number) => {
        const fewer = number === 0 ? no : (counts[number - 1] ?? no);
        const full = number === limit ? this.some([fewer, same]) : fewer;
        return this.choose(condition, full, same);
      });
    }
    return this.some(counts.filter((_, number) => number >= least && number <= most));
  }

  /** Returns whether the function can be true with some members present and some absent. */
  isPossible(formula: Formula, present: readonly string[], absent: readonly string[] = []): boolean {
    const fixed = new Map<number, 'low' | 'high'>();
    for (const name of present) fixed.set(this.#at(this.member(name)).variable, 'high');
    for (const name of absent) fixed.set(this.#at(this.member(name)).variable, 'low');
    const seen = new Set<Formula>([no]);
    const open = [formula];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === yes) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      const node = this.#at(next);
      const branch = fixed.get(node.variable);
      if (branch === undefined) open.push(node.low, node.high);
      else open.push(node[branch]);
    }
    return false;
  }

  #at(formula: Formula): Node {
    return this.#nodes[formula] ?? terminal;
  }

  #branch(formula: Formula, variable: number, branch: 'low' | 'high'): Formula {
    const node = this.#at(formula);
    return node.variable === variable ? node[branch] : formula;
  }

  #node(variable: number, low: Formula, high: Formula): Formula {
    if (low === high) return low;
    const key = `${variable} ${low} ${high}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (this.#nodes.length >= maxNodes) throw new TooComplex();
    this.#nodes.push({ variable, low, high });
    this.#numbers.set(key, this.#nodes.length - 1);
    return this.#nodes.length - 1;
  }
}
