/**
 * Parser of label selectors: the grammar and the messages of the server.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
import { labelKeyProblem, labelValueProblem } from './label-syntax.ts';

/** One requirement of a label selector, all of which must match. `=` and `==` are `in`, `!=` is `notin`. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'above' | 'below';
  /** Distinct and sorted if a parser returned them. */
  readonly values: readonly string[];
}

/**
 * Parses selectors such as `app=web,tier in (a, b),!legacy`. An empty string has no requirements and matches
 * every object.
 * @throws {TypeError} the string is not a label selector; `cause` is the message of the server
 */
export function parseLabelSelector(text: string): readonly LabelRequirement[] {
  return new Parser(text).parse();
}

/** Kinds of tokens: marks and keywords are their own kind. */
type Kind = 'identifier' | 'end' | '(' | ')' | ',' | '!' | '=' | '==' | '!=' | '>' | '<' | 'in' | 'notin';

interface Token {
  readonly kind: Kind;
  readonly text: string;
}

const end: Token = { kind: 'end', text: '' };

/** Matches the longest mark, or a keyword or identifier, after white space. */
const scanner = /[ \t\r\n]*(?:(==|!=|[=!(),><])|([^=!(),>< \t\r\n]+))/gy;

/** The parser of the API server, with its messages. */
class Parser {
  readonly #text: string;
  readonly #words: Iterator<RegExpExecArray, undefined>;
  #current: Token;

  constructor(text: string) {
    this.#text = text;
    this.#words = text.matchAll(scanner);
    this.#current = this.#read();
  }

  parse(): readonly LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const { kind, text } = this.#next();
      if (kind === 'end') return requirements;
      if (kind !== 'identifier' && kind !== '!')
        throw this.#refused(`found '${text}', expected: !, identifier, or 'end of string'`);
      requirements.push(this.#requirement());
      const separator = this.#take();
      if (separator.kind === 'end') return requirements;
      if (separator.kind !== ',')
        throw this.#refused(`found '${separator.text}', expected: ',' or 'end of string'`);
      const after = this.#next();
      if (after.kind !== 'identifier' && after.kind !== '!')
        throw this.#refused(`found '${after.text}', expected: identifier after ','`);
    }
  }

  /** Returns the current token. Keywords are identifiers where a key or value is expected. */
  #next(isOperator = false): Token {
    const token = this.#current;
    const isKeyword = token.kind === 'in' || token.kind === 'notin';
    return isKeyword && !isOperator ? { kind: 'identifier', text: token.text } : token;
  }

  #take(isOperator = false): Token {
    const token = this.#next(isOperator);
    this.#current = this.#read();
    return token;
  }

  #read(): Token {
    const { value } = this.#words.next();
    return value === undefined ? end : tokenOf(value);
  }

  #requirement(): LabelRequirement {
    const isNegated = this.#next().kind === '!';
    if (isNegated) this.#take();
    const key = this.#take();
    if (key.kind !== 'identifier') throw this.#unparsable(`found '${key.text}', expected: identifier`);
    const problem = labelKeyProblem(key.text);
    if (problem !== undefined)
      throw this.#unparsable(`<nil>: Invalid value: ${JSON.stringify(key.text)}: ${problem}`);
    if (isNegated) return { key: key.text, operator: 'absent', values: [] };
    const { kind } = this.#next();
    if (kind === 'end' || kind === ',') return { key: key.text, operator: 'exists', values: [] };
    return this.#comparison(key.text);
  }

  #comparison(key: string): LabelRequirement {
    const { kind, text } = this.#take(true);
    const operator = operators[kind];
    if (operator === undefined) throw this.#unparsable(`found '${text}', expected: ${expected}`);
    const isSet = kind === 'in' || kind === 'notin';
    return this.#checked({ key, operator, values: isSet ? this.#values() : [this.#value()] });
  }

  #value(): string {
    const { kind } = this.#next();
    if (kind === 'end' || kind === ',') return '';
    const token = this.#take();
    if (token.kind === 'identifier') return token.text;
    throw this.#unparsable(`found '${token.text}', expected: identifier`);
  }

  #values(): readonly string[] {
    const open = this.#take();
    if (open.kind !== '(') throw this.#unparsable(`found '${open.text}' expected: '('`);
    const { kind, text } = this.#next();
    if (kind === ')') {
      this.#take();
      return [''];
    }
    if (kind !== 'identifier' && kind !== ',')
      throw this.#unparsable(`found '${text}', expected: ',', ')' or identifier`);
    const values = this.#list();
    const close = this.#take();
    if (close.kind !== ')') throw this.#unparsable(`found '${text}', expected: ')'`);
    return values;
  }

  /** Reads values up to the closing parenthesis. Values may be empty. */
  #list(): readonly string[] {
    const values = new Set<string>();
    for (;;) {
      const { kind, text } = this.#take();
      const after = this.#next();
      if (kind === 'identifier') {
        values.add(text);
        if (after.kind === ')') return [...values].sort();
        if (after.kind !== ',') throw this.#unparsable(`found '${after.text}', expected: ',' or ')'`);
      } else if (kind === ',') {
        if (values.size === 0 || after.kind === ')' || after.kind === ',') values.add('');
        if (after.kind === ')') return [...values].sort();
      } else throw this.#unparsable(`found '${text}', expected: ',', or identifier`);
    }
  }

  #checked(requirement: LabelRequirement): LabelRequirement {
    const { key, operator, values } = requirement;
    const isCompared = operator === 'above' || operator === 'below';
    const integer = "for 'Gt', 'Lt' operators, the value must be an integer";
    const wrong = (at: string, value: string, why: string): string =>
      `${at}: Invalid value: ${JSON.stringify(value)}: ${why}`;
    const errors = [
      ...values.flatMap((value, index) =>
        isCompared && int64(value) === undefined ? [wrong(`values[${index}]`, value, integer)] : [],
      ),
      ...values.flatMap((value, index) => {
        const problem = labelValueProblem(value);
        return problem === undefined ? [] : [wrong(`values[${index}][${key}]`, value, problem)];
      }),
    ];
    if (errors.length === 0) return requirement;
    throw this.#unparsable(errors.length === 1 ? errors.join('') : `[${errors.join(', ')}]`);
  }

  #unparsable(why: string): TypeError {
    return this.#refused(`unable to parse requirement: ${why}`);
  }

  #refused(cause: string): TypeError {
    return new TypeError(`label selector ${JSON.stringify(this.#text)}: ${cause}`, { cause });
  }
}

function tokenOf([, mark, word = '']: RegExpExecArray): Token {
  // The pattern matches no other marks.
  if (mark !== undefined) return { kind: mark as Kind, text: mark };
  return { kind: word === 'in' || word === 'notin' ? word : 'identifier', text: word };
}

const operators: { readonly [kind in Kind]?: LabelRequirement['operator'] } = {
  in: 'in',
  '=': 'in',
  '==': 'in',
  notin: 'notin',
  '!=': 'notin',
  '>': 'above',
  '<': 'below',
};

/** In the order of the message. */
const expected = 'in, notin, =, ==, !=, gt, lt';

/** Returns an integer in the range of Go's `int64`, or `undefined`. */
export function int64(text: string | undefined): bigint | undefined {
  const [, sign, digits] = /^([-+]?)0*(\d{1,19})$/.exec(text ?? '') ?? [];
  if (digits === undefined) return undefined;
  const value = BigInt(sign === '-' ? `-${digits}` : digits);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
