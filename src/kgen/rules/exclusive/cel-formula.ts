/** Conditions on the presence of members that CEL rules state. */
import { type Expression, parseCel } from './cel-syntax.ts';
import { type Formula, type Formulas, no, TooComplex, yes } from './formulas.ts';

/**
 * Returns a condition that holds whenever the rule does. Parts that depend on more than the presence of
 * members count as unknown, rules about changes as no condition at all.
 */
export function ruleFormula(rule: string, formulas: Formulas, member: (name: string) => Formula): Formula {
  // Such a rule is not evaluated when an object is created.
  if (/\boldSelf\b/.test(rule)) return yes;
  const expression = parseCel(rule);
  return expression === undefined ? yes : new Evaluation(formulas, member).condition(expression, noNames);
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

/** Variables of macros. */
type Names = ReadonlyMap<string, Value>;

const noNames: Names = new Map();
const unknown: Value = { is: 'unknown' };

/** Maximum number of evaluated expressions. Macros evaluate theirs once per item. */
const maxEvaluations = 20_000;

/** Maximum number of values that a number may have. */
const maxCases = 500;

const comparisons: ReadonlyMap<string, (a: number, b: number) => boolean> = new Map([
  ['==', (a: number, b: number) => a === b],
  ['!=', (a: number, b: number) => a !== b],
  ['<', (a: number, b: number) => a < b],
  ['<=', (a: number, b: number) => a <= b],
  ['>', (a: number, b: number) => a > b],
  ['>=', (a: number, b: number) => a >= b],
]);

class Evaluation {
  readonly #formulas: Formulas;
  readonly #member: (name: string) => Formula;
  #evaluations = 0;

  constructor(formulas: Formulas, member: (name: string) => Formula) {
    this.#formulas = formulas;
    this.#member = member;
  }

  condition(expression: Expression, names: Names): Formula {
    const value = this.#value(expression, names);
    return value.is === 'condition' ? value.holds : this.#formulas.unknown();
  }

  #value(expression: Expression, names: Names): Value {
    this.#evaluations += 1;
    if (this.#evaluations > maxEvaluations) throw new TooComplex();
    switch (expression.is) {
      case 'number':
        return { is: 'number', cases: new Map([[expression.value, yes]]) };
      case 'truth':
        return condition(expression.value ? yes : no);
      case 'name':
        return names.get(expression.name) ?? unknown;
      case 'list': {
        const items = expression.items.map((item) => ({ isPresent: yes, value: this.#value(item, names) }));
        return { is: 'list', items };
      }
      case 'call':
        return expression.target === undefined
          ? this.#call(expression.name, expression.args, names)
          : this.#method(expression.name, expression.target, expression.args, names);
      default:
        return unknown;
    }
  }

  #call(name: string, args: readonly Expression[], names: Names): Value {
    const [first, second, third] = args;
    if (first === undefined) return unknown;
    if (name === 'has') return this.#has(first, names);
    if (name === 'size') return this.#size(this.#value(first, names));
    if (name === '!') return condition(this.#formulas.not(this.condition(first, names)));
    if (second === undefined) return unknown;
    if (name === '&&' || name === '||') {
      const both = [this.condition(first, names), this.condition(second, names)];
      return condition(name === '&&' ? this.#formulas.every(both) : this.#formulas.some(both));
    }
    if (third !== undefined && name === '? :') return this.#choice(first, second, third, names);
    return this.#binary(name, this.#value(first, names), this.#value(second, names));
  }

  #has(argument: Expression, names: Names): Value {
    const isMember = argument.is === 'field' && argument.of.is === 'name' && argument.of.name === 'self';
    return isMember && !names.has('self') ? condition(this.#member(unescaped(argument.field))) : unknown;
  }

  #choice(test: Expression, first: Expression, second: Expression, names: Names): Value {
    const [then, otherwise] = [this.#value(first, names), this.#value(second, names)];
    const holds = this.condition(test, names);
    if (then.is === 'condition' && otherwise.is === 'condition')
      return condition(this.#formulas.choose(holds, then.holds, otherwise.holds));
    if (then.is === 'number' && otherwise.is === 'number') {
      const cases = new Map<number, Formula>();
      const both = [
        [then.cases, holds],
        [otherwise.cases, this.#formulas.not(holds)],
      ] as const;
      for (const [values, when] of both)
        for (const [value, each] of values) this.#add(cases, value, this.#formulas.every([each, when]));
      return numberOf(cases);
    }
    return then.is === otherwise.is ? unknown : this.#mixed(holds, then, otherwise);
  }

  /** A condition is still known where the other branch is not. */
  #mixed(holds: Formula, then: Value, otherwise: Value): Value {
    if (then.is !== 'condition' && otherwise.is !== 'condition') return unknown;
    const formula = (value: Value): Formula =>
      value.is === 'condition' ? value.holds : this.#formulas.unknown();
    return condition(this.#formulas.choose(holds, formula(then), formula(otherwise)));
  }

  #binary(name: string, a: Value, b: Value): Value {
    const compare = comparisons.get(name);
    if (a.is === 'condition' && b.is === 'condition') {
      const same = this.#formulas.same(a.holds, b.holds);
      return name === '==' ? condition(same) : name === '!=' ? condition(this.#formulas.not(same)) : unknown;
    }
    if (a.is === 'list' && b.is === 'list')
      return name === '+' ? { is: 'list', items: [...a.items, ...b.items] } : unknown;
    if (name === 'in' && a.is === 'number' && b.is === 'list') return this.#isIn(a, b.items);
    if (a.is !== 'number' || b.is !== 'number') return unknown;
    if (compare !== undefined) return condition(this.#compare(a.cases, b.cases, compare));
    return name === '+' || name === '-' ? this.#sum(a.cases, b.cases, name === '+' ? 1 : -1) : unknown;
  }

  #isIn(value: Value & { readonly is: 'number' }, items: readonly Item[]): Value {
    const equal = items.map((item) => this.#binary('==', value, item.value));
    const known = equal.flatMap((each) => (each.is === 'condition' ? [each.holds] : []));
    return known.length === equal.length ? condition(this.#formulas.some(known)) : unknown;
  }

  #compare(a: Cases, b: Cases, test: (a: number, b: number) => boolean): Formula {
    return this.#formulas.some(
      [...a].flatMap(([x, first]) =>
        [...b].flatMap(([y, second]) => (test(x, y) ? [this.#formulas.every([first, second])] : [])),
      ),
    );
  }

  #sum(a: Cases, b: Cases, sign: 1 | -1): Value {
    if (a.size * b.size > maxCases) return unknown;
    const cases = new Map<number, Formula>();
    for (const [x, first] of a)
      for (const [y, second] of b) this.#add(cases, x + sign * y, this.#formulas.every([first, second]));
    return numberOf(cases);
  }

  #add(cases: Map<number, Formula>, value: number, when: Formula): void {
    const all = this.#formulas.some([cases.get(value) ?? no, when]);
    if (all !== no) cases.set(value, all);
  }

  #method(name: string, target: Expression, args: readonly Expression[], names: Names): Value {
    const list = this.#value(target, names);
    if (list.is !== 'list') return unknown;
    if (args.length === 0) return name === 'size' || name === 'sum' ? this.#total(name, list.items) : unknown;
    const [variable, body] = args;
    if (variable?.is !== 'name' || body === undefined || args.length > 2) return unknown;
    const each = (item: Item): Value => this.#value(body, new Map([...names, [variable.name, item.value]]));
    if (name === 'map')
      return { is: 'list', items: list.items.map((item) => ({ ...item, value: each(item) })) };
    const hits = list.items.map((item) => {
      const value = each(item);
      const holds = value.is === 'condition' ? value.holds : this.#formulas.unknown();
      return this.#formulas.every([item.isPresent, holds]);
    });
    switch (name) {
      case 'filter':
        return {
          is: 'list',
          items: list.items.map(({ value }, index) => ({ isPresent: hits[index] ?? no, value })),
        };
      case 'exists':
        return condition(this.#formulas.some(hits));
      case 'exists_one':
      case 'existsOne':
        return condition(this.#formulas.count(hits, 1, 1));
      case 'all': {
        const isHit = list.items.map(({ isPresent }, index) =>
          this.#formulas.choose(isPresent, hits[index] ?? no, yes),
        );
        return condition(this.#formulas.every(isHit));
      }
      default:
        return unknown;
    }
  }

  #size(value: Value): Value {
    return value.is === 'list' ? this.#total('size', value.items) : unknown;
  }

  /** Returns the number of the items that are present, or the sum of their values. */
  #total(name: 'size' | 'sum', items: readonly Item[]): Value {
    let total: Value = { is: 'number', cases: new Map([[0, yes]]) };
    for (const { isPresent, value } of items) {
      const one: Value = name === 'size' ? { is: 'number', cases: new Map([[1, yes]]) } : value;
      if (one.is !== 'number' || total.is !== 'number') return unknown;
      const cases = new Map<number, Formula>([[0, this.#formulas.not(isPresent)]]);
      for (const [number, when] of one.cases)
        this.#add(cases, number, this.#formulas.every([when, isPresent]));
      total = this.#sum(total.cases, cases, 1);
    }
    return total;
  }
}

function condition(holds: Formula): Value {
  return { is: 'condition', holds };
}

function numberOf(cases: Cases): Value {
  return cases.size > maxCases ? unknown : { is: 'number', cases };
}

/**
 * Returns the name of a property as CEL rules spell it.
 * @see https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-expression
 */
function unescaped(field: string): string {
  return field.replaceAll(
    /__(underscores|dot|dash|slash)__|^__([a-z]+)__$/g,
    (_, sign: string | undefined, keyword: string) =>
      sign === undefined ? keyword : (signs.get(sign) ?? ''),
  );
}

const signs: ReadonlyMap<string, string> = new Map([
  ['underscores', '__'],
  ['dot', '.'],
  ['dash', '-'],
  ['slash', '/'],
]);
