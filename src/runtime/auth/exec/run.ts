/** Runs a program to its end, within limits. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { errorCodeOf } from '../../common/error-code.ts';
import type { Hold } from '../shared-work.ts';
import { endTree, startWithThisProcess } from './tree.ts';

/** Maximum bytes of standard output. */
const maxOutput = 1024 * 1024;
/** Number of last bytes of standard error that are kept. */
const keptErrors = 8 * 1024;
/**
 * Milliseconds for which the output of an ended program is still read: its child processes may hold it open.
 */
const lingerMs = 1000;

/** A program and its environment. */
export interface Program {
  /** Absolute path. */
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether it shares the terminal of this process. */
  readonly interactive: boolean;
  /**
   * Whether it inherits the standard error of this process; otherwise it is read here, and passed to `show`.
   */
  readonly inheritErrors: boolean;
  readonly show: (chunk: Uint8Array) => void;
  /** Milliseconds after which it is killed, with its descendants. */
  readonly timeoutMs: number | undefined;
}

/** Outcome of a program. */
export type Outcome =
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'killed'; readonly signal: string }
  | { readonly how: 'unstartable'; readonly code: string | undefined }
  | { readonly how: 'late'; readonly timeoutMs: number }
  | { readonly how: 'flooding'; readonly maxOutput: number };

/** Result of a program. */
export interface Ended {
  readonly outcome: Outcome;
  readonly stdout: Uint8Array;
  /** The last bytes of its standard error. */
  readonly stderr: Uint8Array;
}

class Run {
  readonly #program: Program;
  readonly #hold: Hold;
  readonly #child: ChildProcess;
  readonly #settle: (ended: Ended) => void;
  readonly #stdout: Uint8Array[] = [];
  #length = 0;
  #stderr: Uint8Array = new Uint8Array();
  #outcome: Outcome | undefined;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #forget: () => void;

  constructor(program: Program, hold: Hold, settle: (ended: Ended) => void) {
    this.#program = program;
    this.#hold = hold;
    this.#settle = settle;
    const start = () => spawn(program.path, program.args, spawnOptions(program));
    const { child, forget } = startWithThisProcess(start, program.interactive);
    this.#child = child;
    this.#forget = forget;
    this.#hold.add(this.#child);
    this.#listen();
    const { timeoutMs } = program;
    if (timeoutMs !== undefined) this.#after(timeoutMs, () => this.#late(timeoutMs));
  }

  #listen(): void {
    const child = this.#child;
    child.on('error', (error) => this.#finish({ how: 'unstartable', code: errorCodeOf(error) }));
    child.on('exit', (code, signal) => {
      this.#outcome =
        code === null ? { how: 'killed', signal: signal ?? 'a signal' } : { how: 'exited', code };
      this.#after(lingerMs, () => this.#finish());
    });
    child.on('close', () => this.#finish());
    for (const stream of [child.stdout, child.stderr]) {
      // The pipes of a child process are sockets, which its type does not declare.
      if (stream !== null) this.#hold.add(stream as unknown as { ref(): unknown; unref(): unknown });
      // Errors of a pipe are ignored: the exit of the program decides its outcome.
      stream?.on('error', () => stream.destroy());
    }
    child.stdout?.on('data', (chunk: Uint8Array) => this.#read(chunk));
    child.stderr?.on('data', (chunk: Uint8Array) => this.#readError(chunk));
  }

  #read(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.#length > maxOutput) this.#stop({ how: 'flooding', maxOutput });
    else this.#stdout.push(chunk);
  }

  #readError(chunk: Uint8Array): void {
    this.#program.show(chunk);
    this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-keptErrors);
  }

  #after(ms: number, act: () => void): void {
    const timer = setTimeout(act, Math.min(ms, 2 ** 31 - 1));
    this.#timers.push(timer);
    this.#hold.add(timer);
  }

  /** A program that has ended in time is not timed out if its child processes hold its output open. */
  #late(timeoutMs: number): void {
    if (this.#outcome === undefined) this.#stop({ how: 'late', timeoutMs });
    else this.#finish();
  }

  #stop(outcome: Outcome): void {
    endTree(this.#child);
    this.#finish(outcome);
  }

  /** Releases everything, even if child processes of the program still run. */
  #finish(outcome: Outcome | undefined = this.#outcome): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#forget();
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#child.unref();
    const stdout = Buffer.concat(this.#stdout);
    this.#settle({ outcome: outcome ?? { how: 'killed', signal: 'a signal' }, stdout, stderr: this.#stderr });
  }
}

/**
 * The program stays in the process group of this process, so that a terminal ends, stops and continues both.
 */
function spawnOptions({ env, interactive, inheritErrors }: Program): SpawnOptions {
  return {
    env,
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', inheritErrors ? 'inherit' : 'pipe'],
    windowsHide: true,
  };
}

/** Runs a program. Never rejects: failures are outcomes. */
export function runProgram(program: Program, hold: Hold): Promise<Ended> {
  return new Promise((resolve) => {
    try {
      new Run(program, hold, resolve);
    } catch (error) {
      // Node throws for arguments that the system rejects. The error contains them, so it is not passed on.
      const outcome: Outcome = { how: 'unstartable', code: errorCodeOf(error) };
      resolve({ outcome, stdout: new Uint8Array(), stderr: new Uint8Array() });
    }
  });
}
