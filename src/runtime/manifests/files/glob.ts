/**
 * Glob patterns of paths. A pattern becomes a nondeterministic automaton, all states of which advance
 * together: the time is proportional to the length of the path times that of the pattern, whatever the
 * pattern is.
 *
 * `*` matches any characters of a name, `?` one character, `[a-z]` and `[!a-z]` one character of a set,
 * `{a,b}` alternatives, `**` any number of folders. `\` makes the next character ordinary. Names that begin
 * with a dot match only a dot in the pattern.
 */

/** Index of a state. */
type State = number;

/**
 * One state: consumes a character (`hidden`: also a dot that begins a name), or continues at other states.
 */
type Step =
  | { readonly accepts: (char: string) => boolean; readonly hidden: boolean; readonly next: State }
  | { readonly to: State[] };

/** Longest pattern: far above those of people, low enough that nested braces cannot exhaust the stack. */
const maxLength = 4096;

/** States that a prefix of a path has reached. */
export interface Progress {
  readonly states: ReadonlySet<State>;
  /** Whether the next character begins a name. */
  readonly begins: boolean;
}

/** A compiled pattern. */
export class Glob {
  readonly #steps: Step[] = [];
  readonly #end: State;

  /** @throws {TypeError} the pattern has more than 4096 characters */
  constructor(pattern: string) {
    if (pattern.length > maxLength) {
      throw new TypeError(`a pattern must have at most ${maxLength} characters, got ${pattern.length}`);
    }
    const start = this.#add({ to: [] });
    this.#end = new Compiler(pattern, (step) => this.#add(step), this.#steps).compile(start);
  }

  /** Returns the progress before the first character. */
  begin(): Progress {
    return { states: this.#closure([0]), begins: true };
  }

  /** Returns the progress after further characters. Without states, no continuation matches. */
  advance(progress: Progress, text: string): Progress {
    let { states, begins } = progress;
    for (const char of text) {
      states = this.#closure(this.#consumed(states, char, begins));
      begins = char === '/';
    }
    return { states, begins };
  }

  /** Returns whether the characters so far match the whole pattern. */
  isMatch({ states }: Progress): boolean {
    return states.has(this.#end);
  }

  #add(step: Step): State {
    return this.#steps.push(step) - 1;
  }

  #consumed(states: ReadonlySet<State>, char: string, begins: boolean): State[] {
    const reached: State[] = [];
    for (const state of states) {
      const step = this.#steps[state];
      if (step === undefined || 'to' in step) continue;
      if (begins && char === '.' && !step.hidden) continue;
      if (step.accepts(char)) reached.push(step.next);
    }
    return reached;
  }

  #closure(states: readonly State[]): ReadonlySet<State> {
    const reached = new Set<State>(states);
    for (const state of reached) {
      const step = this.#steps[state];
      if (step !== undefined && 'to' in step) for (const to of step.to) reached.add(to);
    }
    return reached;
  }
}

/** Compiles a pattern into states. Each method appends states, and returns the one that follows. */
class Compiler {
  readonly #pattern: string;
  readonly #add: (step: Step) => State;
  readonly #steps: readonly Step[];
  /** Position of the `}` of each `{` that has one and encloses a comma. */
  readonly #closing: ReadonlyMap<number, number>;
  #at = 0;

  constructor(pattern: string, add: (step: Step) => State, steps: readonly Step[]) {
    this.#pattern = pattern;
    this.#add = add;
    this.#steps = steps;
    this.#closing = closingBraces(pattern);
  }

  compile(from: State): State {
    return this.#sequence(from, this.#pattern.length);
  }

  #sequence(from: State, end: number): State {
    let state = from;
    while (this.#at < end) state = this.#part(state);
    return state;
  }

  #part(from: State): State {
    const char = this.#pattern[this.#at];
    if (char === '*') return this.#isGlobstar() ? this.#folders(from) : this.#star(from);
    if (char === '?') return this.#consume(from, 1, isNameChar);
    if (char === '[') return this.#set(from);
    const close = char === '{' ? this.#closing.get(this.#at) : undefined;
    if (close !== undefined) return this.#alternatives(from, close);
    return this.#literal(from);
  }

  #literal(from: State): State {
    const rest = this.#pattern.slice(this.#at);
    const [text = ''] = /^(?:\\[\s\S]|[\s\S])/u.exec(rest) ?? [];
    const char = text.length > 1 && text.startsWith('\\') ? text.slice(1) : text;
    const begins = '/{,'.includes(this.#pattern[this.#at - 1] ?? '/');
    return this.#consume(from, text.length, (one) => one === char, begins);
  }

  #consume(from: State, length: number, accepts: (char: string) => boolean, hidden: boolean = false): State {
    this.#at += length;
    const next = this.#add({ to: [] });
    this.#link(from, this.#add({ accepts, hidden, next }));
    return next;
  }

  /** Matches any number of characters of a name, at least `least`. */
  #star(from: State): State {
    const loop = this.#add({ to: [] });
    this.#link(from, loop);
    const again = this.#consume(loop, 0, isNameChar);
    this.#link(again, loop);
    this.#at += /^\**/.exec(this.#pattern.slice(this.#at))?.[0].length ?? 0;
    return loop;
  }

  /** Returns whether `**` at the position is a whole name of the pattern. */
  #isGlobstar(): boolean {
    const before = this.#pattern[this.#at - 1] ?? '/';
    const after = this.#pattern[this.#at + 2] ?? '/';
    return this.#pattern.startsWith('**', this.#at) && '/{,'.includes(before) && '/},'.includes(after);
  }

  /** `**` + `/` matches any number of folders; `**` at the end, all files below. */
  #folders(from: State): State {
    const loop = this.#add({ to: [] });
    this.#link(from, loop);
    this.#at += 2;
    const name = this.#name(loop);
    const folder = this.#consume(name, 0, (char) => char === '/', true);
    this.#link(folder, loop);
    if (this.#pattern[this.#at] !== '/') return name;
    this.#at += 1;
    return loop;
  }

  /** Matches one name. */
  #name(from: State): State {
    const next = this.#consume(from, 0, isNameChar);
    this.#link(this.#consume(next, 0, isNameChar), next);
    return next;
  }

  #set(from: State): State {
    const [text, not, members] = /^\[([!^]?)(\]?[^\]/]*)\]/u.exec(this.#pattern.slice(this.#at)) ?? [];
    if (text === undefined || members === undefined) return this.#literal(from);
    const accepts = membersOf(members);
    return this.#consume(from, text.length, (char) => isNameChar(char) && accepts(char) === (not === ''));
  }

  #alternatives(from: State, close: number): State {
    const end = this.#add({ to: [] });
    while (this.#at < close) {
      this.#at += 1;
      const branch = this.#add({ to: [] });
      this.#link(from, branch);
      this.#link(this.#sequence(branch, this.#separator(close)), end);
    }
    this.#at = close + 1;
    return end;
  }

  /** Returns the position of the next comma of a brace expression, or of its end. */
  #separator(close: number): number {
    for (let at = this.#at; at < close; at += 1) {
      const char = this.#pattern[at];
      if (char === ',') return at;
      if (char === '\\') at += 1;
      else if (char === '{') at = this.#closing.get(at) ?? at;
    }
    return close;
  }

  #link(from: State, to: State): void {
    const step = this.#steps[from];
    if (step !== undefined && 'to' in step) step.to.push(to);
  }
}

function isNameChar(char: string): boolean {
  return char !== '/';
}

/** Returns whether a character is in a set such as `a-z0`. */
function membersOf(members: string): (char: string) => boolean {
  const chars = [...members];
  const singles = new Set<string>();
  const ranges: [string, string][] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const [first = '', dash, last] = chars.slice(at, at + 3);
    if (dash === '-' && last !== undefined) {
      ranges.push([first, last]);
      at += 2;
    } else singles.add(first);
  }
  return (char) => singles.has(char) || ranges.some(([first, last]) => first <= char && char <= last);
}

/** Braces without a comma, and those that are not closed, are ordinary characters, as in shells. */
function closingBraces(pattern: string): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: { readonly at: number; comma: boolean }[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at];
    const inner = open.at(-1);
    if (char === '\\') at += 1;
    else if (char === '{') open.push({ at, comma: false });
    else if (char === ',' && inner !== undefined) inner.comma = true;
    else if (char === '}' && inner !== undefined) {
      open.pop();
      if (inner.comma) closing.set(inner.at, at);
    }
  }
  return closing;
}
