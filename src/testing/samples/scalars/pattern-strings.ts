/** Strings that match a regular expression, with a given length if that is possible. */
import ret, { types } from 'ret';

/** Returns a string that matches a pattern; about `target` characters long if that is given. */
export type PatternGenerator = (random: () => number, target: number | undefined) => string;

// seam: the types of the package declare a member, but the module is the function itself.
const tokenize = ret as unknown as typeof ret.tokenizer;

type Root = ReturnType<typeof ret.tokenizer>;
type Token = NonNullable<Root['stack']>[number];
type SetToken = Extract<Token, { readonly type: types.SET }>;

/** Returns a generator for a pattern of RE2, or `undefined` if it cannot be read. */
export function patternGenerator(pattern: string): PatternGenerator | undefined {
  try {
    const root = tokenize(scriptPattern(pattern));
    return (random, target) => new Printer(random, target).text(root);
  } catch {
    return undefined;
  }
}

/** Prints one string. Repetitions continue until the string has its length. */
class Printer {
  readonly #random: () => number;
  readonly #target: number | undefined;
  readonly #groups: string[] = [];
  #length = 0;

  constructor(random: () => number, target: number | undefined) {
    this.#random = random;
    this.#target = target;
  }

  text(root: Root): string {
    return this.#sequence(this.#chosen(root, 0), 0);
  }

  /** `behind` is the number of characters that follow at least. */
  #sequence(tokens: readonly Token[], behind: number): string {
    let left = tokens.reduce((sum, token) => sum + shortest(token), behind);
    let text = '';
    for (const token of tokens) {
      left -= shortest(token);
      text += this.#token(token, left);
    }
    return text;
  }

  #token(token: Token, behind: number): string {
    switch (token.type) {
      case types.CHAR:
        return this.#character(token.value);
      case types.SET:
        return this.#character(this.#member(rangesOf(token)));
      case types.REPETITION:
        return this.#repetition(token.value, token.min, token.max ?? Number.POSITIVE_INFINITY, behind);
      case types.REFERENCE:
        return this.#groups[token.value - 1] ?? '';
      case types.GROUP: {
        if (token.followedBy === true || token.notFollowedBy === true) return '';
        const text = this.#sequence(this.#chosen(token, behind), behind);
        if (token.remember) this.#groups.push(text);
        return text;
      }
      default:
        return '';
    }
  }

  /** Returns one alternative, that fits into the length if there is one. */
  #chosen({ stack, options }: Pick<Root, 'stack' | 'options'>, behind: number): readonly Token[] {
    if (options === undefined) return stack ?? [];
    const room = (this.#target ?? Number.POSITIVE_INFINITY) - this.#length - behind;
    const fitting = options.filter((each) => shortestOf(each) <= room);
    const among = fitting.length > 0 ? fitting : options;
    return among[Math.floor(this.#random() * among.length)] ?? [];
  }

  #repetition(value: Token, min: number, max: number, behind: number): string {
    let text = '';
    for (let count = 0; count < max; count += 1) {
      if (count >= min && !this.#continues(value, count - min, behind)) break;
      const before = text.length;
      text += this.#token(value, behind);
      if (text.length === before && count >= min) break;
    }
    return text;
  }

  /** Without a length, each further repetition is less likely, and there are at most eight. */
  #continues(value: Token, extra: number, behind: number): boolean {
    if (this.#target === undefined) return extra < 8 && this.#random() >= 0.45;
    return this.#length + Math.max(1, shortest(value)) + behind <= this.#target;
  }

  #character(code: number): string {
    this.#length += 1;
    return String.fromCodePoint(code);
  }

  #member(ranges: readonly Range[]): number {
    const count = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
    let index = Math.floor(this.#random() * count);
    for (const [from, to] of ranges) {
      if (index <= to - from) return from + index;
      index -= to - from + 1;
    }
    return 'a'.charCodeAt(0);
  }
}

/** First and last character of a range. */
type Range = readonly [from: number, to: number];

/** Space to tilde. */
const printable: Range = [32, 126];

const knownRanges = new WeakMap<SetToken, readonly Range[]>();

/** Returns the characters of a class: of ASCII, if it has any. */
function rangesOf(token: SetToken): readonly Range[] {
  const known = knownRanges.get(token);
  if (known !== undefined) return known;
  const members = token.set.flatMap((member): readonly Range[] => {
    if (member.type === types.CHAR) return [[member.value, member.value]];
    return member.type === types.RANGE ? [[member.from, member.to]] : rangesOf(member);
  });
  const [first, last] = printable;
  const isIn = (code: number): boolean => members.some(([from, to]) => code >= from && code <= to);
  const codes = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const shown = joined(codes.filter((code) => isIn(code) !== token.not));
  const ranges = shown.length > 0 || token.not ? shown : members;
  knownRanges.set(token, ranges);
  return ranges;
}

/** Returns the ranges of codes in ascending order. */
function joined(codes: readonly number[]): readonly Range[] {
  const starts = codes.filter((code, index) => codes[index - 1] !== code - 1);
  const ends = codes.filter((code, index) => codes[index + 1] !== code + 1);
  return starts.map((start, index) => [start, ends[index] ?? start]);
}

/** Returns the length of the shortest string of a token. */
function shortest(token: Token): number {
  switch (token.type) {
    case types.CHAR:
    case types.SET:
      return 1;
    case types.REPETITION:
      return token.min * shortest(token.value);
    case types.GROUP: {
      if (token.followedBy === true || token.notFollowedBy === true) return 0;
      return token.options === undefined
        ? shortestOf(token.stack ?? [])
        : token.options
            .map(shortestOf)
            .reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
    }
    default:
      return 0;
  }
}

function shortestOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, token) => sum + shortest(token), 0);
}

/** Classes that RE2 has and JavaScript has not, for the inside of a character class. */
const classes: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  ascii: ' -~',
  blank: ' \\t',
  digit: '0-9',
  lower: 'a-z',
  print: ' -~',
  punct: '!-/:-@',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};

/** Converts RE2 to the syntax of JavaScript, as far as the difference matters to create strings. */
function scriptPattern(pattern: string): string {
  return pattern
    .replace(/\(\?[a-zA-Z]+\)/g, '')
    .replace(/\(\?[a-zA-Z]+:/g, '(?:')
    .replace(/\(\?P?<\w+>/g, '(')
    .replace(/\\A/g, '^')
    .replace(/\\[zZ]/g, '$')
    .replace(/\[:(\w+):\]/g, (found, name: string) => classes[name] ?? found)
    .replace(/\\p(?:L[lu]?|\{L[lu]?\})/g, 'a-z')
    .replace(/\\p(?:N[d]?|\{Nd?\})/g, '0-9');
}
