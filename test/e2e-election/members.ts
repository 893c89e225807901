/** Processes of an election, and the log of their events. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { vi } from 'vitest';
import { deadline, unique } from '../support/cluster-tests.ts';
import type { MemberArguments, MemberCommand, MemberEvent } from './protocol.ts';

/** An event, and the process that printed it. */
export type LoggedEvent = MemberEvent & { readonly identity: string };

/** One process. */
export class Member {
  readonly identity: string;
  readonly events: MemberEvent[] = [];
  readonly #child: ChildProcess;
  #stderr = '';

  constructor(folder: string, options: Omit<MemberArguments, 'identity'>) {
    this.identity = unique('member');
    const { tls, auth, ...config } = options.config;
    // Copies of its parts are serialized with their credentials.
    const plain = { ...config, ...(tls && { tls: { ...tls } }), ...(auth && { auth: { ...auth } }) };
    const args = JSON.stringify({ ...options, config: plain, identity: this.identity });
    this.#child = spawn(process.execPath, [join(folder, 'member.js'), args], { stdio: 'pipe' });
    if (this.#child.stdout === null || this.#child.stderr === null) throw new Error('a child without pipes');
    // Each line is an event of `member.ts`.
    createInterface(this.#child.stdout).on('line', (line) =>
      this.events.push(JSON.parse(line) as MemberEvent),
    );
    this.#child.stderr.on('data', (bytes) => {
      this.#stderr += String(bytes);
    });
    this.#child.stdin?.on('error', () => undefined);
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Last event and errors, for failures of tests. */
  get summary(): string {
    return `${this.identity}: ${JSON.stringify(this.events.at(-1))} ${this.#stderr.slice(-500)}`;
  }

  get logged(): readonly LoggedEvent[] {
    return this.events.map((event) => ({ ...event, identity: this.identity }));
  }

  command(command: MemberCommand): void {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name);
  }

  /** Waits for an event. */
  event<Type extends MemberEvent['type']>(type: Type): Promise<Extract<MemberEvent, { type: Type }>> {
    const isWanted = (event: MemberEvent): event is Extract<MemberEvent, { type: Type }> =>
      event.type === type;
    return vi.waitFor(() => {
      const found = this.events.find(isWanted);
      if (found !== undefined) return found;
      throw new Error(`no event ${type}: ${this.summary}`);
    }, deadline);
  }

  /**
   * Waits for the end of one more write. The process then pauses, so that a signal does not stop it between a
   * check and its request.
   */
  async nextWrite(): Promise<void> {
    const writes = (): number => this.events.filter(({ type }) => type === 'write').length;
    const before = writes();
    await vi.waitFor(
      () => {
        if (writes() === before) throw new Error(`no write: ${this.summary}`);
      },
      { ...deadline, interval: 1 },
    );
  }

  async kill(): Promise<void> {
    if (this.hasExited) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
