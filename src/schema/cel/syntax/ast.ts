/** Abstract syntax tree of CEL, in the form of cel-go: macros are expanded to comprehensions. */
import type { Value } from '../values/value.ts';

/** A literal, an identifier, or an operation on other expressions. `at` is the offset of its token. */
export type Expr =
  | LiteralExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr;

/** A constant. */
export interface LiteralExpr {
  readonly kind: 'literal';
  readonly at: number;
  readonly value: Value;
}

/** A name. A leading dot refers to the root scope. */
export interface IdentExpr {
  readonly kind: 'ident';
  readonly at: number;
  readonly name: string;
}

/** `operand.field`, or its presence test `has(operand.field)`. */
export interface SelectExpr {
  readonly kind: 'select';
  readonly at: number;
  readonly operand: Expr;
  readonly field: string;
  readonly isTest: boolean;
}

/** A call of a function or operator, on a target or without one. */
export interface CallExpr {
  readonly kind: 'call';
  readonly at: number;
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

/** A list. Elements whose index is in `optionals` are optional values. */
export interface ListExpr {
  readonly kind: 'list';
  readonly at: number;
  readonly elements: readonly Expr[];
  readonly optionals: ReadonlySet<number>;
}

/** An entry of a map. The value of an optional entry is an optional value. */
export interface MapEntry {
  readonly at: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly isOptional: boolean;
}

/** A map. */
export interface MapExpr {
  readonly kind: 'map';
  readonly at: number;
  readonly entries: readonly MapEntry[];
}

/** A field of a constructed object. */
export interface StructField {
  readonly at: number;
  readonly name: string;
  readonly value: Expr;
  readonly isOptional: boolean;
}

/** An object of a named type. */
export interface StructExpr {
  readonly kind: 'struct';
  readonly at: number;
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

/** A loop that folds a list or map into an accumulator. */
export interface ComprehensionExpr {
  readonly kind: 'comprehension';
  readonly at: number;
  readonly range: Expr;
  readonly iterVar: string;
  /** The second variable: the value beside an index or key. */
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly accuInit: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** Returns the direct operands of an expression. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.fields.map(({ value }) => value);
    case 'comprehension':
      return [expr.range, expr.accuInit, expr.condition, expr.step, expr.result];
  }
}

/**
 * Returns a copy whose nodes are different objects: results of checks are recorded per node.
 * @param replace returns another expression for a node, or `undefined` to copy it
 */
export function copyOf(expr: Expr, replace: (expr: Expr) => Expr | undefined = () => undefined): Expr {
  const copy = (each: Expr): Expr => copyOf(each, replace);
  const replaced = replace(expr);
  if (replaced !== undefined) return replaced;
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return { ...expr };
    case 'select':
      return { ...expr, operand: copy(expr.operand) };
    case 'call':
      return {
        ...expr,
        target: expr.target === undefined ? undefined : copy(expr.target),
        args: expr.args.map(copy),
      };
    case 'list':
      return { ...expr, elements: expr.elements.map(copy) };
    case 'map':
      return {
        ...expr,
        entries: expr.entries.map((entry) => ({
          ...entry,
          key: copy(entry.key),
          value: copy(entry.value),
        })),
      };
    case 'struct':
      return { ...expr, fields: expr.fields.map((field) => ({ ...field, value: copy(field.value) })) };
    case 'comprehension':
      return {
        ...expr,
        range: copy(expr.range),
        accuInit: copy(expr.accuInit),
        condition: copy(expr.condition),
        step: copy(expr.step),
        result: copy(expr.result),
      };
  }
}
