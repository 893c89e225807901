import type { Environment, Overload } from '../environment.ts';
import type {
  CallExpr,
  ComprehensionExpr,
  Expr,
  ListExpr,
  MapExpr,
  SelectExpr,
  StructExpr,
} from '../syntax/ast.ts';
import { CompileError, type Issue } from '../syntax/issues.ts';
import { literalType } from './literal-type.ts';
import { typeNames } from './type-names.ts';
import {
  assignAll,
  bool,
  dyn,
  errorType,
  int,
  isDynamic,
  isOptional,
  isSameType,
  listOf,
  mapOf,
  mostGeneral,
  optionalOf,
  param,
  printType,
  type Substitutions,
  substitute,
  type Type,
  typeOfType,
  unwrapOptional,
} from './types.ts';

/** Results of a check per node. */
export interface Checked {
  readonly expr: Expr;
  readonly source: string;
  readonly types: ReadonlyMap<Expr, Type>;
  /** Overloads that a call may use: several if arguments are dynamic. */
  readonly overloads: ReadonlyMap<Expr, readonly Overload[]>;
  /** Names of variables and types to which identifiers and selections refer. */
  readonly references: ReadonlyMap<Expr, string>;
  /** Qualified names of functions whose target is a part of their name, such as `ip.isCanonical`. */
  readonly functions: ReadonlyMap<Expr, string>;
}

/**
 * Checks the types of an expression.
 * @throws {CompileError} with all violations
 */
export function check(source: string, expr: Expr, environment: Environment): Checked {
  const checker = new Checker(environment);
  checker.check(expr);
  if (checker.issues.length > 0) throw new CompileError(source, checker.issues);
  return checker.result(source, expr);
}

class Checker {
  readonly issues: Issue[] = [];
  readonly #environment: Environment;
  readonly #types = new Map<Expr, Type>();
  readonly #overloads = new Map<Expr, readonly Overload[]>();
  readonly #references = new Map<Expr, string>();
  readonly #functions = new Map<Expr, string>();
  #scopes: readonly ReadonlyMap<string, Type>[];
  #subs: Substitutions = new Map();
  #variables = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#scopes = [environment.variables];
  }

  result(source: string, expr: Expr): Checked {
    const types = new Map([...this.#types].map(([node, type]) => [node, substitute(this.#subs, type, true)]));
    return {
      expr,
      source,
      types,
      overloads: this.#overloads,
      references: this.#references,
      functions: this.#functions,
    };
  }

  check(expr: Expr): Type {
    const type = this.#typeOf(expr);
    this.#types.set(expr, type);
    return type;
  }

  #typeOf(expr: Expr): Type {
    switch (expr.kind) {
      case 'literal':
        return literalType(expr.value);
      case 'ident':
        return this.#identType(expr, expr.name) ?? this.#undeclared(expr, expr.name);
      case 'select':
        return this.#selectType(expr);
      case 'call':
        return this.#callType(expr);
      case 'list':
        return this.#listType(expr);
      case 'map':
        return this.#mapType(expr);
      case 'struct':
        return this.#structType(expr);
      case 'comprehension':
        return this.#comprehensionType(expr);
    }
  }

  #report(at: number, message: string): Type {
    this.issues.push({ at, message });
    return errorType;
  }

  #undeclared(expr: Expr, name: string): Type {
    return this.#report(expr.at, `undeclared reference to '${name}' (in container '')`);
  }

  #identType(expr: Expr, name: string): Type | undefined {
    const isRooted = name.startsWith('.');
    const plain = isRooted ? name.slice(1) : name;
    const scopes = isRooted ? this.#scopes.slice(0, 1) : this.#scopes.toReversed();
    const found = scopes.map((scope) => scope.get(plain)).find((type) => type !== undefined);
    const type = found ?? this.#typeIdent(plain);
    if (type !== undefined) this.#references.set(expr, plain);
    return type;
  }

  #typeIdent(name: string): Type | undefined {
    const named = typeNames.get(name);
    return named === undefined ? undefined : typeOfType(named);
  }

  #selectType(expr: SelectExpr): Type {
    const qualified = expr.isTest ? undefined : qualifiedName(expr);
    const ident = qualified === undefined ? undefined : this.#identType(expr, qualified);
    if (ident !== undefined) return ident;
    const type = this.#fieldType(expr, expr.operand, expr.field, false);
    return expr.isTest ? bool : type;
  }

  #fieldType(expr: Expr, operand: Expr, field: string, isOptionalField: boolean): Type {
    const operandType = substitute(this.#subs, this.check(operand), false);
    const result = this.#memberType(expr, unwrapOptional(operandType), field);
    const type = isOptional(operandType) || isOptionalField ? optionalOf(result) : result;
    return substitute(this.#subs, type, false);
  }

  #memberType(expr: Expr, target: Type, field: string): Type {
    if (target.kind === 'map') return target.params[1] ?? dyn;
    if (target.kind === 'struct') return this.#structField(expr.at, target.name, field);
    if (target.kind === 'param') this.#assign(dyn, target);
    else if (!isDynamic(target))
      this.#report(expr.at, `type '${printType(target)}' does not support field selection`);
    return dyn;
  }

  #structField(at: number, typeName: string, field: string): Type {
    const fields = this.#environment.structs.get(typeName);
    if (fields === undefined) return this.#report(at, `unexpected failed resolution of '${typeName}'`);
    return fields.get(field) ?? this.#report(at, `undefined field '${field}'`);
  }

  #callType(expr: CallExpr): Type {
    if (expr.name === '_?._') return this.#optionalSelectType(expr);
    const args = expr.args.map((arg) => this.check(arg));
    const { target } = expr;
    if (target === undefined) return this.#resolve(expr, expr.name.replace(/^\./, ''), undefined, args);
    const prefix = qualifiedName(target);
    const qualified = `${prefix}.${expr.name}`;
    if (prefix !== undefined && this.#environment.functions.has(qualified)) {
      this.#functions.set(expr, qualified);
      return this.#resolve(expr, qualified, undefined, args);
    }
    return this.#resolve(expr, expr.name, this.check(target), args);
  }

  #optionalSelectType(expr: CallExpr): Type {
    const [operand, field] = expr.args;
    if (operand === undefined || field?.kind !== 'literal' || typeof field.value !== 'string')
      return errorType;
    return this.#fieldType(expr, operand, field.value, true);
  }

  #resolve(expr: CallExpr, name: string, target: Type | undefined, args: readonly Type[]): Type {
    const declared = this.#environment.functions.get(name);
    if (declared === undefined) return this.#undeclared(expr, expr.name);
    const given = target === undefined ? args : [target, ...args];
    if (name === '_&&_' || name === '_||_') return this.#logicalType(expr, declared, args);
    const found: Overload[] = [];
    let result: Type | undefined;
    for (const overload of declared) {
      if (overload.isMember !== (target !== undefined)) continue;
      const type = this.#overloadType(overload, given);
      if (type === undefined) continue;
      found.push(overload);
      if (result === undefined) result = type;
      else if (result.kind !== 'dyn' && !isSameType(result, type)) result = dyn;
    }
    this.#overloads.set(expr, found);
    return result ?? this.#noOverload(expr, name, given, target !== undefined);
  }

  #logicalType(expr: CallExpr, declared: readonly Overload[], args: readonly Type[]): Type {
    this.#overloads.set(expr, declared);
    const wrong = args.map((type, index) => {
      if (this.#assign(type, bool)) return false;
      this.#mismatch(expr.args[index] ?? expr, bool, type);
      return true;
    });
    return wrong.includes(true) ? errorType : bool;
  }

  #overloadType(overload: Overload, given: readonly Type[]): Type | undefined {
    const fresh = new Map<string, Type>();
    const renew = (type: Type): Type => {
      if (type.kind !== 'param')
        return type.params.length === 0 ? type : { ...type, params: type.params.map(renew) };
      const known = fresh.get(type.name) ?? this.#newVariable();
      fresh.set(type.name, known);
      return known;
    };
    const result = renew(overload.result);
    const subs = assignAll(this.#subs, given, overload.args.map(renew));
    if (subs === undefined) return undefined;
    this.#subs = subs;
    return substitute(subs, result, false);
  }

  #noOverload(expr: Expr, name: string, given: readonly Type[], isMember: boolean): Type {
    const [first, ...rest] = given.map((type) => printType(substitute(this.#subs, type, true)));
    const signature = isMember ? `${first}.(${rest.join(', ')})` : `(${[first, ...rest].join(', ')})`;
    return this.#report(expr.at, `found no matching overload for '${name}' applied to '${signature}'`);
  }

  #listType(expr: ListExpr): Type {
    const element = expr.elements.reduce<Type | undefined>((joined, item, index) => {
      const type = this.check(item);
      return this.#join(joined, expr.optionals.has(index) ? this.#unwrap(item, type) : type);
    }, undefined);
    return listOf(element ?? this.#newVariable());
  }

  #mapType(expr: MapExpr): Type {
    let [key, value]: (Type | undefined)[] = [];
    for (const entry of expr.entries) {
      key = this.#join(key, this.check(entry.key));
      const type = this.check(entry.value);
      value = this.#join(value, entry.isOptional ? this.#unwrap(entry.value, type) : type);
    }
    return mapOf(key ?? this.#newVariable(), value ?? this.#newVariable());
  }

  #unwrap(expr: Expr, type: Type): Type {
    if (!isOptional(type) && type.kind !== 'dyn') this.#mismatch(expr, optionalOf(type), type);
    return unwrapOptional(type);
  }

  /** Returns the common type of elements. */
  #join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    if (this.#assign(previous, current)) return mostGeneral(previous, current);
    // A later check reports lists and maps of several types, except arguments of format.
    return dyn;
  }

  #structType(expr: StructExpr): Type {
    const name = expr.typeName.replace(/^\./, '');
    const fields = this.#environment.structs.get(name);
    if (fields === undefined) return this.#undeclared(expr, expr.typeName);
    for (const field of expr.fields) {
      const given = this.check(field.value);
      const type = field.isOptional ? this.#unwrap(field.value, given) : given;
      const expected = this.#structField(field.at, name, field.name);
      if (this.#assign(expected, type)) continue;
      this.#report(
        field.at,
        `expected type of field '${field.name}' is '${printType(expected)}' but provided type is '${printType(type)}'`,
      );
    }
    return { kind: 'struct', name, params: [] };
  }

  #comprehensionType(expr: ComprehensionExpr): Type {
    const range = substitute(this.#subs, this.check(expr.range), false);
    const accuType = this.check(expr.accuInit);
    const outer = this.#scopes;
    this.#scopes = [...outer, new Map([[expr.accuVar, accuType]])];
    const inner = this.#scopes;
    this.#scopes = [...inner, this.#loopVariables(expr, range)];
    this.#expect(expr.condition, bool);
    this.#expect(expr.step, accuType);
    this.#scopes = inner;
    const result = this.check(expr.result);
    this.#scopes = outer;
    return substitute(this.#subs, result, false);
  }

  #loopVariables(expr: ComprehensionExpr, range: Type): ReadonlyMap<string, Type> {
    const [first, second] = this.#rangeTypes(expr, range);
    if (expr.iterVar2 === undefined) return new Map([[expr.iterVar, range.kind === 'list' ? second : first]]);
    return new Map([
      [expr.iterVar, first],
      [expr.iterVar2, second],
    ]);
  }

  /** Returns the types of the index or key, and of the value. */
  #rangeTypes(expr: ComprehensionExpr, range: Type): readonly [Type, Type] {
    switch (range.kind) {
      case 'list':
        return [int, range.params[0] ?? dyn];
      case 'map':
        return [range.params[0] ?? dyn, range.params[1] ?? dyn];
      case 'dyn':
      case 'error':
      case 'param':
        this.#assign(dyn, range);
        return [dyn, dyn];
      default: {
        const message = `expression of type '${printType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
        return [this.#report(expr.range.at, message), errorType];
      }
    }
  }

  #expect(expr: Expr, expected: Type): void {
    const type = this.check(expr);
    if (!this.#assign(expected, type)) this.#mismatch(expr, expected, type);
  }

  #mismatch(expr: Expr, expected: Type, given: Type): Type {
    return this.#report(expr.at, `expected type '${printType(expected)}' but found '${printType(given)}'`);
  }

  #assign(from: Type, to: Type): boolean {
    const subs = assignAll(this.#subs, [from], [to]);
    if (subs !== undefined) this.#subs = subs;
    return subs !== undefined;
  }

  #newVariable(): Type {
    this.#variables += 1;
    return param(`_var${this.#variables - 1}`);
  }
}

/** Returns `a.b.c` for a chain of selections on an identifier. */
function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.isTest) return undefined;
  const operand = qualifiedName(expr.operand);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}
