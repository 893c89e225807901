/** Parser of the scripts that Kubernetes' tests run in containers: the part of POSIX shell that they use. */

/** A part of a word. Parts in quotes are not split. */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: 'variable'; readonly name: string; readonly isQuoted: boolean }
  | { readonly kind: 'command'; readonly script: string; readonly isQuoted: boolean };

export type Word = readonly WordPart[];

/** A redirection of an output, or of the input with `<`. */
export interface Redirection {
  readonly stream: 0 | 1 | 2;
  readonly operator: '>' | '>>' | '<' | '>&';
  readonly target: Word;
}

export type Command =
  | {
      readonly kind: 'simple';
      readonly assignments: readonly (readonly [string, Word])[];
      readonly words: readonly Word[];
      readonly redirections: readonly Redirection[];
    }
  | { readonly kind: 'if'; readonly condition: List; readonly then: List; readonly otherwise: List }
  | { readonly kind: 'while'; readonly condition: List; readonly body: List; readonly isUntil: boolean }
  | { readonly kind: 'for'; readonly name: string; readonly words: readonly Word[]; readonly body: List }
  | { readonly kind: 'group'; readonly body: List }
  | { readonly kind: 'function'; readonly name: string; readonly body: List };

export interface Pipeline {
  readonly commands: readonly Command[];
  readonly isNegated: boolean;
  /** Operator after the pipeline. */
  readonly operator: ';' | '&&' | '||' | '&';
}

export type List = readonly Pipeline[];

type Token = { readonly word: Word; readonly plain: string | undefined } | { readonly operator: string };

const operators = ['&&', '||', ';;', '2>>', '2>&', '2>', '>>', '>&', '>', '<', ';', '&', '|', '(', ')', '\n'];

/** Parses a script. */
export function parse(script: string): List {
  return new Parser(tokensOf(script)).list([]);
}

function tokensOf(script: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < script.length) {
    const char = script.charAt(at);
    const operator = operators.find((each) => script.startsWith(each, at));
    if (char === ' ' || char === '\t' || char === '\r') at += 1;
    else if (char === '#') at = endOfLine(script, at);
    else if (script.startsWith('\\\n', at)) at += 2;
    else if (operator !== undefined) {
      tokens.push({ operator: operator === '\n' ? ';' : operator });
      at += operator.length;
    } else {
      const [word, end] = wordAt(script, at);
      tokens.push({ word, plain: plainOf(word) });
      at = end;
    }
  }
  return tokens;
}

function endOfLine(script: string, at: number): number {
  const end = script.indexOf('\n', at);
  return end < 0 ? script.length : end;
}

function plainOf(word: Word): string | undefined {
  return word.every((part) => part.kind === 'text' && !part.isQuoted)
    ? word.map((part) => (part.kind === 'text' ? part.text : '')).join('')
    : undefined;
}

function wordAt(script: string, start: number): readonly [Word, number] {
  const parts: WordPart[] = [];
  let at = start;
  let isQuoted = false;
  const text = (value: string, quoted = isQuoted): void => {
    parts.push({ kind: 'text', text: value, isQuoted: quoted });
  };
  while (at < script.length) {
    const char = script.charAt(at);
    if (!isQuoted && /[\s;&|<>()]/.test(char)) break;
    if (char === '"') {
      isQuoted = !isQuoted;
      text('', true);
      at += 1;
    } else if (char === "'" && !isQuoted) {
      const end = script.indexOf("'", at + 1);
      text(script.slice(at + 1, end), true);
      at = end + 1;
    } else if (char === '\\') {
      text(script.charAt(at + 1), true);
      at += 2;
    } else if (char === '`') {
      const end = script.indexOf('`', at + 1);
      parts.push({ kind: 'command', script: script.slice(at + 1, end), isQuoted });
      at = end + 1;
    } else if (char === '$') {
      const [part, end] = substitution(script, at, isQuoted);
      parts.push(part);
      at = end;
    } else {
      text(char);
      at += 1;
    }
  }
  return [parts, at];
}

function substitution(script: string, at: number, isQuoted: boolean): readonly [WordPart, number] {
  const next = script.charAt(at + 1);
  if (next === '(' || next === '{') {
    const end = closing(script, at + 1);
    const inner = script.slice(at + 2, end);
    return next === '('
      ? [{ kind: 'command', script: inner, isQuoted }, end + 1]
      : [{ kind: 'variable', name: inner, isQuoted }, end + 1];
  }
  const [name = ''] = /^([A-Za-z_]\w*|[0-9?$#@*!])/.exec(script.slice(at + 1)) ?? [];
  if (name === '') return [{ kind: 'text', text: '$', isQuoted }, at + 1];
  return [{ kind: 'variable', name, isQuoted }, at + 1 + name.length];
}

/** Returns the index of the bracket that closes the one at `at`. */
function closing(script: string, at: number): number {
  const [open, close] = script.charAt(at) === '(' ? ['(', ')'] : ['{', '}'];
  let depth = 0;
  for (let index = at; index < script.length; index += 1) {
    if (script.charAt(index) === open) depth += 1;
    if (script.charAt(index) === close) depth -= 1;
    if (depth === 0) return index;
  }
  return script.length;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Parses pipelines until one of the words in `ends`. */
  list(ends: readonly string[]): List {
    const list: Pipeline[] = [];
    for (;;) {
      while (this.#skip(';'));
      const token = this.#tokens[this.#at];
      if (token === undefined || ends.includes(wordOf(token) ?? '') || operatorOf(token) === ')') return list;
      list.push(this.#pipeline());
    }
  }

  #pipeline(): Pipeline {
    const isNegated = this.#skipWord('!');
    const commands = [this.#command()];
    while (this.#skip('|')) commands.push(this.#command());
    const operator = operatorOf(this.#tokens[this.#at]);
    if (operator === '&&' || operator === '||' || operator === '&' || operator === ';') {
      this.#at += 1;
      return { commands, isNegated, operator };
    }
    return { commands, isNegated, operator: ';' };
  }

  #command(): Command {
    if (this.#skip('(')) {
      const body = this.list([]);
      this.#skip(')');
      return { kind: 'group', body };
    }
    const word = wordOf(this.#tokens[this.#at]);
    switch (word) {
      case '{':
        return { kind: 'group', body: this.#block('{', '}') };
      case 'if':
        return this.#if();
      case 'while':
      case 'until': {
        this.#at += 1;
        const condition = this.list(['do']);
        return { kind: 'while', condition, body: this.#block('do', 'done'), isUntil: word === 'until' };
      }
      case 'for':
        return this.#for();
      default:
        return this.#isFunction() ? this.#function(word ?? '') : this.#simple();
    }
  }

  #block(begin: string, end: string): List {
    while (this.#skip(';'));
    this.#skipWord(begin);
    const body = this.list([end]);
    this.#skipWord(end);
    return body;
  }

  #if(): Command {
    this.#at += 1;
    const condition = this.list(['then']);
    this.#skipWord('then');
    const then = this.list(['else', 'elif', 'fi']);
    if (wordOf(this.#tokens[this.#at]) === 'elif') {
      const otherwise: List = [{ commands: [this.#if()], isNegated: false, operator: ';' }];
      return { kind: 'if', condition, then, otherwise };
    }
    const otherwise = this.#skipWord('else') ? this.list(['fi']) : [];
    this.#skipWord('fi');
    return { kind: 'if', condition, then, otherwise };
  }

  #for(): Command {
    this.#at += 1;
    const name = wordOf(this.#tokens[this.#at]) ?? '';
    this.#at += 1;
    this.#skipWord('in');
    const words: Word[] = [];
    for (
      let token = this.#tokens[this.#at];
      token !== undefined && 'word' in token;
      token = this.#tokens[this.#at]
    ) {
      words.push(token.word);
      this.#at += 1;
    }
    return { kind: 'for', name, words, body: this.#block('do', 'done') };
  }

  #isFunction(): boolean {
    return operatorOf(this.#tokens[this.#at + 1]) === '(' && operatorOf(this.#tokens[this.#at + 2]) === ')';
  }

  #function(name: string): Command {
    this.#at += 3;
    return { kind: 'function', name, body: this.#block('{', '}') };
  }

  #simple(): Command {
    const assignments: [string, Word][] = [];
    const words: Word[] = [];
    const redirections: Redirection[] = [];
    for (let token = this.#tokens[this.#at]; token !== undefined; token = this.#tokens[this.#at]) {
      if ('operator' in token) {
        const found = redirectionOf(token.operator);
        if (found === undefined) break;
        const target = this.#tokens[this.#at + 1];
        if (target === undefined || !('word' in target)) break;
        redirections.push({ ...found, target: target.word });
        this.#at += 2;
        continue;
      }
      const assignment = words.length === 0 ? assignmentOf(token.word) : undefined;
      if (assignment === undefined) words.push(token.word);
      else assignments.push(assignment);
      this.#at += 1;
    }
    if (words.length === 0 && assignments.length === 0 && redirections.length === 0) this.#at += 1;
    return { kind: 'simple', assignments, words, redirections };
  }

  #skip(operator: string): boolean {
    const isFound = operatorOf(this.#tokens[this.#at]) === operator;
    if (isFound) this.#at += 1;
    return isFound;
  }

  #skipWord(word: string): boolean {
    const isFound = wordOf(this.#tokens[this.#at]) === word;
    if (isFound) this.#at += 1;
    return isFound;
  }
}

function wordOf(token: Token | undefined): string | undefined {
  return token !== undefined && 'word' in token ? token.plain : undefined;
}

function operatorOf(token: Token | undefined): string | undefined {
  return token !== undefined && 'operator' in token ? token.operator : undefined;
}

function redirectionOf(operator: string): Pick<Redirection, 'stream' | 'operator'> | undefined {
  switch (operator) {
    case '<':
      return { stream: 0, operator };
    case '>':
    case '>>':
    case '>&':
      return { stream: 1, operator };
    case '2>':
    case '2>>':
    case '2>&':
      return { stream: 2, operator: operator === '2>' ? '>' : operator === '2>>' ? '>>' : '>&' };
    default:
      return undefined;
  }
}

function assignmentOf(word: Word): [string, Word] | undefined {
  let text = '';
  for (const [index, part] of word.entries()) {
    if (part.kind !== 'text' || part.isQuoted) return undefined;
    if (part.text === '=') return /^[A-Za-z_]\w*$/.test(text) ? [text, word.slice(index + 1)] : undefined;
    text += part.text;
  }
  return undefined;
}
