/** JSONPath expressions of `additionalPrinterColumns`, as kubectl and the API server evaluate them. */
import { isArray, isObject, type Json, own } from '@kgen/schema/values/json';

/** Returns the values that a part of a path selects below a value. */
type Select = (value: Json) => readonly Json[];

/** A parsed path. */
export type JsonPath = (value: Json) => readonly Json[];

/** @throws {SyntaxError} for an invalid path */
export function parseJsonPath(text: string): JsonPath {
  const steps = new Parser(text).path();
  return (value) => steps.reduce<readonly Json[]>((values, step) => values.flatMap(step), [value]);
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.trim();
  }

  path(): readonly Select[] {
    const steps: Select[] = [];
    if (this.#text.startsWith('$') || this.#text.startsWith('@')) this.#at = 1;
    while (this.#at < this.#text.length) steps.push(this.#step());
    return steps;
  }

  #step(): Select {
    if (this.#take('..')) return this.#peek() === '[' ? descend : this.#descendTo(this.#name());
    if (this.#take('.')) return this.#peek() === '[' ? this.#bracket() : member(this.#name());
    if (this.#peek() === '[') return this.#bracket();
    return member(this.#name());
  }

  #descendTo(name: string): Select {
    const select = member(name);
    return (value) => descend(value).flatMap(select);
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #take(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #name(): string {
    let name = '';
    while (this.#at < this.#text.length && !'.['.includes(this.#peek())) {
      if (this.#peek() === '\\') this.#at += 1;
      name += this.#peek();
      this.#at += 1;
    }
    if (name === '') throw this.#error();
    return name;
  }

  #error(): SyntaxError {
    return new SyntaxError(`invalid JSONPath ${JSON.stringify(this.#text)} at position ${this.#at}`);
  }

  #bracket(): Select {
    const content = this.#bracketContent();
    const filter = /^\?\((.*)\)$/s.exec(content);
    if (filter?.[1] !== undefined) return filterOf(filter[1]);
    const parts = splitQuoted(content, ',');
    if (parts.length > 1) {
      const selects = parts.map((part) => this.#bracketPart(part.trim()));
      return (value) => selects.flatMap((select) => select(value));
    }
    return this.#bracketPart(content.trim());
  }

  #bracketContent(): string {
    const start = this.#at + 1;
    let [depth, quote] = [0, ''];
    for (; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#peek();
      if (quote !== '') quote = char === quote ? '' : quote;
      else if (char === '"' || char === "'") quote = char;
      else if (char === '[') depth += 1;
      else if (char === ']') depth -= 1;
      if (depth === 0) {
        this.#at += 1;
        return this.#text.slice(start, this.#at - 1);
      }
    }
    throw this.#error();
  }

  #bracketPart(part: string): Select {
    const quoted = /^(['"])(.*)\1$/s.exec(part)?.[2];
    if (quoted !== undefined) return member(quoted.replace(/\\(.)/g, '$1'));
    if (part === '*') return children;
    const slice = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(part);
    if (slice === null || part === '') throw this.#error();
    const [, from = '', to, step] = slice;
    return part.includes(':') ? sliceOf(from, to ?? '', step ?? '') : element(Number(from));
  }
}

function splitQuoted(text: string, separator: string): readonly string[] {
  const parts = [''];
  let quote = '';
  for (const char of text) {
    if (quote === '' && char === separator) {
      parts.push('');
      continue;
    }
    if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === quote) quote = '';
    parts.push(`${parts.pop() ?? ''}${char}`);
  }
  return parts;
}

function member(name: string): Select {
  if (name === '*') return children;
  return (value) => {
    const found = own(value, name);
    return found === undefined ? [] : [found];
  };
}

function children(value: Json): readonly Json[] {
  if (isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

function descend(value: Json): readonly Json[] {
  return [value, ...children(value).flatMap(descend)];
}

function element(index: number): Select {
  return (value) => {
    const found = isArray(value) ? value.at(index) : undefined;
    return found === undefined ? [] : [found];
  };
}

function sliceOf(from: string, to: string, step: string): Select {
  const by = step === '' ? 1 : Number(step);
  return (value) => {
    if (!isArray(value) || by < 1) return [];
    const items = value.slice(from === '' ? 0 : Number(from), to === '' ? undefined : Number(to));
    return items.filter((_, index) => index % by === 0);
  };
}

const operators: Readonly<Record<string, (left: Json, right: Json) => boolean>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => Number(left) < Number(right),
  '<=': (left, right) => Number(left) <= Number(right),
  '>': (left, right) => Number(left) > Number(right),
  '>=': (left, right) => Number(left) >= Number(right),
};

function filterOf(expression: string): Select {
  const [, left = expression, operator = '', right = ''] =
    /^(.*?)(==|!=|<=|>=|<|>)(.*)$/s.exec(expression) ?? [];
  const [first, second] = [operandOf(left.trim()), operandOf(right.trim())];
  const compare = operators[operator];
  return (value) =>
    children(value).filter((item) => {
      const [a] = first(item);
      if (compare === undefined) return a !== undefined;
      const [b] = second(item);
      return a !== undefined && b !== undefined && compare(a, b);
    });
}

function operandOf(text: string): JsonPath {
  const quoted = /^(['"])(.*)\1$/s.exec(text)?.[2];
  if (quoted !== undefined) return () => [quoted];
  if (text === 'true' || text === 'false') return () => [text === 'true'];
  if (text !== '' && !Number.isNaN(Number(text))) return () => [Number(text)];
  return text === '' ? () => [] : parseJsonPath(text);
}
