// An operator as a process: its output, processor time and memory, from /proc.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const ticksPerSecond = 100;

/** A running operator. */
export class OperatorProcess {
  #child;
  #lines;
  #ended;

  constructor({ command, args = [], cwd }, settings) {
    const env = { ...process.env, SETTINGS: JSON.stringify(settings) };
    this.#child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#ended = once(this.#child, 'exit');
  }

  /** Returns the next line of the output. */
  async line() {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the operator ended early');
    return value;
  }

  /** Returns the live heap after a garbage collection, in MB; NaN for programs without one. */
  async heapMb() {
    this.#child.stdin.write('\n');
    return Number(await this.line()) / 1e6;
  }

  /** Requests that the program writes its tape, and waits for its line. */
  async save() {
    this.#child.kill('SIGUSR2');
    await this.line();
  }

  /** Processor time of the process until now, user and system, in seconds. */
  cpuSeconds() {
    // The name in parentheses may contain spaces.
    const stat = this.#read('stat').replace(/^.*\) /s, '');
    const fields = stat.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }

  /** Time for which threads that still exist have run, in seconds, in more precise steps. */
  threadSeconds() {
    const threads = readdirSync(`/proc/${this.#child.pid}/task`);
    const times = threads.map((thread) => Number(this.#read(`task/${thread}/schedstat`).split(' ')[0]));
    return times.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e9;
  }

  /** Peak resident memory, in MB. */
  peakMb() {
    return (Number(/VmHWM:\s+(\d+) kB/.exec(this.#read('status'))[1]) * 1024) / 1e6;
  }

  async stop() {
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5000);
    await this.#ended;
    clearTimeout(timer);
  }

  #read(name) {
    return readFileSync(`/proc/${this.#child.pid}/${name}`, 'utf8');
  }
}
