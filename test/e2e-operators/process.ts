/** An operator as a process that is restarted when it ends, as a kubelet does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** An operator of `examples`. */
export class OperatorProcess {
  readonly #folder: string;
  readonly #kubeconfig: string;
  #child: ChildProcess | undefined;
  #isRequested = false;
  #output = '';
  /** Number of processes that were started. */
  starts = 0;

  constructor(folder: string, kubeconfig: string) {
    this.#folder = folder;
    this.#kubeconfig = kubeconfig;
  }

  /** Output of all processes. */
  get output(): string {
    return this.#output;
  }

  /** Ports of the endpoint `name`, one of each process. */
  ports(name: 'health' | 'metrics'): readonly number[] {
    const lines = this.#output.matchAll(new RegExp(`endpoint ${name} listens \\{ port: (\\d+) \\}`, 'g'));
    return [...lines].map(([, port]) => Number(port));
  }

  start(): void {
    this.#isRequested = true;
    this.#spawn();
  }

  /** Ends the process at once. */
  async kill(): Promise<void> {
    this.#isRequested = false;
    await this.#end('SIGKILL');
  }

  /** Stops the process in order, and returns its exit code. */
  async stop(): Promise<number | null | undefined> {
    this.#isRequested = false;
    return this.#end('SIGTERM');
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null | undefined> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    return child.exitCode;
  }

  #spawn(): void {
    this.starts += 1;
    const { KUBERNETES_SERVICE_HOST: _, NODE_OPTIONS: __, ...env } = process.env;
    const child = spawn(process.execPath, [join(this.#folder, 'operator.js')], {
      env: { ...env, KUBECONFIG: this.#kubeconfig },
      stdio: 'pipe',
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        this.#output += chunk;
      });
    }
    child.on('exit', (code) => {
      this.#output += `[the process ended with ${code}]\n`;
      if (this.#isRequested) this.#spawn();
    });
  }
}
