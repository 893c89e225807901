import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageFolder } from './checkout.ts';
import type { ServerCommand } from './servers.ts';

/** A server that ended, and how. */
export interface ServerExit {
  readonly name: string;
  readonly code?: number | null;
  readonly signal?: string | null;
  /** Why the program could not be started at all. */
  readonly error?: string;
}

/** A line of the watchdog. */
type Line = ServerExit & { readonly asked?: true };

/**
 * Runs servers in a folder through a watchdog process, which ends them and removes the folder when this process does so
 * through `close`, or when this process ends in whatever way. It does not keep this process alive.
 */
export class Supervisor {
  /** The folder of the servers: their files and their logs, `<name>.log`. It is there once the watchdog has started. */
  readonly folder: string;
  readonly #watchdog: ChildProcess;
  #exits: ServerExit[] = [];
  readonly #endings = new Map<string, () => void>();
  readonly #ended: Promise<void>;
  #errors = '';
  #closing = false;

  constructor(folder: string) {
    this.folder = folder;
    const script = join(packageFolder(), 'controlplane', 'watchdog.mjs');
    this.#watchdog = spawn(process.execPath, [script, folder], {
      // A session of its own: signals of a terminal are for the test runner, which takes the servers with it.
      detached: true,
      env: { PATH: process.env['PATH'] },
    });
    this.#listen();
    this.#endWithRunner();
    this.#ended = this.#cleanUpAfterwards();
  }

  /** Servers that have ended on their own so far. */
  get exits(): readonly ServerExit[] {
    return this.#exits;
  }

  /** Whether all servers have been told to end. */
  get isClosing(): boolean {
    return this.#closing;
  }

  /** Writes files into the folder, readable by this user only, and starts a server. */
  run(server: ServerCommand, files: Readonly<Record<string, string>> = {}): void {
    this.#watchdog.stdin?.write(`${JSON.stringify({ files, server })}\n`);
  }

  /**
   * Ends one server, by force if it takes its time; resolves when it does not run any more, be it that it never did, or
   * that all servers are ended meanwhile. How it ended, also earlier and on its own, is forgotten.
   */
  async end(name: string): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#endings.set(name, resolve));
    this.#watchdog.ref();
    this.#watchdog.stdin?.write(`${JSON.stringify({ end: name })}\n`);
    await Promise.race([ended, this.#ended]);
    if (!this.#closing) this.#watchdog.unref();
    this.#endings.delete(name);
    this.#exits = this.#exits.filter((exit) => exit.name !== name);
  }

  /** Ends the servers and removes the folder; resolves when all of it is gone. */
  close(): Promise<void> {
    this.#closing = true;
    this.#watchdog.ref();
    this.#watchdog.stdin?.end();
    return this.#ended;
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#watchdog;
    for (const stream of [stdin, stdout, stderr]) if (stream instanceof Socket) stream.unref();
    this.#watchdog.unref();
    // Writing to a watchdog that ended fails; that it ended is what counts, and is seen on its own.
    stdin?.on('error', () => undefined);
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
    if (stdout) {
      createInterface(stdout).on('line', (line) => this.#hear(lineOf(line)));
    }
  }

  #hear({ asked, ...exit }: Line): void {
    if (asked) this.#endings.get(exit.name)?.();
    else this.#exits.push(exit);
  }

  /**
   * A test runner's worker outlives a runner that was killed, and its tests would keep the servers up. Polled, because a
   * listener on the channel to the runner would keep this process alive.
   */
  #endWithRunner(): void {
    if (!process.connected) return;
    const timer = setInterval(() => {
      if (process.connected) return;
      clearInterval(timer);
      this.#watchdog.stdin?.end();
    }, 250).unref();
    this.#watchdog.once('exit', () => clearInterval(timer));
  }

  /** A watchdog that ends with code 0 has cleaned up; one that was killed has not. */
  async #cleanUpAfterwards(): Promise<void> {
    const { code, error } = await exitOf(this.#watchdog);
    const reason = error ?? (this.#errors.trim() || `ended with code ${code}`);
    if (!this.#closing) this.#exits.push({ name: 'watchdog', error: reason });
    if (code === 0) return;
    killGroup(this.#watchdog.pid);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** How a process ended, or why it could not be started. */
async function exitOf(child: ChildProcess): Promise<{ readonly code?: unknown; readonly error?: string }> {
  return once(child, 'exit').then(
    ([code]: readonly unknown[]) => ({ code }),
    (error: Error) => ({ error: error.message }),
  );
}

/** Ends what a watchdog that was killed has left behind: its servers are in its process group. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // As it should be: nobody of the group is left.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** A line of the watchdog. Never throws: a watchdog that is killed may leave half a line. */
function lineOf(line: string): Line {
  try {
    // The watchdog is part of this package: its lines are events as declared.
    return JSON.parse(line) as Line;
  } catch {
    return { name: 'watchdog', error: `wrote a line that cannot be read: ${line}` };
  }
}
