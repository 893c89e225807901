import { type JsonObject, object, own } from '@kgen/schema/values/json';
import { labelKeyProblem, labelValueProblem } from '@kgen/schema/values/names';
import { badRequest } from '../errors/failures.ts';

/** One requirement of a label selector. */
export interface Requirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | '!' | '>' | '<';
  readonly values: readonly string[];
}

/**
 * Parses a label selector: `a=b`, `a==b`, `a!=b`, `a in (b, c)`, `a notin (b)`, `a`, `!a`, `a>1`, `a<1`,
 * joined by commas.
 * @throws {Failure} 400 with the token that cannot be parsed
 */
export function parseLabelSelector(text: string): readonly Requirement[] {
  return text === '' ? [] : new Parser(tokensOf(text)).parse();
}

/** Kinds of tokens: marks and keywords are their own kind. */
type Kind =
  | 'identifier'
  | 'end'
  | 'error'
  | '('
  | ')'
  | ','
  | '!'
  | '='
  | '=='
  | '!='
  | '>'
  | '<'
  | 'in'
  | 'notin';

interface Token {
  readonly kind: Kind;
  readonly text: string;
}

const end: Token = { kind: 'end', text: '' };

/** Matches the longest mark, or a keyword or identifier, after white space. */
const scanner = /[ \t\r\n]*(?:(==|!=|[=!(),><])|([^=!(),>< \t\r\n]+))/gy;

function tokensOf(text: string): readonly Token[] {
  const found = [...text.matchAll(scanner)].map(([, mark, word = '']): Token => {
    // The pattern matches no other marks.
    if (mark !== undefined) return { kind: mark as Kind, text: mark };
    return { kind: word === 'in' || word === 'notin' ? word : 'identifier', text: word };
  });
  return [...found, end];
}

/** The parser of the API server, with its messages. */
class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): readonly Requirement[] {
    const requirements: Requirement[] = [];
    for (;;) {
      const { kind, text } = this.#next();
      if (kind === 'end') return requirements;
      if (kind !== 'identifier' && kind !== '!')
        throw badRequest(`found '${text}', expected: !, identifier, or 'end of string'`);
      requirements.push(this.#requirement());
      const separator = this.#take();
      if (separator.kind === 'end') return requirements;
      if (separator.kind !== ',')
        throw badRequest(`found '${separator.text}', expected: ',' or 'end of string'`);
      const after = this.#next();
      if (after.kind !== 'identifier' && after.kind !== '!')
        throw badRequest(`found '${after.text}', expected: identifier after ','`);
    }
  }

  /** Returns the current token. Keywords are identifiers where a key or value is expected. */
  #next(isOperator = false): Token {
    const token = this.#tokens[this.#position] ?? end;
    const isKeyword = token.kind === 'in' || token.kind === 'notin';
    return isKeyword && !isOperator ? { kind: 'identifier', text: token.text } : token;
  }

  #take(isOperator = false): Token {
    const token = this.#next(isOperator);
    this.#position += 1;
    return token;
  }

  #requirement(): Requirement {
    const isNegated = this.#next().kind === '!';
    if (isNegated) this.#take();
    const key = this.#take();
    if (key.kind !== 'identifier') throw unparsable(`found '${key.text}', expected: identifier`);
    const problem = labelKeyProblem(key.text);
    if (problem !== undefined)
      throw unparsable(`<nil>: Invalid value: ${JSON.stringify(key.text)}: ${problem}`);
    if (isNegated) return { key: key.text, operator: '!', values: [] };
    const { kind } = this.#next();
    if (kind === 'end' || kind === ',') return { key: key.text, operator: 'exists', values: [] };
    return this.#comparison(key.text);
  }

  #comparison(key: string): Requirement {
    const { kind, text } = this.#take(true);
    const operator = operators[kind];
    if (operator === undefined) throw unparsable(`found '${text}', expected: ${expected}`);
    const isSet = kind === 'in' || kind === 'notin';
    return check({ key, operator, values: isSet ? this.#values() : [this.#value()] });
  }

  #value(): string {
    const { kind } = this.#next();
    if (kind === 'end' || kind === ',') return '';
    const token = this.#take();
    if (token.kind === 'identifier') return token.text;
    throw unparsable(`found '${token.text}', expected: identifier`);
  }

  #values(): readonly string[] {
    const open = this.#take();
    if (open.kind !== '(') throw unparsable(`found '${open.text}' expected: '('`);
    const { kind, text } = this.#next();
    if (kind === ')') {
      this.#take();
      return [''];
    }
    if (kind !== 'identifier' && kind !== ',')
      throw unparsable(`found '${text}', expected: ',', ')' or identifier`);
    const values = this.#list();
    const close = this.#take();
    if (close.kind !== ')') throw unparsable(`found '${text}', expected: ')'`);
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
        if (after.kind !== ',') throw unparsable(`found '${after.text}', expected: ',' or ')'`);
      } else if (kind === ',') {
        if (values.size === 0 || after.kind === ')' || after.kind === ',') values.add('');
        if (after.kind === ')') return [...values].sort();
      } else throw unparsable(`found '${text}', expected: ',', or identifier`);
    }
  }
}

const operators: { readonly [kind in Kind]?: Requirement['operator'] } = {
  in: 'in',
  '=': 'in',
  '==': 'in',
  notin: 'notin',
  '!=': 'notin',
  '>': '>',
  '<': '<',
};

/** In the order of the message. */
const expected = 'in, notin, =, ==, !=, gt, lt';

function unparsable(why: string): Error {
  return badRequest(`unable to parse requirement: ${why}`);
}

function check(requirement: Requirement): Requirement {
  const { key, operator, values } = requirement;
  const isCompared = operator === '>' || operator === '<';
  const integer = "for 'Gt', 'Lt' operators, the value must be an integer";
  const wrong = (at: string, value: string, why: string): string =>
    `${at}: Invalid value: ${JSON.stringify(value)}: ${why}`;
  const errors = [
    ...values.flatMap((value, index) =>
      isCompared && !/^[-+]?\d+$/.test(value) ? [wrong(`values[${index}]`, value, integer)] : [],
    ),
    ...values.flatMap((value, index) => {
      const problem = labelValueProblem(value);
      return problem === undefined ? [] : [wrong(`values[${index}][${key}]`, value, problem)];
    }),
  ];
  if (errors.length === 0) return requirement;
  throw unparsable(errors.length === 1 ? errors.join('') : `[${errors.join(', ')}]`);
}

/** Whether an object's labels satisfy every requirement. */
export function matchesLabels(value: JsonObject, selector: readonly Requirement[]): boolean {
  const labels = object(value, 'metadata', 'labels');
  return selector.every((requirement) => satisfies(own(labels, requirement.key), requirement));
}

function satisfies(label: unknown, { operator, values }: Requirement): boolean {
  const present = typeof label === 'string';
  switch (operator) {
    case 'exists':
      return present;
    case '!':
      return !present;
    case 'in':
      return present && values.includes(label);
    case 'notin':
      return !present || !values.includes(label);
    default:
      return present && compare(label, operator, values[0] ?? '');
  }
}

function compare(label: string, operator: '>' | '<', value: string): boolean {
  if (!/^-?\d+$/.test(label)) return false;
  return operator === '>' ? BigInt(label) > BigInt(value) : BigInt(label) < BigInt(value);
}
