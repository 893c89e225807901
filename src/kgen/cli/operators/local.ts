/** Operators of projects on this machine, against a cluster. */
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import type { Cluster } from '../../project/cluster/cluster.ts';
import { readObjects } from '../../project/cluster/operator.ts';
import { checkInstalled, checkNotDeployed, localNamespace } from '../../project/local/checks.ts';
import { writeKubeconfig } from '../../project/local/kubeconfig.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import type { ProjectRun } from './cluster.ts';
import { loadCommands, type TestingCommands } from './run.ts';

/**
 * Runs the operator until it ends, and returns its exit status.
 * @throws {Refusal} definitions are missing, or the deployed operator runs
 */
export async function runOnCluster(
  cluster: Cluster,
  { place, kubeconfig, console }: ProjectRun,
): Promise<number> {
  const commands = await testingCommands(console.cwd, 'kgen run');
  await checkInstalled(cluster, localDefinitions(console.cwd));
  await checkNotDeployed(cluster, place);
  const namespace = await localNamespace(cluster, place);
  const { context } = cluster.config;
  const { env, remove } = await writeKubeconfig({ context, kubeconfig, namespace });
  try {
    return await ended(commands, env, console);
  } finally {
    remove();
  }
}

/** @throws {Refusal} the project does not have the package */
export async function testingCommands(cwd: string, command: string): Promise<TestingCommands> {
  const commands = await loadCommands(join(cwd, 'package.json'));
  if (commands !== undefined) return commands;
  throw new Refusal(`${command} needs @kgen/testing: npm install --save-dev @kgen/testing`);
}

/** Returns the definitions of a project; none if it has no kinds of its own. */
export function localDefinitions(cwd: string): readonly JsonObject[] {
  return existsSync(join(cwd, 'config/crd')) ? readObjects(cwd, 'config/crd') : [];
}

function ended(
  commands: TestingCommands,
  env: Readonly<Record<string, string>>,
  { cwd, stderr, onSignal }: Console,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = commands.operator(join(cwd, 'src/main.ts'), {
      env,
      isGroup: true,
      onEnd: ({ status, text }) => {
        if (status !== exitCodes.ok) stderr.write(`The operator ${text}.\n`);
        resolve(status);
      },
    });
    onSignal?.(async (signal) => {
      const operator = await started;
      if (operator.isRunning) operator.signal(signal);
      else resolve(128 + constants.signals[signal]);
    });
    started
      .then((operator) => operator.update(async () => undefined))
      .catch((cause) => reject(new Refusal(messageOf(cause))));
  });
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
