/** Kubernetes' end-to-end specs. */
import { join } from 'node:path';
import type { TestServerOptions } from '@kgen/testserver';
import { servePorts } from '../images/ports.ts';
import type { Listeners } from '../images/servers.ts';
import { clusterOptions } from '../programs.ts';
import { buildProgram } from './build.ts';
import { runProgram } from './program.ts';
import { openServer, type ServerName } from './servers.ts';
import type { Spec } from './spec.ts';

/** Runs specs by their names, on a server of their own. */
export async function runKubernetes(
  names: readonly string[],
  on: ServerName,
  log: string,
): Promise<readonly Spec[]> {
  const program = await buildProgram('build.mjs');
  const listeners: Listeners = new Map();
  const options: TestServerOptions = { apiVersions: 'all', defaultStorageClass: 'Immediate' };
  const server = await openServer(on, { ...options, ...clusterOptions(listeners) }, true, (memory) =>
    servePorts(memory, listeners),
  );
  try {
    return await runProgram({
      program,
      args: [
        `--kubeconfig=${server.kubeconfig}`,
        ...['--provider=local', '--dump-logs-on-failure=false', '--disable-log-dump'],
        // A control plane without nodes has neither nodes to wait for nor Pods of the system.
        ...['--allowed-not-ready-nodes=-1', '--minStartupPods=0'],
        ...(await kubectlFlag()),
        `--ginkgo.focus=^Kubernetes e2e suite (${names.map(escaped).join('|')})$`,
        '--ginkgo.skip=^$',
        '--ginkgo.timeout=24h',
      ],
      folder: server.folder,
      log,
    });
  } finally {
    await server.stop();
  }
}

async function kubectlFlag(): Promise<readonly string[]> {
  const folder = await buildProgram('../envtest/build.mjs', ['kubectl']);
  return [`--kubectl-path=${join(folder, 'kubectl')}`];
}

/** Returns the names of all specs. */
export async function listKubernetes(folder: string): Promise<readonly string[]> {
  const program = await buildProgram('build.mjs');
  const args = ['--kubeconfig=/dev/null', '--ginkgo.dry-run', '--ginkgo.skip=^$'];
  const specs = await runProgram({ program, args, folder, isListed: true });
  return specs.map(({ name }) => name).sort();
}

function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
