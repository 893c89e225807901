/** Processes with a manager, and the log of their events. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished, vi } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import type { ProgramArguments, ProgramEvent } from './protocol.ts';

/** One process, which ends with its test. */
export class ProgramProcess {
  readonly events: ProgramEvent[] = [];
  /** Resolves with the exit code; `null` after a signal that ended the process. */
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcess;
  #output = '';

  constructor(folder: string, args: ProgramArguments) {
    const { tls, auth, ...config } = args.config;
    // Copies of its parts are serialized with their credentials.
    const plain = { ...config, ...(tls && { tls: { ...tls } }), ...(auth && { auth: { ...auth } }) };
    const json = JSON.stringify({ ...args, config: plain });
    const child = spawn(process.execPath, [join(folder, 'program.js'), json], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.exited = once(child, 'exit').then(() => child.exitCode);
    createInterface(child.stdout).on('line', (line) => this.#read(line));
    child.stderr.on('data', (bytes) => {
      this.#output += String(bytes);
    });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await this.exited;
    });
  }

  /** Log and errors. */
  get output(): string {
    return this.#output;
  }

  get pid(): string {
    return String(this.#child.pid);
  }

  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void {
    this.#child.kill(name);
  }

  /** Waits for one more event. After a write, the process pauses before its next one. */
  async next(type: ProgramEvent['type']): Promise<ProgramEvent> {
    const found = (): readonly ProgramEvent[] => this.events.filter((event) => event.type === type);
    const before = found().length;
    return vi.waitFor(
      () => {
        const event = found()[before];
        if (event === undefined)
          throw new Error(`process ${this.pid} has no ${type}: ${this.#output.slice(-2000)}`);
        return event;
      },
      { ...deadline, interval: 1 },
    );
  }

  /** Waits for text in the log. */
  async logged(text: string): Promise<void> {
    await vi.waitFor(() => {
      if (!this.#output.includes(text))
        throw new Error(`no "${text}" in the log: ${this.#output.slice(-2000)}`);
    }, deadline);
  }

  /** The log is on the same stream as the events: events are JSON. */
  #read(line: string): void {
    if (line.startsWith('{"type":')) this.events.push(JSON.parse(line) as ProgramEvent);
    else this.#output += `${line}\n`;
  }
}
