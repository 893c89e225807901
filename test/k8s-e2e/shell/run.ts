/** Interpreter of the scripts in containers, on the clock of the server. */
import type { ContainerFile } from '../../../src/testserver/index.ts';
import { builtins } from './builtins.ts';
import type { Input } from './input.ts';
import { type Command, type List, type Pipeline, parse, type Redirection, type Word } from './parse.ts';

/** The container of a script. */
export interface ShellHost {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  file(path: string): ContainerFile | undefined;
  files(prefix: string): readonly string[];
  write(path: string, content: string | undefined, mode?: number): void;
  now(): number;
  /** Whether the program may write a file at this path. */
  mayWrite(path: string): boolean;
  readonly isPrivileged: boolean;
  /** Returns a kernel parameter that the pod sets. */
  sysctl(name: string): string | undefined;
  /** User and group of the process. */
  readonly user: number;
  readonly group: number;
  /** Runs a program that is not part of the shell. `undefined` if it does not exist. */
  program(words: readonly string[], io: Streams): Generator<number, number> | undefined;
}

/** Streams of one command. */
export interface Streams {
  readonly input: string;
  /** Input that arrives later, after `input`. */
  readonly source?: Input | undefined;
  out(text: string): void;
  error(text: string): void;
}

/** Ends a script. */
export class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** A shell with its variables, functions and traps. */
export class Shell {
  readonly host: ShellHost;
  readonly variables: Map<string, string>;
  readonly exported: Set<string>;
  readonly traps = new Map<string, string>();
  readonly #functions = new Map<string, List>();
  args: readonly string[];
  status = 0;

  /** Path of the shell, as in its errors. */
  readonly path: string;

  constructor(host: ShellHost, args: readonly string[] = [], path = 'sh') {
    this.path = path;
    this.host = host;
    this.args = args;
    this.variables = new Map(Object.entries(host.env));
    this.exported = new Set(Object.keys(host.env));
  }

  /** Runs a script to its end, and returns its exit code. */
  *main(script: string, io: Streams): Generator<number, number> {
    try {
      return yield* this.#list(parse(script), io);
    } catch (error) {
      if (error instanceof Exit) return error.code;
      throw error;
    }
  }

  /** Runs the lines of an input until it ends or a line exits. */
  *interactive(input: Input, io: Streams): Generator<number, number> {
    for (;;) {
      const line = yield* input.line();
      if (line === undefined) return this.status;
      try {
        yield* this.run(line, io);
      } catch (error) {
        if (error instanceof Exit) return error.code;
        throw error;
      }
    }
  }

  /** Runs a script within this shell. */
  *run(script: string, io: Streams): Generator<number, number> {
    return yield* this.#list(parse(script), io);
  }

  /** Waits. A signal with a trap runs its commands, and then continues. */
  *sleep(ms: number, io: Streams): Generator<number, void> {
    try {
      yield ms;
    } catch (error) {
      const trap = this.traps.get('TERM');
      if (trap === undefined || !(error instanceof Error) || error.name !== 'SIGTERM') throw error;
      yield* this.run(trap, io);
    }
  }

  *#list(list: List, io: Streams): Generator<number, number> {
    let isSkipped = false;
    for (const pipeline of list) {
      if (!isSkipped) this.status = yield* this.#pipeline(pipeline, io);
      const { operator } = pipeline;
      isSkipped = operator === '&&' ? this.status !== 0 : operator === '||' ? this.status === 0 : false;
    }
    return this.status;
  }

  *#pipeline({ commands, isNegated, operator }: Pipeline, io: Streams): Generator<number, number> {
    let { input, source } = io;
    let code = 0;
    for (const [index, command] of commands.entries()) {
      if (index === commands.length - 1)
        code = yield* this.#background(command, { ...io, input, source }, operator);
      else {
        let output = '';
        const out = (text: string): void => {
          output += text;
        };
        code = yield* this.#command(command, { input, source, out, error: io.error });
        input = output;
        source = undefined;
      }
    }
    return isNegated ? Number(code === 0) : code;
  }

  /** A command in the background has no duration. */
  *#background(command: Command, io: Streams, operator: string): Generator<number, number> {
    if (operator !== '&') return yield* this.#command(command, io);
    const job = this.#command(command, io);
    for (let step = job.next(), count = 0; step.done !== true && count < 100; step = job.next()) count += 1;
    return 0;
  }

  *#command(command: Command, io: Streams): Generator<number, number> {
    switch (command.kind) {
      case 'simple':
        return yield* this.#simple(command, io);
      case 'group':
        return yield* this.#list(command.body, io);
      case 'function':
        this.#functions.set(command.name, command.body);
        return 0;
      case 'if': {
        const isTrue = (yield* this.#list(command.condition, io)) === 0;
        return yield* this.#list(isTrue ? command.then : command.otherwise, io);
      }
      case 'while':
        for (;;) {
          const isTrue = (yield* this.#list(command.condition, io)) === 0;
          if (isTrue === command.isUntil) return 0;
          yield* this.#list(command.body, io);
        }
      case 'for':
        for (const word of yield* this.#expandAll(command.words, io)) {
          this.variables.set(command.name, word);
          yield* this.#list(command.body, io);
        }
        return this.status;
      default:
        return 0;
    }
  }

  *#simple(
    { assignments, words, redirections }: Command & { readonly kind: 'simple' },
    io: Streams,
  ): Generator<number, number> {
    // Variables of the command are expanded before its assignments have an effect.
    const expanded = yield* this.#expandAll(words, io);
    const before = new Map(this.variables);
    for (const [name, word] of assignments)
      this.variables.set(name, (yield* this.#expand(word, io)).join(' '));
    if (expanded.length === 0 && redirections.length === 0) return this.status;
    const written = yield* this.#redirected(redirections, io);
    if (typeof written === 'number') return written;
    const code = yield* this.#execute(expanded, written.io);
    written.flush();
    if (assignments.length > 0 && expanded.length > 0)
      for (const [name] of assignments) restore(this.variables, before, name);
    return code;
  }

  *#execute(words: readonly string[], io: Streams): Generator<number, number> {
    const [name = '', ...args] = words;
    if (name === '') return 0;
    const body = this.#functions.get(name);
    if (body !== undefined) return yield* this.#list(body, io);
    const builtin = builtins[name.slice(name.lastIndexOf('/') + 1)];
    if (builtin !== undefined) return yield* builtin(this, args, io);
    const program = this.host.program(words, io);
    if (program !== undefined) return yield* program;
    io.error(`${this.path}: ${name}: not found\n`);
    return 127;
  }

  *#redirected(
    redirections: readonly Redirection[],
    io: Streams,
  ): Generator<number, number | { readonly io: Streams; readonly flush: () => void }> {
    let next = io;
    const flushes: (() => void)[] = [];
    for (const { stream, operator, target } of redirections) {
      const path = (yield* this.#expand(target, io)).join(' ');
      if (operator === '>&') {
        const { out, error } = next;
        next = stream === 2 && path === '1' ? { ...next, error: out } : { ...next, out: error };
      } else if (operator === '<') {
        const file = this.host.file(path);
        if (file === undefined) {
          io.error(`${this.path}: can't open ${path}: no such file\n`);
          return 1;
        }
        next = { ...next, input: file.content, source: undefined };
      } else if (path === '/dev/null' || path === '/dev/stdout' || path === '/dev/stderr') {
        if (path === '/dev/null') next = stream === 2 ? { ...next, error: ignore } : { ...next, out: ignore };
      } else {
        if (!this.host.mayWrite(path)) {
          io.error(`${this.path}: can't create ${path}: Read-only file system\n`);
          return 1;
        }
        let content = operator === '>>' ? (this.host.file(path)?.content ?? '') : '';
        const write = (text: string): void => {
          content += text;
        };
        flushes.push(() => this.host.write(path, content));
        next = stream === 2 ? { ...next, error: write } : { ...next, out: write };
      }
    }
    return { io: next, flush: () => void flushes.map((flush) => flush()) };
  }

  *#expandAll(words: readonly Word[], io: Streams): Generator<number, readonly string[]> {
    const all: string[] = [];
    for (const word of words) all.push(...(yield* this.#expand(word, io)));
    return all;
  }

  /** Expands a word: text without quotes is split at blanks. */
  *#expand(word: Word, io: Streams): Generator<number, readonly string[]> {
    const fields: string[] = [];
    let current = '';
    let isPresent = false;
    for (const part of word) {
      const value =
        part.kind === 'text'
          ? part.text
          : part.kind === 'variable'
            ? this.#variable(part.name, io)
            : yield* this.#output(part.script, io);
      if (part.kind === 'text' || part.isQuoted) {
        current += value;
        isPresent ||= part.isQuoted || value !== '';
        continue;
      }
      const pieces = value.split(/\s+/);
      for (const [index, piece] of pieces.entries()) {
        if (index > 0 && (isPresent || current !== '')) {
          fields.push(current);
          current = '';
          isPresent = false;
        }
        current += piece;
        isPresent ||= piece !== '';
      }
    }
    if (isPresent) fields.push(current);
    return fields;
  }

  *#output(script: string, io: Streams): Generator<number, string> {
    const sum = /^\((.*)\)$/s.exec(script);
    if (sum !== null) return String(this.#arithmetic(sum[1] ?? ''));
    let output = '';
    const out = (text: string): void => {
      output += text;
    };
    this.status = yield* this.#list(parse(script), { ...io, out });
    return output.replace(/\n+$/, '');
  }

  #arithmetic(expression: string): number {
    const [left = '', operator = '+', right = '0'] =
      /^\s*\$?(\w+)\s*(?:([-+*/%])\s*\$?(\w+))?\s*$/.exec(expression)?.slice(1) ?? [];
    const value = (each: string): number =>
      Number(/^\d+$/.test(each) ? each : (this.variables.get(each) ?? 0));
    const [a, b] = [value(left), value(right)];
    return { '+': a + b, '-': a - b, '*': a * b, '/': Math.trunc(a / b), '%': a % b }[operator] ?? 0;
  }

  #variable(expression: string, io: Streams): string {
    const [, name = '', operator, word = ''] = /^(\w+|[?$#@*!])(:?[-=?+])?(.*)$/s.exec(expression) ?? [];
    const value = this.#value(name);
    if (operator === undefined || value !== '') return value;
    if (operator.endsWith('?')) {
      io.error(`${this.path}: ${name}: parameter not set\n`);
      throw new Exit(2);
    }
    return operator.endsWith('+') ? '' : word;
  }

  #value(name: string): string {
    if (name === '?') return String(this.status);
    if (name === '$') return '1';
    if (name === '#') return String(Math.max(this.args.length - 1, 0));
    if (name === '@' || name === '*') return this.args.slice(1).join(' ');
    return /^\d+$/.test(name) ? (this.args[Number(name)] ?? '') : (this.variables.get(name) ?? '');
  }
}

function ignore(): void {
  // The output is discarded.
}

function restore(variables: Map<string, string>, before: ReadonlyMap<string, string>, name: string): void {
  const value = before.get(name);
  if (value === undefined) variables.delete(name);
  else variables.set(name, value);
}
