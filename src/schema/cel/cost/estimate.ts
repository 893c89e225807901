/** Estimation of the largest cost of an expression, as checker/cost.go of cel-go. */
import type { Checked } from '../check/checker.ts';
import { dyn, type Type, unwrapOptional } from '../check/types.ts';
import type { Overload } from '../environment.ts';
import type { CallExpr, ComprehensionExpr, Expr } from '../syntax/ast.ts';
import { accumulator } from '../syntax/macros.ts';
import { codePoints } from '../values/value.ts';
import {
  add,
  anySize,
  type CallEstimate,
  createListCost,
  createMapCost,
  createStructCost,
  type EntrySizes,
  type EstimateSize,
  fixed,
  multiply,
  type Range,
  type SizedNode,
  union,
  unlimited,
} from './costs.ts';
import { estimateFunction } from './functions.ts';
import { estimateStandard } from './standard.ts';

/** A variable of a loop or of an expression, with the estimated sizes. */
interface Local {
  readonly path: readonly string[];
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

/** Returns the estimated cost of an expression. */
export function estimateCost(checked: Checked, estimateSize: EstimateSize): Range {
  return new Estimator(checked, estimateSize).cost(checked.expr);
}

/** The state of an estimation, which the rules of standard functions use. */
export class Estimator {
  readonly #checked: Checked;
  readonly #estimateSize: EstimateSize;
  readonly #paths = new Map<Expr, readonly string[]>();
  readonly #sizes = new Map<Expr, Range>();
  readonly #entries = new Map<Expr, EntrySizes>();
  readonly #locals = new Map<string, readonly Local[]>();

  constructor(checked: Checked, estimateSize: EstimateSize) {
    this.#checked = checked;
    this.#estimateSize = estimateSize;
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'literal':
        return fixed(0);
      case 'ident':
        this.#paths.set(expr, this.#local(expr.name)?.path ?? [expr.name]);
        return fixed(1);
      case 'select':
        return this.#selectCost(expr);
      case 'call':
        return this.#callCost(expr);
      case 'list':
        return this.#listCost(expr);
      case 'map':
        return this.#mapCost(expr);
      case 'struct':
        return add([...expr.fields.map(({ value }) => this.cost(value)), fixed(createStructCost)]);
      case 'comprehension':
        return isBinding(expr) ? this.#bindingCost(expr) : this.#loopCost(expr);
    }
  }

  #typeOf(expr: Expr): Type {
    return this.#checked.types.get(expr) ?? dyn;
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #within<T>(locals: readonly (readonly [name: string, local: Local])[], run: () => T): T {
    for (const [name, local] of locals) this.#locals.set(name, [...(this.#locals.get(name) ?? []), local]);
    const result = run();
    for (const [name] of locals) this.#locals.set(name, (this.#locals.get(name) ?? []).slice(0, -1));
    return result;
  }

  #pathOf(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.#local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr) ?? [];
  }

  #selectCost(expr: Extract<Expr, { readonly kind: 'select' }>): Range {
    if (this.#checked.references.has(expr)) {
      // A qualified name is one identifier.
      this.#paths.set(expr, [this.#checked.references.get(expr) ?? '']);
      return fixed(1);
    }
    const operand = this.cost(expr.operand);
    if (expr.isTest) return operand;
    this.#paths.set(expr, [...this.#pathOf(expr.operand), expr.field]);
    const { kind } = this.#typeOf(expr.operand);
    return ['map', 'struct', 'param'].includes(kind) ? add([operand, fixed(1)]) : operand;
  }

  #callCost(expr: CallExpr): Range {
    if (expr.name === 'dyn') return this.#dynCost(expr);
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const args = expr.args.map((arg) => this.#node(arg));
    const overloads = this.#checked.overloads.get(expr) ?? [];
    const isMember = expr.target !== undefined && !this.#checked.functions.has(expr);
    const targetCost = isMember && expr.target !== undefined ? this.cost(expr.target) : fixed(0);
    const target = isMember && expr.target !== undefined ? this.#node(expr.target) : undefined;
    if (expr.name === '_?._') return add([...argCosts, fixed(1)]);
    if (overloads.length === 0) return fixed(0);
    let cost: Range = { min: unlimited, max: 0 };
    let size: Range | undefined;
    for (const overload of overloads) {
      const estimate = this.#functionCost(expr, overload, target, args, argCosts);
      cost = union(cost, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
      size = this.#indexed(expr, overload.id) ?? size;
      size ??= this.#sizeOf(expr);
    }
    if (size !== undefined) this.#sizes.set(expr, size);
    return add([targetCost, cost]);
  }

  /** Records the path of an element, and returns its size. */
  #indexed(expr: CallExpr, overload: string): Range | undefined {
    const operand = expr.args[0];
    if (operand === undefined || (overload !== 'index_list' && overload !== 'index_map')) return undefined;
    this.#paths.set(expr, [...this.#pathOf(operand), overload === 'index_list' ? '@items' : '@values']);
    return this.#entriesOf(operand)?.value;
  }

  #dynCost(expr: CallExpr): Range {
    const [arg] = expr.args;
    if (arg === undefined) return fixed(1);
    const cost = this.cost(arg);
    this.#copySizes(expr, arg);
    return add([fixed(1), cost]);
  }

  #functionCost(
    expr: CallExpr,
    overload: Overload,
    target: SizedNode | undefined,
    args: readonly SizedNode[],
    argCosts: readonly Range[],
  ): CallEstimate {
    const name = this.#checked.functions.get(expr) ?? expr.name;
    const sizeOf = (node: SizedNode): Range => node.size ?? this.#estimateSize(node) ?? anySize;
    const special =
      overload.estimate?.(sizeOf, target, args) ?? estimateFunction(name, overload.id, sizeOf, target, args);
    if (special !== undefined) return { ...special, cost: add([special.cost, ...argCosts]) };
    return estimateStandard(this, expr, overload.id, target, args, argCosts);
  }

  #listCost(expr: Extract<Expr, { readonly kind: 'list' }>): Range {
    const costs = expr.elements.map((element) => this.cost(element));
    const start: Range = { min: expr.elements.length === 0 ? 0 : unlimited, max: 0 };
    const value = expr.elements.reduce((all, element) => union(all, this.sizeOrUnknown(element)), start);
    this.#entries.set(expr, { isList: true, key: fixed(1), value });
    return add([...costs, fixed(createListCost)]);
  }

  #mapCost(expr: Extract<Expr, { readonly kind: 'map' }>): Range {
    const start: Range = { min: expr.entries.length === 0 ? 0 : unlimited, max: 0 };
    const costs = expr.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]);
    this.#entries.set(expr, {
      isList: false,
      key: expr.entries.reduce((all, { key }) => union(all, this.sizeOrUnknown(key)), start),
      value: expr.entries.reduce((all, { value }) => union(all, this.sizeOrUnknown(value)), start),
    });
    return add([...costs, fixed(createMapCost)]);
  }

  #loopCost(expr: ComprehensionExpr): Range {
    const start = add([this.cost(expr.range), this.cost(expr.accuInit)]);
    return this.#within([[expr.accuVar, this.#boundLocal(expr.accuInit)]], () => {
      const loop = this.#within(this.#loopLocals(expr), () =>
        add([this.cost(expr.condition), this.cost(expr.step)]),
      );
      const result = this.cost(expr.result);
      const count = this.sizeOrUnknown(expr.range);
      this.#setLoopSize(expr, count);
      return add([start, result, multiply(count, loop)]);
    });
  }

  #setLoopSize(expr: ComprehensionExpr, count: Range): void {
    if (expr.accuInit.kind === 'literal') {
      const size = this.#sizeOf(expr.accuInit);
      if (size !== undefined) this.#sizes.set(expr, size);
    } else if (expr.accuInit.kind === 'list' || expr.accuInit.kind === 'map') {
      this.#sizes.set(expr, count);
      const entries = this.#entriesOf(expr.step);
      if (entries !== undefined) this.#entries.set(expr, entries);
    }
  }

  #loopLocals(expr: ComprehensionExpr): readonly (readonly [string, Local])[] {
    const entries = this.#entriesOf(expr.range);
    const isList = entries?.isList ?? this.#typeOf(expr.range).kind === 'list';
    const path = this.#pathOf(expr.range);
    const local = (step: string, size: Range | undefined): Local => ({
      path: [...path, step],
      size,
      entries: undefined,
    });
    const key = local(isList ? '@indices' : '@keys', entries?.key);
    const value = local(isList ? '@items' : '@values', entries?.value);
    if (expr.iterVar2 === undefined) return [[expr.iterVar, isList ? value : key]];
    return [
      [expr.iterVar, key],
      [expr.iterVar2, value],
    ];
  }

  #boundLocal(expr: Expr): Local {
    return { path: this.#pathOf(expr), size: this.#sizeOf(expr), entries: this.#entriesOf(expr) };
  }

  #bindingCost(expr: ComprehensionExpr): Range {
    const start = add([this.cost(expr.range), this.cost(expr.accuInit)]);
    return this.#within([[expr.accuVar, this.#boundLocal(expr.accuInit)]], () => {
      const result = this.cost(expr.result);
      this.#copySizes(expr, expr.result);
      return add([start, result]);
    });
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#sizeOf(from);
    const entries = this.#entriesOf(from);
    if (size !== undefined) this.#sizes.set(to, size);
    if (entries !== undefined) this.#entries.set(to, entries);
  }

  #node(expr: Expr): SizedNode {
    const path = this.#pathOf(expr);
    return {
      expr,
      type: this.#typeOf(expr),
      path: path.length === 0 || path[0] === accumulator ? undefined : path,
      size: this.#sizeOf(expr),
    };
  }

  sizeOrUnknown(expr: Expr | undefined): Range {
    return (expr === undefined ? undefined : this.#sizeOf(expr)) ?? anySize;
  }

  #sizeOf(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr) ?? literalSize(expr);
    if (known !== undefined) return known;
    const type = this.#typeOf(expr);
    const estimated = this.#estimateSize({ path: this.#pathOf(expr), type });
    if (estimated !== undefined) {
      this.#sizes.set(expr, estimated);
      return estimated;
    }
    return typeSize(type) ?? (expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined);
  }

  /** Returns the sizes of the elements of an expression. */
  entriesOf(expr: Expr | undefined): EntrySizes | undefined {
    return expr === undefined ? undefined : this.#entriesOf(expr);
  }

  #entriesOf(expr: Expr): EntrySizes | undefined {
    const local = expr.kind === 'ident' ? this.#local(expr.name) : undefined;
    return this.#entries.get(expr) ?? local?.entries;
  }

  setEntries(expr: Expr, entries: EntrySizes | undefined): void {
    if (entries !== undefined) this.#entries.set(expr, entries);
  }
}

/** Returns whether a loop only binds a name, as optMap does. */
function isBinding({ range, condition, accuVar }: ComprehensionExpr): boolean {
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'literal' &&
    condition.value === false &&
    accuVar !== accumulator
  );
}

function literalSize(expr: Expr): Range | undefined {
  if (expr.kind === 'list') return fixed(expr.elements.length);
  if (expr.kind === 'map') return fixed(expr.entries.length);
  if (expr.kind !== 'literal') return undefined;
  if (typeof expr.value === 'string') return fixed(codePoints(expr.value));
  return fixed(expr.value instanceof Uint8Array ? expr.value.length : 1);
}

function typeSize(type: Type): Range | undefined {
  const scalars = ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'];
  return scalars.includes(unwrapOptional(type).kind) ? fixed(1) : undefined;
}
