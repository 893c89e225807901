/** Evaluation of checked expressions with the costs of cel-go's interpreter. */
import type { Checked } from '../check/checker.ts';
import { typeNames } from '../check/type-names.ts';
import { costOfCall } from '../cost/calls.ts';
import { createListCost, createMapCost, createStructCost } from '../cost/costs.ts';
import type { Functions, Overload } from '../environment.ts';
import type { CallExpr, ComprehensionExpr, Expr } from '../syntax/ast.ts';
import { isEqual } from '../values/equality.ts';
import {
  CelList,
  CelMap,
  CelObject,
  CostLimitError,
  celList,
  EvaluationError,
  isMapKey,
  type MapKey,
  noSuchOverload,
  Optional,
  TypeValue,
  typeNameOf,
  type Value,
} from '../values/value.ts';
import { matchesOverload } from './dispatch.ts';
import {
  attempt,
  attribute,
  bound,
  type Code,
  charge,
  constant,
  logical,
  notStrictlyFalse,
  type Plan,
  readScope,
} from './plans.ts';
import { present, qualify, readField } from './qualify.ts';

/** Result of an evaluation with its cost. */
export interface Evaluation {
  readonly result: Value | Error;
  readonly cost: number;
}

/** Evaluates an expression for variables. */
export type Program = (variables: (name: string) => Value | undefined, limit?: number) => Evaluation;

/** The largest cost of one evaluation. */
export const callLimit = 1_000_000;

/** Compiles a checked expression. */
export function compileProgram(checked: Checked, functions: Functions): Program {
  const { run } = new Planner(checked, functions).plan(checked.expr);
  return (variables, limit = callLimit) => {
    const frame = { variables, limit, cost: 0 };
    try {
      return { result: run(frame, undefined), cost: frame.cost };
    } catch (error) {
      if (error instanceof EvaluationError || error instanceof CostLimitError)
        return { result: error, cost: frame.cost };
      throw error;
    }
  };
}

class Planner {
  readonly #checked: Checked;
  readonly #functions: Functions;

  constructor(checked: Checked, functions: Functions) {
    this.#checked = checked;
    this.#functions = functions;
  }

  plan(expr: Expr): Plan {
    switch (expr.kind) {
      case 'literal':
        return constant(expr.value);
      case 'ident':
        return this.#ident(expr, this.#checked.references.get(expr) ?? expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return this.#struct(expr);
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #ident(expr: Expr, name: string): Plan {
    if (typeNames.has(name) && this.#checked.types.get(expr)?.kind === 'type')
      return constant(new TypeValue(name));
    return attribute((frame, scope) => {
      for (let local = scope; local !== undefined; local = local.parent)
        if (local.name === name) return readScope(local);
      const value = frame.variables(name);
      if (value !== undefined) return value;
      throw new EvaluationError(`no such attribute(s): ${name}`);
    });
  }

  #select(expr: Extract<Expr, { readonly kind: 'select' }>): Plan {
    const reference = this.#checked.references.get(expr);
    if (reference !== undefined) return this.#ident(expr, reference);
    const base = this.plan(expr.operand);
    const operand = this.#asAttribute(base);
    const { field } = expr;
    if (expr.isTest)
      return {
        run: (frame, scope) => {
          charge(frame, 1);
          return present(operand(frame, scope), field);
        },
      };
    return attribute((frame, scope) => {
      const value = operand(frame, scope);
      charge(frame, 1);
      return readField(value, field);
    }, base.isConditional);
  }

  /**
   * Returns the value of an operand of a selection: the cost of reading a variable is added by the selection.
   */
  #asAttribute(plan: Plan): Code {
    return plan.attribute ?? plan.run;
  }

  #call(expr: CallExpr): Plan {
    const name = this.#checked.functions.get(expr) ?? expr.name.replace(/^\./, '');
    const isQualified = this.#checked.functions.has(expr);
    const operands = expr.target === undefined || isQualified ? expr.args : [expr.target, ...expr.args];
    const plans = operands.map((operand) => this.plan(operand));
    switch (name) {
      case '_&&_':
        return logical(plans, false);
      case '_||_':
        return logical(plans, true);
      case '_?_:_':
        return this.#conditional(plans);
      case '_[_]':
      case '_[?_]':
      case '_?._':
        return this.#index(plans, name !== '_[_]');
      case '@not_strictly_false':
        return notStrictlyFalse(plans);
      case 'or':
      case 'orValue':
        return this.#optionalOr(plans, name === 'or');
      default:
        return this.#function(expr, name, plans);
    }
  }

  #conditional(plans: readonly Plan[]): Plan {
    const [test, truthy, falsy] = plans.map((plan) => plan);
    if (test === undefined || truthy === undefined || falsy === undefined) throw noSuchOverload();
    const left = truthy.attribute ?? truthy.run;
    const right = falsy.attribute ?? falsy.run;
    const run: Code = (frame, scope) => {
      const result = test.run(frame, scope);
      if (typeof result !== 'boolean') throw noSuchOverload();
      return result ? left(frame, scope) : right(frame, scope);
    };
    return { run, attribute: run, isConditional: true };
  }

  #index(plans: readonly Plan[], isOptional: boolean): Plan {
    const [operand, key] = plans;
    if (operand === undefined || key === undefined) throw noSuchOverload();
    const target = this.#asAttribute(operand);
    return attribute((frame, scope) => {
      const value = target(frame, scope);
      const index = key.run(frame, scope);
      const result = qualify(value, index, isOptional);
      const isFound = !(isOptional && result instanceof Optional && result.value === undefined);
      if (key.attribute === undefined && isFound) charge(frame, 1);
      return result;
    }, operand.isConditional);
  }

  #optionalOr(plans: readonly Plan[], isOptional: boolean): Plan {
    const [left, right] = plans;
    if (left === undefined || right === undefined) throw noSuchOverload();
    return {
      run: (frame, scope) => {
        const value = left.run(frame, scope);
        if (!(value instanceof Optional)) return value;
        if (value.value === undefined) return right.run(frame, scope);
        return isOptional ? value : value.value;
      },
    };
  }

  #function(expr: CallExpr, name: string, plans: readonly Plan[]): Plan {
    const candidates = this.#checked.overloads.get(expr) ?? this.#functions.get(name) ?? [];
    const only = candidates.length === 1 ? candidates[0] : undefined;
    const folded = this.#folded(name, only, plans);
    if (folded !== undefined) return folded;
    return {
      run: (frame, scope) => {
        const given = plans.map((plan) => attempt(() => plan.run(frame, scope)));
        const failure = given.find((value) => value instanceof EvaluationError);
        const args = given.map((value) => (value instanceof EvaluationError ? null : value));
        const result = failure ?? attempt(() => call(name, candidates, args));
        if (result instanceof EvaluationError) {
          charge(frame, costOfFailure(name, only, args));
          throw result;
        }
        charge(
          frame,
          only?.cost?.(args, result) ?? costOfCall(name, only?.id ?? fixedId(name), args, result),
        );
        return result;
      },
    };
  }

  /** Evaluates conversions of constants once, and membership in a constant list without a cost. */
  #folded(name: string, only: Overload | undefined, plans: readonly Plan[]): Plan | undefined {
    const [first, second] = plans;
    if (conversions.has(name) && plans.length === 1 && first?.constant !== undefined) {
      return constant(call(name, only === undefined ? [] : [only], [first.constant.value]));
    }
    const list = only?.id === 'in_list' ? second?.constant?.value : undefined;
    if (first === undefined || !(list instanceof CelList) || !list.items.every(isScalar)) return undefined;
    if (list.items.length === 0) return constant(false);
    return {
      run: (frame, scope) => {
        const value = first.run(frame, scope);
        return list.items.some((item) => isEqual(item, value));
      },
    };
  }

  #list(expr: Extract<Expr, { readonly kind: 'list' }>): Plan {
    const plans = expr.elements.map((element) => this.plan(element));
    const build = (values: readonly Value[]): CelList =>
      celList(values.flatMap((value, index) => (expr.optionals.has(index) ? unwrapped(value) : [value])));
    if (plans.every((plan) => plan.constant !== undefined))
      return constant(build(plans.map((plan) => plan.constant?.value ?? null)));
    return {
      run: (frame, scope) => {
        const values = plans.map((plan) => plan.run(frame, scope));
        charge(frame, createListCost);
        return build(values);
      },
    };
  }

  #map(expr: Extract<Expr, { readonly kind: 'map' }>): Plan {
    const plans = expr.entries.map(({ key, value, isOptional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      isOptional,
    }));
    const build = (read: (plan: Plan) => Value): CelMap =>
      new CelMap(
        plans.flatMap(({ key, value, isOptional }): [MapKey, Value][] => {
          const name = read(key);
          const item = read(value);
          if (!isMapKey(name)) throw new EvaluationError('unsupported key type');
          return isOptional ? unwrapped(item).map((inner) => [name, inner]) : [[name, item]];
        }),
      );
    if (plans.every(({ key, value }) => key.constant !== undefined && value.constant !== undefined))
      return constant(build((plan) => plan.constant?.value ?? null));
    return {
      run: (frame, scope) => {
        const result = build((plan) => plan.run(frame, scope));
        charge(frame, createMapCost);
        return result;
      },
    };
  }

  #struct(expr: Extract<Expr, { readonly kind: 'struct' }>): Plan {
    const plans = expr.fields.map(({ name, value, isOptional }) => ({
      name,
      isOptional,
      plan: this.plan(value),
    }));
    return {
      run: (frame, scope) => {
        const fields = new Map(
          plans.flatMap(({ name, isOptional, plan }) => {
            const value = plan.run(frame, scope);
            return (isOptional ? unwrapped(value) : [value]).map((item): [string, Value] => [name, item]);
          }),
        );
        charge(frame, createStructCost);
        return new CelObject(
          expr.typeName,
          () => [...fields.keys()],
          (name) => fields.get(name),
        );
      },
    };
  }

  #comprehension(expr: ComprehensionExpr): Plan {
    const range = this.plan(expr.range);
    const init = this.plan(expr.accuInit);
    const condition = this.plan(expr.condition);
    const step = this.plan(expr.step);
    const result = this.plan(expr.result);
    const run: Code = (frame, outer) => {
      const items = elementsOf(range.run(frame, outer), expr.iterVar2 !== undefined);
      let accu: Value | EvaluationError = init.run(frame, outer);
      for (const [first, second] of items) {
        const inner = bound(expr.accuVar, accu, outer);
        const one = bound(expr.iterVar, first, inner);
        const scope = expr.iterVar2 === undefined ? one : bound(expr.iterVar2, second, one);
        if (condition.run(frame, scope) === false) break;
        accu = attempt(() => step.run(frame, scope));
      }
      return result.run(frame, bound(expr.accuVar, accu, outer));
    };
    return { run };
  }
}

function call(name: string, candidates: readonly Overload[], args: readonly Value[]): Value {
  const found = candidates.find(
    (candidate) => candidate.call !== undefined && matchesOverload(candidate, args),
  );
  if (found?.call !== undefined) return found.call(args);
  if (/^[@_!-]/.test(name)) throw noSuchOverload();
  throw new EvaluationError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
}

/** A call costs something although it fails. */
function costOfFailure(name: string, only: Overload | undefined, args: readonly Value[]): number {
  if (only?.cost !== undefined) return 1;
  return costOfCall(name, only?.id ?? fixedId(name), args, null);
}

/** Operators that have one cost for all types. */
function fixedId(name: string): string {
  return name === '_==_' ? 'equals' : name === '_!=_' ? 'not_equals' : '';
}

const conversions: ReadonlySet<string> = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'bytes',
  'string',
  'timestamp',
  'duration',
  'type',
  'dyn',
]);

function isScalar(value: Value): boolean {
  return value !== null && typeof value !== 'object';
}

function unwrapped(value: Value): readonly Value[] {
  if (!(value instanceof Optional))
    throw new EvaluationError('cannot initialize optional entry from non-optional value');
  return value.value === undefined ? [] : [value.value];
}

/** Returns the elements of a range: an index or key with its value, or the element twice. */
function elementsOf(range: Value, isPair: boolean): Iterable<readonly [Value, Value]> {
  if (range instanceof CelList)
    return range.items.map((item, index) => [isPair ? BigInt(index) : item, item]);
  if (range instanceof CelMap) return range.entries.values();
  if (range instanceof CelObject)
    return range.names().map((name): [Value, Value] => [name, range.get(name) ?? null]);
  throw noSuchOverload();
}
