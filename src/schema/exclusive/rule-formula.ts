/** Conditions on the presence of members that CEL rules state. */
import type { CallExpr, ComprehensionExpr, Expr } from '../cel/syntax/ast.ts';
import { CompileError } from '../cel/syntax/issues.ts';
import { parseExpression } from '../cel/syntax/parser.ts';
import { type Formula, type Formulas, no, TooComplex, yes } from './formulas.ts';

/**
 * Returns a condition that holds whenever the rule does. Parts that depend on more than the presence of
 * members count as unknown, rules about changes as no condition at all.
 * @param member returns the condition that a member is present, by its name in rules
 */
export function ruleFormula(rule: string, formulas: Formulas, member: (name: string) => Formula): Formula {
  // Such a rule is not evaluated when an object is created.
  if (/\boldSelf\b/.test(rule)) return yes;
  const expression = parsed(rule);
  return expression === undefined ? yes : new Evaluation(formulas, member).condition(expression, noNames);
}

function parsed(rule: string): Expr | undefined {
  try {
    return parseExpression(rule);
  } catch (error) {
    if (error instanceof CompileError) return undefined;
    throw error;
  }
}

type Value =
  | { readonly is: 'condition'; readonly holds: Formula }
  /** The condition of each possible number. */
  | { readonly is: 'number'; readonly cases: Cases }
  | { readonly is: 'list'; readonly items: readonly Item[] }
  | { readonly is: 'unknown' };

type Cases = ReadonlyMap<number, Formula>;

interface Item {
  readonly isPresent: Formula;
  readonly value: Value;
}

/** Variables of loops. */
type Names = ReadonlyMap<string, Value>;

const noNames: Names = new Map();
const unknown: Value = { is: 'unknown' };

/** Maximum number of evaluated expressions. Loops evaluate theirs once per item. */
const maxEvaluations = 20_000;

/** Maximum number of values that a number may have. */
const maxCases = 500;

const comparisons: ReadonlyMap<string, (a: number, b: number) => boolean> = new Map([
  ['_==_', (a: number, b: number) => a === b],
  ['_!=_', (a: number, b: number) => a !== b],
  ['_<_', (a: number, b: number) => a < b],
  ['_<=_', (a: number, b: number) => a <= b],
  ['_>_', (a: number, b: number) => a > b],
  ['_>=_', (a: number, b: number) => a >= b],
]);

class Evaluation {
  readonly #formulas: Formulas;
  readonly #member: (name: string) => Formula;
  #evaluations = 0;

  constructor(formulas: Formulas, member: (name: string) => Formula) {
    this.#formulas = formulas;
    this.#member = member;
  }

  condition(expression: Expr, names: Names): Formula {
    return this.#holds(this.#value(expression, names));
  }

  #holds(value: Value): Formula {
    return value.is === 'condition' ? value.holds : this.#formulas.unknown();
  }

  #value(expression: Expr, names: Names): Value {
    this.#evaluations += 1;
    if (this.#evaluations > maxEvaluations) throw new TooComplex();
    switch (expression.kind) {
      case 'literal':
        if (typeof expression.value === 'bigint') return numberOf(new Map([[Number(expression.value), yes]]));
        return typeof expression.value === 'boolean' ? condition(expression.value ? yes : no) : unknown;
      case 'ident':
        return names.get(expression.name) ?? unknown;
      case 'select':
        return expression.isTest && isSelf(expression.operand, names)
          ? condition(this.#member(expression.field))
          : unknown;
      case 'list': {
        if (expression.optionals.size > 0) return unknown;
        const items = expression.elements.map((item) => ({
          isPresent: yes,
          value: this.#value(item, names),
        }));
        return { is: 'list', items };
      }
      case 'comprehension':
        return this.#loop(expression, names);
      case 'call':
        return this.#call(expression, names);
      default:
        return unknown;
    }
  }

  /** A loop ends early only where its result is certain. */
  #loop(
    { range, iterVar, iterVar2, accuVar, accuInit, step, result }: ComprehensionExpr,
    names: Names,
  ): Value {
    const list = this.#value(range, names);
    if (list.is !== 'list' || iterVar2 !== undefined) return unknown;
    let value = this.#value(accuInit, names);
    for (const item of list.items) {
      const inside = new Map([...names, [iterVar, item.value], [accuVar, value]]);
      value = this.#choice(item.isPresent, this.#value(step, inside), value);
    }
    return this.#value(result, new Map([...names, [accuVar, value]]));
  }

  #call({ name, target, args }: CallExpr, names: Names): Value {
    const [first, second, third] = target === undefined ? args : [target, ...args];
    if (first === undefined) return unknown;
    if (name === 'hasValue') return this.#hasValue(first, names);
    const a = this.#value(first, names);
    if (name === '!_') return condition(this.#formulas.not(this.#holds(a)));
    if (second === undefined) return name === 'size' || name === 'sum' ? this.#total(name, a) : unknown;
    const b = this.#value(second, names);
    if (name === '_&&_') return condition(this.#formulas.every([this.#holds(a), this.#holds(b)]));
    if (name === '_||_') return condition(this.#formulas.some([this.#holds(a), this.#holds(b)]));
    if (name === '_?_:_')
      return third === undefined ? unknown : this.#choice(this.#holds(a), b, this.#value(third, names));
    return this.#binary(name, a, b);
  }

  /** The optional value `self.?member`. */
  #hasValue(optional: Expr, names: Names): Value {
    const [object, field] = optional.kind === 'call' && optional.name === '_?._' ? optional.args : [];
    if (object === undefined || !isSelf(object, names) || field?.kind !== 'literal') return unknown;
    return typeof field.value === 'string' ? condition(this.#member(field.value)) : unknown;
  }

  #choice(holds: Formula, then: Value, otherwise: Value): Value {
    if (holds === yes) return then;
    if (then.is === 'list' && otherwise.is === 'list') {
      const { items } = otherwise;
      const from = then.items.findIndex((item, index) => item !== items[index]);
      const common = from < 0 ? then.items.length : from;
      const where = (when: Formula, each: readonly Item[]): readonly Item[] =>
        each.slice(common).map(({ isPresent, value }) => ({
          isPresent: this.#formulas.every([isPresent, when]),
          value,
        }));
      const rest = [...where(holds, then.items), ...where(this.#formulas.not(holds), items)];
      return { is: 'list', items: [...items.slice(0, common), ...rest] };
    }
    if (then.is === 'number' && otherwise.is === 'number') {
      const cases = new Map<number, Formula>();
      for (const [value, when] of then.cases) this.#add(cases, value, [when, holds]);
      const not = this.#formulas.not(holds);
      for (const [value, when] of otherwise.cases) this.#add(cases, value, [when, not]);
      return numberOf(cases);
    }
    // A condition is still known where the other branch is not.
    return then.is === 'condition' || otherwise.is === 'condition'
      ? condition(this.#formulas.choose(holds, this.#holds(then), this.#holds(otherwise)))
      : unknown;
  }

  #binary(name: string, a: Value, b: Value): Value {
    if (a.is === 'condition' && b.is === 'condition') {
      const same = this.#formulas.choose(a.holds, b.holds, this.#formulas.not(b.holds));
      if (name === '_==_') return condition(same);
      return name === '_!=_' ? condition(this.#formulas.not(same)) : unknown;
    }
    if (a.is === 'list' && b.is === 'list')
      return name === '_+_' ? { is: 'list', items: [...a.items, ...b.items] } : unknown;
    if (name === '@in' && a.is === 'number' && b.is === 'list') return this.#isIn(a, b.items);
    if (a.is !== 'number' || b.is !== 'number') return unknown;
    const compare = comparisons.get(name);
    if (compare !== undefined) return condition(this.#compared(a.cases, b.cases, compare));
    return name === '_+_' || name === '_-_' ? this.#sum(a.cases, b.cases, name === '_+_' ? 1 : -1) : unknown;
  }

  #isIn(value: Value, items: readonly Item[]): Value {
    const equal = items.map((item) => this.#binary('_==_', value, item.value));
    const known = equal.flatMap((each, index) =>
      each.is === 'condition' ? [this.#formulas.every([each.holds, items[index]?.isPresent ?? no])] : [],
    );
    return known.length === equal.length ? condition(this.#formulas.some(known)) : unknown;
  }

  #compared(a: Cases, b: Cases, test: (a: number, b: number) => boolean): Formula {
    const cases = [...a].flatMap(([x, first]) =>
      [...b].flatMap(([y, second]) => (test(x, y) ? [this.#formulas.every([first, second])] : [])),
    );
    return this.#formulas.some(cases);
  }

  #sum(a: Cases, b: Cases, sign: 1 | -1): Value {
    if (a.size * b.size > maxCases) return unknown;
    const cases = new Map<number, Formula>();
    for (const [x, first] of a) for (const [y, second] of b) this.#add(cases, x + sign * y, [first, second]);
    return numberOf(cases);
  }

  #add(cases: Map<number, Formula>, value: number, conditions: readonly Formula[]): void {
    const when = this.#formulas.some([cases.get(value) ?? no, this.#formulas.every(conditions)]);
    if (when !== no) cases.set(value, when);
  }

  /** Returns the number of the items that are present, or the sum of their values. */
  #total(name: 'size' | 'sum', list: Value): Value {
    if (list.is !== 'list') return unknown;
    let total = numberOf(new Map([[0, yes]]));
    for (const { isPresent, value } of list.items) {
      const one = name === 'size' ? numberOf(new Map([[1, yes]])) : value;
      total = this.#choice(isPresent, this.#binary('_+_', total, one), total);
    }
    return total;
  }
}

/** Returns whether an expression is the object itself, and not a variable of that name. */
function isSelf(expression: Expr, names: Names): boolean {
  return expression.kind === 'ident' && expression.name === 'self' && !names.has('self');
}

function condition(holds: Formula): Value {
  return { is: 'condition', holds };
}

function numberOf(cases: Cases): Value {
  return cases.size > maxCases ? unknown : { is: 'number', cases };
}
