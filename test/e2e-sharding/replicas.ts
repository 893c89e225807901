/** Replicas of a ring, and the log of their events. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { unique } from '../support/cluster-tests.ts';
import type { ReplicaArguments, ReplicaEvent } from './protocol.ts';

/** A write, and the process that printed it. */
export type LoggedWrite = Extract<ReplicaEvent, { type: 'write' }> & { readonly identity: string };

/** One process. */
export class Replica {
  readonly identity: string;
  readonly events: ReplicaEvent[] = [];
  readonly #child: ChildProcess;
  #stderr = '';

  constructor(folder: string, options: Omit<ReplicaArguments, 'identity'>) {
    this.identity = unique('replica');
    const { tls, auth, ...config } = options.config;
    // Copies of its parts are serialized with their credentials.
    const plain = { ...config, ...(tls && { tls: { ...tls } }), ...(auth && { auth: { ...auth } }) };
    const args = JSON.stringify({ ...options, config: plain, identity: this.identity });
    this.#child = spawn(process.execPath, [join(folder, 'replica.js'), args], { stdio: 'pipe' });
    if (this.#child.stdout === null || this.#child.stderr === null) throw new Error('a child without pipes');
    // Each line is an event of `replica.ts`.
    createInterface(this.#child.stdout).on('line', (line) =>
      this.events.push(JSON.parse(line) as ReplicaEvent),
    );
    this.#child.stderr.on('data', (bytes) => {
      this.#stderr += String(bytes);
    });
  }

  get stderr(): string {
    return this.#stderr;
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  get writes(): readonly LoggedWrite[] {
    return this.events.flatMap((event) =>
      event.type === 'write' ? [{ ...event, identity: this.identity }] : [],
    );
  }

  signal(name: 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name);
  }

  async exited(): Promise<void> {
    if (!this.hasExited) await once(this.#child, 'exit');
  }

  async kill(): Promise<void> {
    if (!this.hasExited) this.#child.kill('SIGKILL');
    await this.exited();
  }
}
