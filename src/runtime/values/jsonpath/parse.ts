/**
 * Parser of JSONPath templates. It reads the template once from left to right.
 * @see https://kubernetes.io/docs/reference/kubectl/jsonpath/
 */
import { Scanner } from './scanner.ts';
import type { FilterOperator, Part, Path, Step } from './types.ts';

/** Nesting of filters and unions: far above that of people, and safe for the stack. */
const maxDepth = 100;

/** @throws {SyntaxError} with the column of the error */
export function parseTemplate(template: string): readonly Part[] {
  return new TemplateParser(template).parse();
}

interface Loop {
  readonly path: Path;
  readonly body: Part[];
}

class TemplateParser {
  readonly #scanner: Scanner;
  /** The parts of the template, then those of each open loop. */
  readonly #bodies: Part[][] = [[]];
  readonly #loops: Loop[] = [];
  #depth = 0;

  constructor(template: string) {
    this.#scanner = new Scanner(template);
  }

  parse(): readonly Part[] {
    while (!this.#scanner.isAtEnd) {
      const text = this.#scanner.match(/[^{]+/y);
      if (text !== '') this.#append({ kind: 'text', text });
      else this.#action();
    }
    // As in kubectl, a loop without an end extends to the end of the template.
    while (this.#loops.length > 0) this.#endLoop();
    return this.#bodies[0] ?? [];
  }

  #append(part: Part): void {
    this.#bodies.at(-1)?.push(part);
  }

  #action(): void {
    const { column } = this.#scanner;
    this.#scanner.take('{');
    this.#scanner.skipSpaces();
    const keyword = this.#scanner.match(/(?:range|end)(?![\w-])/y);
    const path = this.#path();
    if (!this.#scanner.take('}')) {
      throw this.#scanner.isAtEnd || /[\r\n]/.test(this.#scanner.peek())
        ? this.#scanner.error('{ is not closed', column)
        : this.#unexpected();
    }
    if (keyword === 'range') this.#beginLoop(path);
    else if (keyword === '') this.#append({ kind: 'path', path });
    else if (this.#loops.length === 0) throw this.#scanner.error('{end} without {range}', column);
    else if (path.length > 0) throw this.#scanner.error('{end} must not contain a path', column);
    else this.#endLoop();
  }

  #beginLoop(path: Path): void {
    const body: Part[] = [];
    this.#loops.push({ path, body });
    this.#bodies.push(body);
  }

  #endLoop(): void {
    const loop = this.#loops.pop();
    if (loop === undefined) return;
    this.#bodies.pop();
    this.#append({ kind: 'range', ...loop });
  }

  /** Reads steps until a character that belongs to none. */
  #path(inFilter: boolean = false): Path {
    const steps: Step[] = [];
    for (;;) {
      this.#scanner.skipSpaces();
      if (this.#scanner.take('@') || this.#scanner.take('$')) continue; // the current object
      const read = this.#step(inFilter, steps.at(-1));
      if (read === undefined) return steps;
      for (const step of read) steps.push(step);
    }
  }

  #step(inFilter: boolean, before: Step | undefined): Path | undefined {
    const at = this.#scanner.column;
    const next = this.#scanner.peek();
    if (next === '[') return this.#bracket(at);
    if (next === '"' || next === "'") return [{ kind: 'literal', at, value: this.#quoted() }];
    if (this.#scanner.take('..')) {
      if (before?.kind === 'recursive') throw this.#scanner.error('.. must not follow another ..', at);
      const isField = /[\p{L}\p{N}_]/u.test(this.#scanner.peek());
      return [{ kind: 'recursive', at }, ...(isField ? this.#field(inFilter) : [])];
    }
    if (this.#scanner.take('.')) return this.#field(inFilter);
    if (/[-+\d]/.test(next)) return [{ kind: 'literal', at, value: this.#number() }];
    if (/[\p{L}_]/u.test(next)) return [{ kind: 'literal', at, value: this.#boolean() }];
    return undefined;
  }

  /** Reads the name of a field, whose special characters are escaped by `\`. The empty name is the object. */
  #field(inFilter: boolean): Path {
    const at = this.#scanner.column;
    const names = inFilter ? /(?:\\.|[^\\\s.,[\]$@{}!<>=)])*/suy : /(?:\\.|[^\\\s.,[\]$@{}])*/suy;
    return namedStep(this.#scanner.match(names), at);
  }

  #number(): number {
    const at = this.#scanner.column;
    const text = this.#scanner.match(/[-+]?[\d.]*/y);
    if (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)) return Number(text);
    throw this.#scanner.error(`${text} is not a number`, at);
  }

  #boolean(): boolean {
    const at = this.#scanner.column;
    const word = this.#scanner.match(/[\p{L}\p{N}_-]+/uy);
    if (word === 'true' || word === 'false') return word === 'true';
    throw this.#scanner.error(`${word} is not true, false, range or end; a field begins with a dot`, at);
  }

  #quoted(): string {
    const at = this.#scanner.column;
    const text = this.#scanner.match(/"(?:\\.|[^"\\\r\n])*"|'(?:\\.|[^'\\\r\n])*'/uy);
    if (text === '') throw this.#scanner.error('the quoted string is not closed', at);
    return text
      .slice(1, -1)
      .replaceAll(/\\(x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8}|[0-7]{3}|.)/gisu, (sequence, code: string) => {
        const char = unescaped(code);
        if (char === undefined) throw this.#scanner.error(`the escape ${sequence} is not known`, at);
        return char;
      });
  }

  /** Reads one expression in brackets: a filter, an index, a slice, a quoted field, or a union of them. */
  #bracket(at: number): Path {
    this.#scanner.take('[');
    this.#depth += 1;
    if (this.#depth > maxDepth) throw this.#scanner.error('the brackets are nested too deeply', at);
    const steps = this.#scanner.take('?(') ? [this.#filter(at)] : this.#union(at);
    this.#depth -= 1;
    return steps;
  }

  #union(at: number): Path {
    const paths: Path[] = [];
    do {
      this.#scanner.skipSpaces();
      paths.push(this.#element());
      this.#scanner.skipSpaces();
    } while (this.#scanner.take(','));
    this.#close(']', '[', at);
    const [only = []] = paths;
    return paths.length === 1 ? only : [{ kind: 'union', at, paths }];
  }

  #element(): Path {
    const at = this.#scanner.column;
    if (/["']/.test(this.#scanner.peek())) return keySteps(this.#key(), at);
    if (this.#scanner.take('*')) return [{ kind: 'slice', at, start: undefined, end: undefined, step: 1 }];
    const text = this.#scanner.match(/[-\d:]*/y);
    if (/^-?\d+$/.test(text)) return [{ kind: 'index', at, index: Number(text) }];
    const slice = /^(-?\d+)?:(-?\d+)?(?::(-?\d+)?)?$/.exec(text);
    if (slice === null) throw this.#scanner.error('expected an index, a slice, * or a quoted field', at);
    const [, start, end, step] = slice;
    if (step !== undefined && Number(step) <= 0) throw this.#scanner.error('the step must be >= 1', at);
    return [{ kind: 'slice', at, start: bound(start), end: bound(end), step: bound(step) ?? 1 }];
  }

  /** Reads a quoted field without its quotes; escapes are those of fields. */
  #key(): string {
    const at = this.#scanner.column;
    const text = this.#scanner.match(/"(?:\\.|[^"\\\r\n])*"|'(?:\\.|[^'\\\r\n])*'/uy);
    if (text === '') throw this.#scanner.error('the quoted field is not closed', at);
    return text.slice(1, -1);
  }

  #filter(at: number): Step {
    const left = this.#path(true);
    const operator = this.#operator();
    const right = operator === 'exists' ? [] : this.#path(true);
    if (operator !== 'exists' && right.length === 0)
      throw this.#scanner.error('the filter has no right side');
    this.#close(')', '[?(', at);
    this.#close(']', '[', at);
    return { kind: 'filter', at, left, operator, right };
  }

  #operator(): FilterOperator {
    const at = this.#scanner.column;
    const text = this.#scanner.match(/[!<>=~]+/y);
    switch (text) {
      case '':
        return 'exists';
      case '==':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
        return text;
      default:
        throw this.#scanner.error(`${text} is not an operator: ==, !=, <, <=, > and >= are`, at);
    }
  }

  #close(bracket: string, open: string, at: number): void {
    if (this.#scanner.take(bracket)) return;
    if (this.#scanner.isAtEnd) throw this.#scanner.error(`${open} is not closed`, at);
    throw this.#unexpected();
  }

  #unexpected(): SyntaxError {
    return this.#scanner.error(`unexpected ${JSON.stringify(this.#scanner.peek())}`);
  }
}

function bound(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function namedStep(name: string, at: number): Path {
  if (name === '') return [];
  if (name === '*') return [{ kind: 'wildcard', at }];
  return [{ kind: 'field', at, name: name.replaceAll(/\\(.)/gsu, '$1') }];
}

/** As in kubectl, a quoted field is a path: `['metadata.name']`. A dot of a name is escaped: `['a\.b']`. */
function keySteps(key: string, at: number): Path {
  const names = key.match(/(?:\\.|[^\\.])+/gsu) ?? [];
  return names.flatMap((name) => namedStep(name, at));
}

const controls: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Returns the character of an escape of Go, without its backslash. */
function unescaped(code: string): string | undefined {
  if (code.length > 1) {
    const point = /^[0-7]/.test(code) ? Number.parseInt(code, 8) : Number.parseInt(code.slice(1), 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
  }
  return Object.hasOwn(controls, code) ? controls[code] : /[\\'"]/.test(code) ? code : undefined;
}
