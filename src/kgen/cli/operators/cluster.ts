/** Commands that work on the cluster of a project. */
import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@kgen/schema/values/json';
import { explained, Refusal, refusalText, Unavailable } from '../../cluster/refusal.ts';
import { error, hasErrors, type InputProblem, visible } from '../../common/problems.ts';
import { loadConfig } from '../../config/load.ts';
import { packageFacts } from '../../manifests/manifests.ts';
import { Cluster } from '../../project/cluster/cluster.ts';
import { install, uninstall } from '../../project/cluster/definitions.ts';
import { deploy } from '../../project/cluster/deploy.ts';
import { doctor } from '../../project/cluster/doctor.ts';
import { showLogs } from '../../project/cluster/logs.ts';
import { type OperatorPlace, parseObjects, readObjects, withImage } from '../../project/cluster/operator.ts';
import type { Session } from '../../project/cluster/session.ts';
import { undeploy } from '../../project/cluster/undeploy.ts';
import { readProject } from '../../project/project.ts';
import type { ClusterArguments, ClusterCommandName } from '../commands/definitions/cluster.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';

/** Runs a command on the cluster of a project, and returns the exit status. */
export function runCluster(parsed: ClusterArguments, console: Console): Promise<number> {
  return withCluster(parsed, console, (cluster, run) => actions[parsed.command](cluster, { ...run, parsed }));
}

/** Performs an action on the cluster of a project, and returns the exit status. */
export async function withCluster(
  parsed: ClusterSelection,
  console: Console,
  action: (cluster: Cluster, run: ProjectRun) => Promise<unknown>,
): Promise<number> {
  const { cwd, stdout } = console;
  const { value: record, problems } = readProject(cwd);
  if (hasErrors(problems)) return refuse(problems, console);
  if (record === undefined)
    return refuse([error('this folder is not a project: run kgen init --domain DOMAIN first')], console);
  const { value: config, problems: wrong } = await loadConfig(cwd, undefined);
  if (hasErrors(wrong)) return refuse(wrong, console);
  const { name } = packageFacts(cwd);
  const session: Session = {
    print: (line) => stdout.write(`${visible(line)}\n`),
    now: Date.now,
    sleep: (ms) => sleep(ms),
    user: `${userInfo().username}@${hostname()}`,
  };
  const place = { name, namespace: config.deployment?.namespace ?? name };
  const kubeconfig = parsed.kubeconfig === undefined ? undefined : resolve(cwd, parsed.kubeconfig);
  const run = { place, console, session, kubeconfig };
  const protect = parsed.allowProtected === true ? [] : config.protect;
  let cluster: Cluster | undefined;
  try {
    cluster = await Cluster.open({ context: parsed.context, kubeconfig, protect }, session.print);
    const status = await action(cluster, run);
    return typeof status === 'number' ? status : exitCodes.ok;
  } catch (cause) {
    const why = explained(await import('@kgen/runtime'), cause, '/');
    if (!(why instanceof Refusal || why instanceof Unavailable)) throw why;
    return refuse(refusalText(why), console);
  } finally {
    await cluster?.close();
  }
}

/** Prints why a command has ended, and returns the exit status. */
function refuse(why: readonly InputProblem[] | string, { stderr }: Console): number {
  if (typeof why !== 'string') {
    stderr.write(problemLines(why, stderr.paint));
    return exitCodes.problems;
  }
  const [first = '', ...more] = why.split('\n');
  stderr.write(problemLines([error(first)], stderr.paint));
  for (const line of more) stderr.write(`${visible(line)}\n`);
  return exitCodes.problems;
}

/** Parts of a command on the cluster of a project. */
export interface ProjectRun {
  readonly place: OperatorPlace;
  readonly console: Console;
  readonly session: Session;
  /** Path of the kubeconfig of the command line. */
  readonly kubeconfig: string | undefined;
}

/** Parts of the command line that choose the cluster. */
type ClusterSelection = Pick<ClusterArguments, 'context' | 'kubeconfig' | 'allowProtected'>;

/** Parts of a command of the table. */
interface ClusterRun extends ProjectRun {
  readonly parsed: ClusterArguments;
}

/** An action. Its result is the exit status, if it is a number. */
type Action = (cluster: Cluster, run: ClusterRun) => Promise<unknown>;

const actions: Readonly<Record<ClusterCommandName, Action>> = {
  install: (cluster, { parsed, place, console, session }) =>
    install(cluster, { ...parsed, ...place, objects: definitions(console) }, session),
  uninstall: (cluster, { parsed, place, console, session }) =>
    uninstall(cluster, { ...parsed, ...limit(parsed), ...place, objects: definitions(console) }, session),
  run: async (cluster, run) => (await import('./local.ts')).runOnCluster(cluster, run, run.parsed),
  deploy: async (cluster, { parsed, place, console, session }) => {
    const { objects, source } = await manifests(parsed, console);
    const { image } = parsed;
    const changed = image === undefined ? objects : withImage(objects, image);
    await deploy(cluster, { ...parsed, ...limit(parsed), ...place, objects: changed, source }, session);
  },
  undeploy: (cluster, { parsed, place, session }) => {
    const { deleteObjects = false, keepObjects = false, force = false, dryRun = false } = parsed;
    const choice = { deleteObjects, keepObjects, force, dryRun };
    return undeploy(cluster, { ...choice, ...limit(parsed), ...place }, session);
  },
  logs: (cluster, { parsed, place, session }) => {
    const { follow, tail, since } = parsed;
    return showLogs(cluster, { ...place, follow, tail, sinceSeconds: since }, session);
  },
  doctor: async (cluster, { parsed, place, console, session }) => {
    const { objects } = await manifests(parsed, console);
    await doctor(cluster, { ...place, objects }, session);
  },
};

function definitions({ cwd }: Console): readonly JsonObject[] {
  if (existsSync(join(cwd, 'config/crd'))) return readObjects(cwd, 'config/crd');
  throw new Refusal('config/crd does not exist: run kgen, which writes the definitions of the types in api');
}

async function manifests(
  { source }: ClusterArguments,
  { cwd, stdin }: Console,
): Promise<{ readonly source: string; readonly objects: readonly JsonObject[] }> {
  if (source === '-') {
    const content = Buffer.concat(await stdin.toArray()).toString();
    return { source: '<stdin>', objects: parseObjects(content, '<stdin>') };
  }
  if (source !== undefined) return { source, objects: readObjects(cwd, source) };
  const written = 'config/install.yaml';
  if (existsSync(join(cwd, written))) return { source: written, objects: readObjects(cwd, written) };
  throw new Refusal(
    `${written} does not exist: set deployment: {} in kgen.config, and run kgen, which writes it`,
  );
}

function limit({ timeout }: ClusterArguments): { readonly timeoutMs?: number } {
  return timeout === undefined ? {} : { timeoutMs: timeout * 1000 };
}
