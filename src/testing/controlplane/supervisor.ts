/** Processes of a control plane, which end with the process that started them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { packageFolder } from './build/checkout.ts';
import type { ServerCommand } from './servers.ts';

/** Exit of a server. */
export interface ServerExit {
  readonly name: string;
  readonly code?: number | null;
  readonly signal?: string | null;
  /** Reason why the program could not be started. */
  readonly error?: string;
}

/** A line of the watchdog. */
type Line = ServerExit & { readonly requested?: true };

/**
 * Runs servers in a folder through a watchdog process. The watchdog stops them and removes the folder on
 * `close`, or when this process ends for any reason. It does not keep this process alive.
 */
export class Supervisor {
  /**
   * The folder of the servers: their files and their logs, `<name>.log`. It exists once the watchdog has
   * started.
   */
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
      // A session of its own: signals of a terminal are handled by the test runner, which stops the servers.
      detached: true,
      env: { PATH: process.env['PATH'] },
    });
    this.#listen();
    this.#endWithRunner();
    this.#ended = this.#cleanUpAfterwards();
  }

  /** Servers that have ended on their own. */
  get exits(): readonly ServerExit[] {
    return this.#exits;
  }

  /** Whether all servers are being stopped. */
  get isClosing(): boolean {
    return this.#closing;
  }

  /** Writes files into the folder, readable by this user only, and starts a server. */
  run(server: ServerCommand, files: Readonly<Record<string, string>> = {}): void {
    this.#watchdog.stdin?.write(`${JSON.stringify({ files, server })}\n`);
  }

  /**
   * Stops one server, by force if it takes too long. Resolves when it is not running, also if it never ran or
   * all servers are being stopped. Its exit is removed from `exits`.
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

  /** Stops the servers and removes the folder. Resolves when that is done. */
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
    // Writing to a watchdog that has ended fails; its end is detected separately.
    stdin?.on('error', () => undefined);
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
    if (stdout) {
      createInterface(stdout).on('line', (line) => this.#receive(lineOf(line)));
    }
  }

  #receive({ requested, ...exit }: Line): void {
    if (requested) this.#endings.get(exit.name)?.();
    else this.#exits.push(exit);
  }

  /**
   * A worker of a test runner survives a runner that was killed, and its tests would keep the servers
   * running. Polled, because a listener on the channel to the runner would keep this process alive.
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

  /** A watchdog with exit code 0 has cleaned up; one that was killed has not. */
  async #cleanUpAfterwards(): Promise<void> {
    const { code, error } = await exitOf(this.#watchdog);
    if (code !== 0) {
      killGroup(this.#watchdog.pid);
      await this.#lastWords();
    }
    const reason = error ?? (this.#errors.trim() || `ended with code ${code}`);
    if (!this.#closing) this.#exits.push({ name: 'watchdog', error: reason });
    if (code !== 0) await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Waits for the rest of the watchdog's standard error, which may be read after its exit. */
  async #lastWords(): Promise<void> {
    const { stderr } = this.#watchdog;
    if (stderr === null) return;
    if (stderr instanceof Socket) stderr.ref();
    await finished(stderr).catch(() => undefined);
  }
}

/** Returns the exit of a process, or the reason why it could not be started. */
async function exitOf(child: ChildProcess): Promise<{ readonly code?: unknown; readonly error?: string }> {
  return once(child, 'exit').then(
    ([code]: readonly unknown[]) => ({ code }),
    (error: Error) => ({ error: error.message }),
  );
}

/** Kills the servers of a watchdog that was killed, which are in its process group. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // ESRCH is expected: the group has no processes left.
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
