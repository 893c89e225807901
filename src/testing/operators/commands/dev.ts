/** The cluster of `kgen dev`: a server in memory, and the operator as a process. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamicClient } from '@kgen/runtime/dynamic';
import { kubeconfigOf, startTestServer } from '@kgen/testserver';
import type { Console, DevCluster } from 'kgen/commands';
import { bundleFile } from './bundle.ts';
import { AppliedConfig, AppliedSamples } from './dev-config.ts';

/**
 * Starts a server with the definitions and permissions of a project, without its operator. It ends with the
 * process.
 * @throws {Error} if a definition or an object cannot be read or would be rejected; names the file and line
 */
export async function startDevCluster(cwd: string, console: Console): Promise<DevCluster> {
  // Read by the server for each call of a webhook: the file of the service may be written later.
  const webhookServices: Record<string, string> = {};
  const server = await startTestServer({
    crds: [join(cwd, 'config/crd')],
    as: join(cwd, 'config/rbac'),
    https: true,
    webhookServices,
  });
  const folder = mkdtempSync(join(tmpdir(), 'kgen-dev-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigOf(server.admin), { mode: 0o600 });
  const account = join(folder, 'account');
  writeFileSync(account, server.kubeconfig, { mode: 0o600 });
  const leases = new DynamicClient(server.admin).resource({
    group: 'coordination.k8s.io',
    version: 'v1',
    resource: 'leases',
  });
  const operator = new OperatorProcess(join(cwd, 'src/main.ts'), account, console);
  const [config, samples] = [new AppliedConfig(cwd), new AppliedSamples(cwd)];
  return {
    kubeconfig,
    update: async () => {
      const service = await config.webhookService();
      if (service !== undefined) webhookServices[service.name] = `https://127.0.0.1:${service.port}`;
      await config.apply(server.admin);
      await operator.update(async () => {
        // Of an operator that did not stop by itself: the next one would wait for its end.
        await leases.namespace(server.config.namespace ?? 'default').deleteCollection();
      });
      await samples.apply(server.admin, () => operator.isRunning);
    },
  };
}

/** Time that an operator has to stop by itself, in milliseconds. */
const stopMs = 1_000;

/** Ends the operator with this process, also after SIGKILL. */
const preload = `data:text/javascript,${encodeURIComponent(
  "process.on('disconnect', () => process.kill(process.pid, 'SIGTERM')); process.channel?.unref();",
)}`;

/** The operator of a project as a child process. */
class OperatorProcess {
  readonly #main: string;
  readonly #kubeconfig: string;
  readonly #console: Console;
  #running: { readonly child: ChildProcess; readonly text: string } | undefined;

  constructor(main: string, kubeconfig: string, console: Console) {
    this.#main = main;
    this.#kubeconfig = kubeconfig;
    this.#console = console;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Starts the program with the present sources, unless it runs with them.
   * @param between called after the end of the one that runs
   * @throws {Error} if a module cannot be parsed, or imports a file that does not exist
   */
  async update(between: () => Promise<void>): Promise<void> {
    const bundle = await bundleFile(this.#main);
    if (this.#running?.text === bundle.text) return bundle.remove();
    await this.#stop();
    await between();
    const { stderr } = this.#console;
    const child = fork(bundle.file, {
      env: { ...process.env, KUBECONFIG: this.#kubeconfig },
      execArgv: ['--enable-source-maps', '--import', preload],
    });
    const running = { child, text: bundle.text };
    this.#running = running;
    child.once('error', (error) => stderr.write(`The operator cannot start: ${error.message}\n`));
    child.once('exit', (code, signal) => {
      bundle.remove();
      if (this.#running !== running) return;
      this.#running = undefined;
      const end = signal ?? `exit status ${code}`;
      stderr.write(`The operator has ended (${end}); it starts after the next change.\n`);
    });
  }

  /** Resolves once the program has ended. */
  #stop(): Promise<void> {
    const child = this.#running?.child;
    this.#running = undefined;
    if (child === undefined || child.exitCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      const end = setTimeout(() => child.kill('SIGKILL'), stopMs);
      child.once('exit', () => {
        clearTimeout(end);
        resolve();
      });
      child.kill('SIGTERM');
    });
  }
}
