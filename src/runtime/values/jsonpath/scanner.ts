/** Characters of a JSONPath template, from left to right. */
export class Scanner {
  readonly #template: string;
  #at = 0;

  constructor(template: string) {
    this.#template = template;
  }

  /** The column of the next character, from 1. */
  get column(): number {
    return this.#at + 1;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#template.length;
  }

  /** Returns the next characters without consuming them. */
  peek(length: number = 1): string {
    return this.#template.slice(this.#at, this.#at + length);
  }

  /** Consumes a string if it comes next. */
  take(text: string): boolean {
    if (!this.#template.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Consumes the characters that match a sticky pattern, which may be none. */
  match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [text = ''] = pattern.exec(this.#template) ?? [];
    this.#at += text.length;
    return text;
  }

  /** Consumes spaces. */
  skipSpaces(): void {
    this.match(/[ \t]*/y);
  }

  /** Returns the error of the template at a column. */
  error(problem: string, column: number = this.column): SyntaxError {
    return new SyntaxError(`JSONPath template: column ${column}: ${problem}`);
  }
}
