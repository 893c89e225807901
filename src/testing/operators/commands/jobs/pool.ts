/** Processes that run the seeds of a simulation. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Console } from 'kgen/commands';
import type { Task } from './assignment.ts';
import type { WorkerMessage, WorkerStart } from './worker.ts';

/** Time that a process has to end by itself, and to print its last output, in milliseconds. */
const graceMs = 1_000;

/** Number of characters of the last output that an error contains. */
const mostOutput = 2_000;

/** A process of the pool. */
export interface PoolProcess {
  /** Sends a task. */
  start(task: Task): void;
}

/** Observer of the processes. */
export interface PoolObserver {
  readonly onMessage: (from: PoolProcess, message: WorkerMessage) => void;
  /** Called if a process ends, unless all are stopped: `has ended (SIGKILL); its last output: …`. */
  readonly onEnd: (from: PoolProcess, how: string) => void;
}

/** Processes with equal command lines. */
export class Pool {
  readonly #start: WorkerStart;
  readonly #console: Console;
  readonly #observer: PoolObserver;
  readonly #children = new Set<ChildProcess>();
  #isStopped = false;

  constructor(start: WorkerStart, console: Console, observer: PoolObserver) {
    this.#start = start;
    this.#console = console;
    this.#observer = observer;
  }

  /** Starts one more process. */
  add(): void {
    const child = fork(fileURLToPath(new URL('worker.js', import.meta.url)), {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.#children.add(child);
    const { onMessage, onEnd } = this.#observer;
    // A task for a process that has ended is lost: its end is noticed in any case.
    const send = (message: WorkerStart | Task): void => void child.send(message, () => undefined);
    const worker: PoolProcess = { start: send };
    let last = '';
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (output: string) => {
        last = (last + output).slice(-mostOutput);
        this.#console[name].write(output);
      });
    }
    const end = (how: string): void => {
      if (!this.#children.delete(child) || this.#isStopped) return;
      onEnd(worker, last === '' ? how : `${how}; its last output:\n${last.trimEnd()}`);
    };
    // seam: messages are those of the worker.
    child.on('message', (message) => this.#isStopped || onMessage(worker, message as WorkerMessage));
    child.once('error', ({ message }) => end(`cannot start: ${message}`));
    child.once('exit', (code, signal) => {
      const how = `has ended (${signal ?? `exit status ${code}`})`;
      child.once('close', () => end(how));
      // Its own children may keep its output open.
      setTimeout(() => end(how), graceMs).unref();
    });
    send(this.#start);
  }

  /** Ends all processes. Resolves once they have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#children].map(stopped));
  }
}

function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
    return Promise.resolve();
  return new Promise((resolve) => {
    const kill = setTimeout(() => child.kill('SIGKILL'), graceMs);
    child.once('exit', () => {
      clearTimeout(kill);
      resolve();
    });
    if (child.connected) child.disconnect();
  });
}
