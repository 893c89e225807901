/** Processes of tests that print their events, one JSON document per line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ClusterConfig } from '@kgen/runtime';
import { vi } from 'vitest';
import { deadline } from './cluster-tests.ts';

/** One process. */
export class EventProcess<
  Event extends { readonly type: string },
  Arguments extends { readonly config: ClusterConfig },
> {
  readonly events: Event[] = [];
  /** Resolves with the exit code; `null` after a signal that ended the process. */
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcess;
  #output = '';

  /** Starts a module with its arguments as JSON. */
  constructor(module: string, { config, ...args }: Arguments) {
    const json = JSON.stringify({ ...args, config: plain(config) });
    const child = spawn(process.execPath, [module, json], { stdio: 'pipe' });
    this.#child = child;
    this.exited = once(child, 'exit').then(() => child.exitCode);
    createInterface(child.stdout).on('line', (line) => this.#read(line));
    child.stderr.on('data', (bytes) => {
      this.#output += String(bytes);
    });
    child.stdin.on('error', () => undefined);
  }

  /** Log and errors. */
  get output(): string {
    return this.#output;
  }

  get pid(): string {
    return String(this.#child.pid);
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Last event and end of the output, for failures of tests. */
  get summary(): string {
    return `process ${this.pid}: ${JSON.stringify(this.events.at(-1))} ${this.#output.slice(-2000)}`;
  }

  /** Sends a command as a line of standard input. */
  send(command: object): void {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void {
    this.#child.kill(name);
  }

  async kill(): Promise<void> {
    if (!this.hasExited) this.#child.kill('SIGKILL');
    await this.exited;
  }

  /** Returns the events of a type. */
  of<Type extends Event['type']>(type: Type): readonly Extract<Event, { readonly type: Type }>[] {
    return this.events.filter(
      (event): event is Extract<Event, { readonly type: Type }> => event.type === type,
    );
  }

  /** Waits for the first event of a type. */
  event<Type extends Event['type']>(type: Type): Promise<Extract<Event, { readonly type: Type }>> {
    return this.#eventAt(type, 0);
  }

  /**
   * Waits for one more event of a type. After a write, the process pauses before its next one, so that a
   * signal does not stop it between a check and its request.
   */
  next<Type extends Event['type']>(type: Type): Promise<Extract<Event, { readonly type: Type }>> {
    return this.#eventAt(type, this.of(type).length);
  }

  /** Waits for a string in the log. */
  async untilLogged(expected: string): Promise<void> {
    await vi.waitFor(() => {
      if (!this.#output.includes(expected)) throw new Error(`no "${expected}" in the log: ${this.summary}`);
    }, deadline);
  }

  #eventAt<Type extends Event['type']>(
    type: Type,
    index: number,
  ): Promise<Extract<Event, { readonly type: Type }>> {
    return vi.waitFor(
      () => {
        const event = this.of(type)[index];
        if (event === undefined) throw new Error(`no event ${type}: ${this.summary}`);
        return event;
      },
      { ...deadline, interval: 1 },
    );
  }

  /** The log may be on the same stream as the events. */
  #read(line: string): void {
    if (line.startsWith('{"type":')) this.events.push(JSON.parse(line) as Event);
    else this.#output += `${line}\n`;
  }
}

/** Returns a copy of a configuration that is serialized with its credentials. */
function plain({ tls, auth, ...config }: ClusterConfig): ClusterConfig {
  return { ...config, ...(tls && { tls: { ...tls } }), ...(auth && { auth: { ...auth } }) };
}
