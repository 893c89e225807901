import { celUint } from '../values/value.ts';
import type { CallExpr, Expr, MapEntry, StructField } from './ast.ts';
import { CompileError, type Issue } from './issues.ts';
import { type Token, tokenize } from './lexer.ts';
import { type Macro, macroFor } from './macros.ts';
import { isReserved } from './reserved.ts';
import { unquote, unquoteBytes } from './unquote.ts';

/** Maximum nesting of an expression. */
const depthLimit = 250;

const expected =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

const relations: ReadonlySet<string> = new Set(['<', '<=', '>=', '>', '==', '!=', 'in']);

/**
 * Parses an expression and expands its macros.
 * @throws {CompileError} with the position of the problem
 */
export function parseExpression(source: string): Expr {
  const parser = new Parser(source);
  return parser.parse();
}

class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  readonly #issues: Issue[] = [];
  #next = 0;
  #depth = 0;
  /** Whether the next token may also be the end of empty arguments. */
  #mayClose = false;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokenize(source);
  }

  parse(): Expr {
    const expr = this.#expr();
    const token = this.#peek();
    if (token.kind !== 'end') {
      const kind = this.#tokens[this.#next + 1]?.kind === 'end' ? 'extraneous' : 'mismatched';
      throw this.#unexpected(token, kind, '<EOF>');
    }
    if (this.#issues.length > 0) throw new CompileError(this.#source, this.#issues);
    return expr;
  }

  #expr(): Expr {
    this.#depth += 1;
    if (this.#depth > depthLimit)
      throw new CompileError(this.#source, [
        { at: -1, message: `expression recursion limit exceeded: ${depthLimit}` },
      ]);
    const condition = this.#logical('||');
    const token = this.#peek();
    const expr = this.#take('?') ? this.#conditional(condition, token.at) : condition;
    this.#depth -= 1;
    return expr;
  }

  #conditional(condition: Expr, at: number): Expr {
    const truthy = this.#logical('||');
    this.#expect(':');
    return call(at, '_?_:_', [condition, truthy, this.#expr()]);
  }

  /** Parses a chain of `||` or `&&` as a balanced tree. */
  #logical(operator: '||' | '&&'): Expr {
    const operand = (): Expr => (operator === '||' ? this.#logical('&&') : this.#relation());
    const terms = [operand()];
    const positions: number[] = [];
    for (let token = this.#peek(); this.#take(operator); token = this.#peek()) {
      positions.push(token.at);
      terms.push(operand());
    }
    return balanced(`_${operator}_`, terms, positions, 0, positions.length - 1);
  }

  #relation(): Expr {
    let left = this.#sum();
    for (let token = this.#peek(); relations.has(token.text) && isOperator(token); token = this.#peek()) {
      this.#next += 1;
      left = call(token.at, token.text === 'in' ? '@in' : `_${token.text}_`, [left, this.#sum()]);
    }
    return left;
  }

  #sum(): Expr {
    let left = this.#product();
    for (let token = this.#peek(); this.#take('+') || this.#take('-'); token = this.#peek())
      left = call(token.at, `_${token.text}_`, [left, this.#product()]);
    return left;
  }

  #product(): Expr {
    let left = this.#unary();
    for (
      let token = this.#peek();
      this.#take('*') || this.#take('/') || this.#take('%');
      token = this.#peek()
    )
      left = call(token.at, `_${token.text}_`, [left, this.#unary()]);
    return left;
  }

  #unary(): Expr {
    const token = this.#peek();
    if (token.kind !== 'symbol' || (token.text !== '!' && token.text !== '-')) return this.#member();
    let count = 0;
    while (this.#peek().text === token.text && this.#tokens[this.#next + 1]?.kind !== 'end') {
      const following = this.#tokens[this.#next + 1];
      if (token.text === '-' && count % 2 === 0 && isNumber(following)) break;
      this.#next += 1;
      count += 1;
    }
    const operand = this.#member();
    return count % 2 === 0 ? operand : call(token.at, `${token.text}_`, [operand]);
  }

  #member(): Expr {
    let expr = this.#primary();
    for (;;) {
      const token = this.#peek();
      if (this.#take('.')) expr = this.#selection(expr, token);
      else if (this.#take('[')) expr = this.#index(expr, token);
      else return expr;
    }
  }

  #selection(operand: Expr, dot: Token): Expr {
    const isOptional = this.#take('?');
    const name = this.#fieldName(dot);
    if (isOptional) {
      const field: Expr = { kind: 'literal', at: name.at, value: name.text };
      return call(dot.at, '_?._', [operand, field]);
    }
    const open = this.#peek();
    if (name.kind === 'escaped' || !this.#take('('))
      return { kind: 'select', at: dot.at, operand, field: name.text, isTest: false };
    return this.#callOrMacro(open.at, name.text, operand, this.#exprs(')'));
  }

  /** @param dot in front of the name of a selection */
  #fieldName(dot?: Token): Token {
    const token = this.#peek();
    if (token.kind === 'escaped') {
      this.#issues.push({ at: token.at, message: "unsupported syntax: '`'" });
    } else if (token.kind !== 'ident' || ['true', 'false', 'null', 'in'].includes(token.text)) {
      const isKeyword = token.kind === 'ident' && token.text !== 'in';
      if (dot === undefined || isKeyword) throw this.#unexpected(token, 'mismatched', 'IDENTIFIER');
      const input = this.#source.slice(dot.at, token.at + (token.kind === 'end' ? 0 : token.text.length));
      const message = `Syntax error: no viable alternative at input '${input}'`;
      throw new CompileError(this.#source, [...this.#issues, { at: token.at, message }]);
    }
    this.#next += 1;
    return token.kind === 'escaped' ? { ...token, text: token.text.slice(1, -1) } : token;
  }

  #index(operand: Expr, bracket: Token): Expr {
    const name = this.#take('?') ? '_[?_]' : '_[_]';
    const index = this.#expr();
    this.#expect(']');
    return call(bracket.at, name, [operand, index]);
  }

  #primary(): Expr {
    const token = this.#peek();
    if (this.#take('(')) {
      const inner = this.#expr();
      this.#expect(')');
      return inner;
    }
    if (this.#take('[')) return this.#list(token.at);
    if (this.#take('{')) return { kind: 'map', at: token.at, entries: this.#mapEntries() };
    if (this.#take('.')) return this.#named(this.#fieldName(token), token);
    if (token.kind === 'ident' && !['true', 'false', 'null', 'in'].includes(token.text)) {
      this.#next += 1;
      return this.#named(token, undefined);
    }
    return this.#literal(token);
  }

  #named(token: Token, dot: Token | undefined): Expr {
    const name = dot === undefined ? token.text : `.${token.text}`;
    const at = dot?.at ?? token.at;
    const open = this.#peek();
    if (this.#isStruct()) return this.#struct(name);
    if (isReserved(token.text)) {
      this.#issues.push({ at, message: `reserved identifier: ${token.text}` });
    }
    if (!this.#take('(')) return { kind: 'ident', at: token.at, name };
    return this.#callOrMacro(open.at, name, undefined, this.#exprs(')'));
  }

  /** Returns whether the tokens are the rest of a type name and the brace of a constructed object. */
  #isStruct(): boolean {
    let at = this.#next;
    while (this.#tokens[at]?.text === '.' && this.#tokens[at + 1]?.kind === 'ident') at += 2;
    return this.#tokens[at]?.text === '{' && this.#tokens[at]?.kind === 'symbol';
  }

  #struct(first: string): Expr {
    let typeName = first;
    while (this.#take('.')) typeName += `.${this.#fieldName().text}`;
    const brace = this.#peek();
    this.#expect('{');
    const fields: StructField[] = [];
    while (!this.#take('}')) {
      const isOptional = this.#take('?');
      const name = this.#fieldName().text;
      const at = this.#peek().at;
      this.#expect(':');
      fields.push({ at, name, value: this.#expr(), isOptional });
      if (!this.#take(',')) {
        this.#expect('}');
        break;
      }
    }
    return { kind: 'struct', at: brace.at, typeName, fields };
  }

  #list(at: number): Expr {
    const elements: Expr[] = [];
    const optionals = new Set<number>();
    while (!this.#take(']')) {
      if (this.#take('?')) optionals.add(elements.length);
      elements.push(this.#expr());
      if (!this.#take(',')) {
        this.#expect(']');
        break;
      }
    }
    return { kind: 'list', at, elements, optionals };
  }

  #mapEntries(): readonly MapEntry[] {
    const entries: MapEntry[] = [];
    while (!this.#take('}')) {
      const isOptional = this.#take('?');
      const key = this.#expr();
      const at = this.#peek().at;
      this.#expect(':');
      entries.push({ at, key, value: this.#expr(), isOptional });
      if (!this.#take(',')) {
        this.#expect('}');
        break;
      }
    }
    return entries;
  }

  #exprs(close: string): readonly Expr[] {
    const args: Expr[] = [];
    if (this.#take(close)) return args;
    this.#mayClose = true;
    do args.push(this.#expr());
    while (this.#take(','));
    this.#expect(close);
    return args;
  }

  #callOrMacro(at: number, name: string, target: Expr | undefined, args: readonly Expr[]): Expr {
    const macro: Macro | undefined = macroFor(name, args.length, target !== undefined);
    if (macro === undefined) return { kind: 'call', at, name, target, args };
    const expanded = macro(at, target, args);
    if ('kind' in expanded) return expanded;
    this.#issues.push(expanded);
    return { kind: 'literal', at, value: null };
  }

  #literal(token: Token): Expr {
    const isNegative = token.text === '-' && isNumber(this.#tokens[this.#next + 1]);
    if (isNegative) this.#next += 1;
    const literal = this.#peek();
    const value = (): Expr => {
      this.#next += 1;
      return { kind: 'literal', at: token.at, value: this.#value(literal, token.at, isNegative ? '-' : '') };
    };
    if (['int', 'uint', 'double', 'string', 'bytes'].includes(literal.kind)) return value();
    if (literal.kind === 'ident' && ['true', 'false', 'null'].includes(literal.text)) return value();
    const desired = this.#mayClose ? expected.replace("'(', ", "'(', ')', ") : expected;
    throw this.#unexpected(literal, 'mismatched', desired);
  }

  #value(
    { kind, text }: Token,
    at: number,
    sign: string,
  ): Extract<Expr, { readonly kind: 'literal' }>['value'] {
    switch (kind) {
      case 'string':
        return unquote(text);
      case 'bytes':
        return unquoteBytes(text);
      case 'double':
        return Number(sign + text);
      case 'uint':
        return celUint(this.#inRange(BigInt(text.slice(0, -1)), 0n, 2n ** 64n - 1n, 'uint', at));
      case 'int': {
        const value = sign === '' ? BigInt(text) : -BigInt(text);
        return this.#inRange(value, -(2n ** 63n), 2n ** 63n - 1n, 'int', at);
      }
      default:
        return text === 'null' ? null : text === 'true';
    }
  }

  #inRange(value: bigint, low: bigint, high: bigint, type: string, at: number): bigint {
    if (value < low || value > high) this.#issues.push({ at, message: `invalid ${type} literal` });
    return value;
  }

  #peek(): Token {
    // The last token is the end, and is never consumed.
    return this.#tokens[this.#next] ?? { kind: 'end', text: '<EOF>', at: this.#source.length };
  }

  #take(symbol: string): boolean {
    const token = this.#peek();
    if (token.kind !== 'symbol' || token.text !== symbol) return false;
    this.#next += 1;
    this.#mayClose = false;
    return true;
  }

  #expect(symbol: string): void {
    const token = this.#peek();
    if (this.#take(symbol)) return;
    throw this.#unexpected(token, 'mismatched', `'${symbol}'`);
  }

  #unexpected(token: Token, kind: string, desired: string): CompileError {
    const text = token.kind === 'end' ? '<EOF>' : token.text;
    const message = `Syntax error: ${kind} input '${text}' expecting ${desired}`;
    return new CompileError(this.#source, [...this.#issues, { at: token.at, message }]);
  }
}

function isOperator(token: Token): boolean {
  return token.kind === 'symbol' || token.text === 'in';
}

function isNumber(token: Token | undefined): boolean {
  return token?.kind === 'int' || token?.kind === 'double';
}

function call(at: number, name: string, args: readonly Expr[]): CallExpr {
  return { kind: 'call', at, name, target: undefined, args };
}

/** The tree of cel-go, whose depth is the logarithm of the number of terms. */
function balanced(
  name: string,
  terms: readonly Expr[],
  positions: readonly number[],
  low: number,
  high: number,
): Expr {
  const first = terms[0];
  if (first === undefined) throw new Error('a chain of operators has at least one operand');
  if (positions.length === 0) return first;
  const middle = Math.floor((low + high + 1) / 2);
  const left = middle === low ? terms[middle] : balanced(name, terms, positions, low, middle - 1);
  const right = middle === high ? terms[middle + 1] : balanced(name, terms, positions, middle + 1, high);
  return call(positions[middle] ?? 0, name, [left ?? first, right ?? first]);
}
