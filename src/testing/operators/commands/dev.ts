/** The cluster of `kgen dev`: a server in memory, and the operator as a process. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DynamicClient } from '@kgen/runtime/dynamic';
import { kubeconfigOf, type TestServer } from '@kgen/testserver';
import { startObservedServer } from '@kgen/testserver/internal/server/testserver';
import type { Console, DevCluster, LocalPorts, OperatorProcess } from 'kgen/commands';
import { AppliedConfig, AppliedSamples } from './dev-config.ts';
import { operatorProcess } from './operator-process.ts';
import { ClusterRecording } from './play/cluster-recording.ts';
import { Play, type PlayedOperator } from './play/play.ts';

/**
 * Starts a server with the definitions and permissions of a project, without its operator. It ends with the
 * process.
 * @throws {Error} if a definition or an object cannot be read or would be rejected; names the file and line
 */
export async function startDevCluster(cwd: string, console: Console, ports: LocalPorts): Promise<DevCluster> {
  // Read by the server for each call of a webhook: the file of the service may be written later.
  const webhookServices: Record<string, string> = {};
  const observed = await startObservedServer({
    // Definitions of other operators are in external.
    crds: [join(cwd, 'config/crd'), join(cwd, 'external')].filter(existsSync),
    as: join(cwd, 'config/rbac'),
    https: true,
    webhookServices,
    time: 'movable',
  });
  const { server, store, log } = observed;
  // The times of the operator are those of this machine.
  const recording = new ClusterRecording({ store, log, program: basename(cwd), now: () => Date.now() });
  const { kubeconfig, account } = kubeconfigsOf(server);
  const leases = new DynamicClient(server.admin).resource({
    group: 'coordination.k8s.io',
    version: 'v1',
    resource: 'leases',
  });
  const operator = operatorProcess(join(cwd, 'src/main.ts'), {
    env: { KUBECONFIG: account, ...ports.env },
    onEnd: ({ text }) => console.stderr.write(`The operator ${text}; it starts after the next change.\n`),
  });
  const [config, samples] = [new AppliedConfig(cwd), new AppliedSamples(cwd)];
  const tasks = new Tasks();
  const start = (): Promise<void> =>
    operator.update(async () => {
      // Of an operator that did not stop by itself: the next one would wait for its end.
      await leases.namespace(server.config.namespace ?? 'default').deleteCollection();
    });
  const play = new Play({ cwd, observed, recording, operator: playedOperator(operator, tasks, start) });
  return {
    kubeconfig,
    record: (after) => recording.part(after),
    act: (action) => play.act(action),
    update: () =>
      tasks.run(async () => {
        const service = await config.webhookService();
        if (service !== undefined) webhookServices[service] = `https://127.0.0.1:${ports.webhooks}`;
        await config.apply(server.admin);
        await start();
        await samples.apply(server.admin, () => operator.isRunning);
      }),
  };
}

/** Writes the kubeconfigs of an administrator and of the operator, which are removed with the process. */
function kubeconfigsOf(server: TestServer): { readonly kubeconfig: string; readonly account: string } {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-dev-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [kubeconfig, account] = [join(folder, 'kubeconfig'), join(folder, 'account')];
  writeFileSync(kubeconfig, kubeconfigOf(server.admin), { mode: 0o600 });
  writeFileSync(account, server.kubeconfig, { mode: 0o600 });
  return { kubeconfig, account };
}

function playedOperator(operator: OperatorProcess, tasks: Tasks, start: () => Promise<void>): PlayedOperator {
  return {
    get isRunning() {
      return operator.isRunning;
    },
    restart: () =>
      tasks.run(async () => {
        await operator.stop();
        await start();
      }),
    kill: () => tasks.run(() => operator.kill()),
  };
}

/** Runs one task after the other. */
class Tasks {
  #last: Promise<unknown> = Promise.resolve();

  run(task: () => Promise<void>): Promise<void> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => {});
    return result;
  }
}
