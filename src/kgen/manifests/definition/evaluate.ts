/**
 * Evaluates the value that an author passes to `api`, without running it: literals, constants, and operators
 * that combine them.
 */

import type { JsonPath } from '@kgen/schema/rules/places';
import type { Json } from '@kgen/schema/values/json';
import type { ts } from 'ts-morph';
import { append, error, type InputProblem, type SourcePlace } from '../../common/problems.ts';
import type { Compiler } from '../declare/compiler.ts';
import type { NoteReader } from '../declare/notes.ts';
import { Places } from '../schema/places.ts';

/** A version within the value: `version<T>()(facts)`. */
export interface VersionCall {
  /** Absent if a schema has the type, or if the author has not named one, which is a problem. */
  readonly type?: ts.TypeNode;
  /** Place of a call with a schema as its argument: `version(schema)`. */
  readonly schema?: SourcePlace;
  readonly facts: Json;
}

/** An evaluated value. */
export interface Evaluated {
  readonly value: Json;
  /** Calls of `version` by the path of the value that they replace. */
  readonly versions: ReadonlyMap<string, VersionCall>;
  readonly places: Places;
  readonly problems: readonly InputProblem[];
}

/**
 * Evaluates an expression.
 * @param omitted members of the object that have no value, such as functions
 */
export function evaluate(
  node: ts.Expression,
  compiler: Compiler,
  notes: NoteReader,
  omitted: readonly string[] = [],
): Evaluated {
  const evaluation = new Evaluation(compiler, notes, omitted);
  const value = evaluation.value(node, []) ?? null;
  const { versions, places, problems } = evaluation;
  return { value, versions, places, problems };
}

/** Key of a path in `versions`. */
export function pathKey(path: JsonPath): string {
  return JSON.stringify(path);
}

/** Maximum number of constants that are followed. */
const maxDepth = 100;

class Evaluation {
  readonly versions = new Map<string, VersionCall>();
  readonly places = new Places();
  readonly problems: InputProblem[] = [];
  readonly #compiler: Compiler;
  readonly #notes: NoteReader;
  readonly #omitted: readonly string[];
  #depth = 0;

  constructor(compiler: Compiler, notes: NoteReader, omitted: readonly string[]) {
    this.#compiler = compiler;
    this.#notes = notes;
    this.#omitted = omitted;
  }

  /** Returns the value of an expression; `undefined` for `undefined` and for values with a problem. */
  value(node: ts.Expression, path: JsonPath): Json | undefined {
    const { syntax } = this.#compiler;
    this.places.set(path, this.#notes.placeOf(node));
    if (
      syntax.isParenthesizedExpression(node) ||
      syntax.isAsExpression(node) ||
      syntax.isSatisfiesExpression(node)
    )
      return this.value(node.expression, path);
    if (syntax.isStringLiteral(node) || syntax.isNoSubstitutionTemplateLiteral(node)) return node.text;
    if (syntax.isNumericLiteral(node)) return Number(node.text);
    if (syntax.isPrefixUnaryExpression(node)) return this.#negated(node, path);
    if (syntax.isObjectLiteralExpression(node)) return this.#object(node, path);
    if (syntax.isArrayLiteralExpression(node))
      return node.elements.map((element, index) => this.value(element, [...path, index]) ?? null);
    if (syntax.isTemplateExpression(node)) return this.#template(node, path);
    if (syntax.isIdentifier(node)) return this.#identifier(node, path);
    if (syntax.isPropertyAccessExpression(node)) return this.#member(node, path);
    if (syntax.isCallExpression(node)) return this.#call(node, path);
    const text = this.#text(node);
    const constant = new Map<string, Json>([
      ['true', true],
      ['false', false],
      ['null', null],
    ]).get(text);
    return constant === undefined ? this.#fault(node) : constant;
  }

  #text(node: ts.Node): string {
    const { file, start } = this.#compiler.placeOf(node);
    return this.#compiler.textOf(file).slice(start, node.end);
  }

  #fault(node: ts.Node): undefined {
    const problem =
      'is computed, and kgen does not run this module: write a literal, or a constant that is one';
    this.problems.push(error(problem, this.#notes.placeOf(node)));
    return undefined;
  }

  #negated({ operand, ...node }: ts.PrefixUnaryExpression, path: JsonPath): Json | undefined {
    const value = this.value(operand, path);
    if (typeof value === 'number') return -value;
    return this.#fault({ ...node, operand } as ts.PrefixUnaryExpression); // seam: the same node
  }

  #object(node: ts.ObjectLiteralExpression, path: JsonPath): Json {
    const { syntax } = this.#compiler;
    const entries: [string, Json][] = [];
    for (const property of node.properties) {
      if (syntax.isSpreadAssignment(property)) {
        const value = this.value(property.expression, path);
        if (typeof value === 'object' && value !== null && !Array.isArray(value))
          append(entries, Object.entries(value));
        continue;
      }
      const name = property.name === undefined ? undefined : this.#name(property.name);
      if (path.length === 0 && name !== undefined && this.#omitted.includes(name)) continue;
      const initializer = syntax.isPropertyAssignment(property)
        ? property.initializer
        : syntax.isShorthandPropertyAssignment(property)
          ? property.name
          : undefined;
      if (name === undefined || initializer === undefined) {
        this.#fault(property);
        continue;
      }
      const value = this.value(initializer, [...path, name]);
      if (value !== undefined) entries.push([name, value]);
    }
    this.places.set(path, this.#notes.placeOf(node));
    return Object.fromEntries(entries);
  }

  #name(node: ts.PropertyName): string | undefined {
    const { syntax } = this.#compiler;
    if (syntax.isIdentifier(node) || syntax.isStringLiteral(node) || syntax.isNumericLiteral(node))
      return node.text;
    return undefined;
  }

  #template(node: ts.TemplateExpression, path: JsonPath): Json | undefined {
    let text = node.head.text;
    for (const { expression, literal } of node.templateSpans) {
      const value = this.value(expression, path);
      if (typeof value !== 'string' && typeof value !== 'number') return this.#fault(expression);
      text += String(value) + literal.text;
    }
    return text;
  }

  #identifier(node: ts.Identifier, path: JsonPath): Json | undefined {
    if (node.text === 'undefined') return undefined;
    const symbol = this.#compiler.symbolAt(node);
    const [declaration] = symbol === undefined ? [] : this.#compiler.declarationsOf(symbol);
    const isConstant = declaration !== undefined && this.#compiler.syntax.isVariableDeclaration(declaration);
    const initializer = isConstant ? declaration.initializer : undefined;
    if (initializer === undefined || this.#depth > maxDepth) return this.#fault(node);
    this.#depth += 1;
    const value = this.value(initializer, path);
    this.#depth -= 1;
    return value;
  }

  #member(node: ts.PropertyAccessExpression, path: JsonPath): Json | undefined {
    const value = this.value(node.expression, path);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.#fault(node);
    return Object.hasOwn(value, node.name.text) ? Reflect.get(value, node.name.text) : this.#fault(node);
  }

  /** `version<T>()(facts)` or `version(schema)(facts)`. */
  #call(node: ts.CallExpression, path: JsonPath): Json | undefined {
    const { syntax } = this.#compiler;
    const inner = node.expression;
    if (!syntax.isCallExpression(inner) || !isNamed(inner.expression, 'version', syntax))
      return this.#fault(node);
    const [facts] = node.arguments;
    const value = facts === undefined ? {} : this.value(facts, path);
    const [type] = inner.typeArguments ?? [];
    const schema = inner.arguments.length > 0 ? this.#notes.placeOf(inner) : undefined;
    if (type === undefined && schema === undefined) {
      const problem = 'the version has no type: write version<MyResource>()';
      this.problems.push(error(problem, this.#notes.placeOf(inner)));
    }
    this.versions.set(pathKey(path), {
      facts: value ?? {},
      ...(schema !== undefined ? { schema } : type !== undefined && { type }),
    });
    return value ?? {};
  }
}

/** Returns whether an expression is the name of a function, possibly of a namespace. */
export function isNamed(node: ts.Expression, name: string, syntax: Compiler['syntax']): boolean {
  if (syntax.isIdentifier(node)) return node.text === name;
  return syntax.isPropertyAccessExpression(node) && node.name.text === name;
}
