// One vitest process, restarted after a mutant has hung or terminated it, and the log of its runs.
import { fork } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Milliseconds without progress after which a run is stuck: while a mutant is active, and otherwise. */
const stuckMs = 20_000;
const stuckOriginal = 240_000;

export class Session {
  #folder;
  #size;
  #child;

  /** @param folder for its files; deleted by the caller */
  constructor(folder, mutants) {
    this.#folder = folder;
    this.#size = mutants.length;
    writeFileSync(this.#path('mutants'), JSON.stringify(mutants));
  }

  #path(name) {
    return join(this.#folder, `${name}.json`);
  }

  /**
   * Runs test files: with `active` all tests on that mutant, otherwise each test on all `pending` mutants
   * that it reaches.
   * @returns {{ isOk: boolean, isStuck: boolean, entries: object[] }}
   */
  async run(files, { active, pending = [], slow = Number.POSITIVE_INFINITY, single = [] }) {
    writeFileSync(this.#path('plan'), JSON.stringify({ size: this.#size, active, pending, slow, single }));
    writeFileSync(this.#path('log'), '');
    const child = await this.#started();
    const outcome = await this.#outcome(child, files, active !== undefined);
    return { ...outcome, entries: this.#entries() };
  }

  #entries() {
    const lines = readFileSync(this.#path('log'), 'utf8').split('\n');
    // The last line may be incomplete.
    return lines.slice(0, -1).map((line) => JSON.parse(line));
  }

  async #started() {
    if (this.#child !== undefined) return this.#child;
    const env = {
      ...process.env,
      KGEN_MUTATE_MUTANTS: this.#path('mutants'),
      KGEN_MUTATE_PLAN: this.#path('plan'),
      KGEN_MUTATE_LOG: this.#path('log'),
      // Repeated tests add listeners to one signal.
      NODE_NO_WARNINGS: '1',
    };
    const host = fileURLToPath(new URL('host.mjs', import.meta.url));
    const child = fork(host, { env, detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) => reject(new Error(`vitest ended with ${code}`)));
    });
    this.#child = child;
    return child;
  }

  #outcome(child, files, isActive) {
    return new Promise((resolve) => {
      let [size, since] = [0, Date.now()];
      const end = (outcome) => {
        clearInterval(timer);
        child.removeAllListeners();
        resolve(outcome);
      };
      const stuck = () => {
        this.close();
        end({ isOk: false, isStuck: true });
      };
      const timer = setInterval(() => {
        const now = statSync(this.#path('log')).size;
        if (now !== size) [size, since] = [now, Date.now()];
        const isMutant = isActive || this.#entries().at(-1)?.type === 'start';
        if (Date.now() - since > (isMutant ? stuckMs * (isActive ? 2 : 1) : stuckOriginal)) stuck();
      }, 1000);
      child.once('message', ({ isOk, problem }) => end({ isOk, problem, isStuck: false }));
      child.once('exit', stuck);
      child.send({ files });
    });
  }

  /** Terminates vitest and the process of the test file. */
  close() {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has already exited.
    }
  }
}
