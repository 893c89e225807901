/** Parser of CEL expressions, as far as conditions on the presence of members need it. */

/** A CEL expression. Operators are calls by their symbol: `!`, `&&`, `? :`. */
export type Expression =
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'truth'; readonly value: boolean }
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'field'; readonly of: Expression; readonly field: string }
  | { readonly is: 'list'; readonly items: readonly Expression[] }
  | {
      readonly is: 'call';
      readonly name: string;
      readonly target?: Expression;
      readonly args: readonly Expression[];
    }
  /** Strings, maps, indexes and other values that are not interpreted. */
  | { readonly is: 'other' };

/** Returns the expression, or `undefined` if it is not valid or too large. */
export function parseCel(text: string): Expression | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  try {
    return new Parser(tokens).whole();
  } catch (error) {
    if (error instanceof SyntaxFault) return undefined;
    throw error;
  }
}

class SyntaxFault extends Error {}

/** Maximum number of tokens, and of nested expressions. */
const maxTokens = 5_000;
const maxDepth = 100;

const token =
  /(?<space>\s+|\/\/[^\n]*)|(?<text>[rRbB]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))|(?<name>[A-Za-z_]\w*)|(?<number>0x[0-9a-fA-F]+u?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?u?)|(?<sign>&&|\|\||[=!<>]=|\.\?|\[\?|[-+*/%!?:<>()[\]{},.])/y;

interface Token {
  readonly kind: 'text' | 'name' | 'number' | 'sign';
  readonly text: string;
}

function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const groups = token.exec(text)?.groups;
    if (groups === undefined || tokens.length > maxTokens) return undefined;
    const kind = kinds.find((each) => groups[each] !== undefined);
    if (kind !== undefined) tokens.push({ kind, text: groups[kind] ?? '' });
  }
  return tokens;
}

const kinds = ['text', 'name', 'number', 'sign'] as const;

/** Binary operators by precedence, the weakest first. */
const operators: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

const other: Expression = { is: 'other' };

class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const expression = this.#expression();
    if (this.#position < this.#tokens.length) throw new SyntaxFault();
    return expression;
  }

  #expression(): Expression {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new SyntaxFault();
    const condition = this.#binary(0);
    let result = condition;
    if (this.#take('?')) {
      const then = this.#expression();
      this.#expect(':');
      result = { is: 'call', name: '? :', args: [condition, then, this.#expression()] };
    }
    this.#depth -= 1;
    return result;
  }

  #binary(level: number): Expression {
    const names = operators[level];
    if (names === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (let name = this.#oneOf(names); name !== undefined; name = this.#oneOf(names))
      left = { is: 'call', name, args: [left, this.#binary(level + 1)] };
    return left;
  }

  #unary(): Expression {
    const name = this.#oneOf(['!', '-']);
    if (name === undefined) return this.#postfix(this.#primary());
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new SyntaxFault();
    const operand = this.#unary();
    this.#depth -= 1;
    return name === '!' ? { is: 'call', name, args: [operand] } : other;
  }

  #postfix(start: Expression): Expression {
    let target = start;
    for (;;) {
      if (this.#take('.')) {
        const field = this.#name();
        target = this.#take('(')
          ? { is: 'call', name: field, target, args: this.#items(')') }
          : { is: 'field', of: target, field };
      } else if (this.#take('.?')) {
        this.#name();
        target = other;
      } else if (this.#take('[') || this.#take('[?')) {
        this.#items(']');
        target = other;
      } else return target;
    }
  }

  #primary(): Expression {
    if (this.#take('(')) {
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    if (this.#take('[')) return { is: 'list', items: this.#items(']') };
    if (this.#take('{')) return this.#map();
    if (this.#take('.')) {
      this.#name();
      return other;
    }
    const { kind, text } = this.#next();
    if (kind === 'text') return other;
    if (kind === 'number') return /^\d+$/.test(text) ? { is: 'number', value: Number(text) } : other;
    if (kind !== 'name') throw new SyntaxFault();
    if (text === 'true' || text === 'false') return { is: 'truth', value: text === 'true' };
    return this.#take('(') ? { is: 'call', name: text, args: this.#items(')') } : { is: 'name', name: text };
  }

  #map(): Expression {
    while (!this.#take('}')) {
      this.#take('?');
      this.#expression();
      this.#expect(':');
      this.#expression();
      if (!this.#take(',') && !this.#isAt('}')) throw new SyntaxFault();
    }
    return other;
  }

  #items(end: string): readonly Expression[] {
    const items: Expression[] = [];
    while (!this.#take(end)) {
      this.#take('?');
      items.push(this.#expression());
      if (!this.#take(',') && !this.#isAt(end)) throw new SyntaxFault();
    }
    return items;
  }

  #name(): string {
    const { kind, text } = this.#next();
    if (kind !== 'name') throw new SyntaxFault();
    return text;
  }

  #next(): Token {
    const next = this.#tokens[this.#position];
    if (next === undefined) throw new SyntaxFault();
    this.#position += 1;
    return next;
  }

  #isAt(text: string): boolean {
    const next = this.#tokens[this.#position];
    return next !== undefined && next.kind !== 'text' && next.text === text;
  }

  #take(text: string): boolean {
    const isNext = this.#isAt(text);
    if (isNext) this.#position += 1;
    return isNext;
  }

  #oneOf(texts: readonly string[]): string | undefined {
    return texts.find((text) => this.#take(text));
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new SyntaxFault();
  }
}
