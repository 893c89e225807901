/** `kgen logs`: logs of the Pods of a deployed operator. */
import { streamLogs } from '@kgen/runtime/streams';
import { array, type JsonObject, text } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import { type Cluster, refOf } from './cluster.ts';
import { deploymentKind, type OperatorPlace, selectorOf } from './operator.ts';
import type { PodProblem } from './rollout.ts';
import type { Session } from './session.ts';

/** Options of `showLogs`. */
export interface LogsOptions extends OperatorPlace {
  readonly follow?: boolean | undefined;
  /** Last lines of each Pod. Default: all. */
  readonly tail?: number | undefined;
  readonly sinceSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Prints the logs of all replicas in the order of time, each line with the name of its Pod.
 * @throws {Refusal} the operator is not deployed
 */
export async function showLogs(
  cluster: Cluster,
  { name, namespace, follow = false, tail, sinceSeconds, signal }: LogsOptions,
  { print }: Pick<Session, 'print'>,
): Promise<void> {
  const deployment = await cluster.find({ ...deploymentKind, namespace, name });
  if (deployment === undefined) throw new Refusal(notDeployed({ name, namespace }));
  const options = { namespace, labelSelector: selectorOf(deployment), follow, sinceSeconds, signal };
  const entries = streamLogs(cluster.rest, { ...options, ...(tail !== undefined && { tailLines: tail }) });
  let count = 0;
  for await (const { pod, line } of entries) {
    count += 1;
    print(`${pod.replace(`${name}-`, '')} | ${line}`);
  }
  if (count === 0) print('The Pods have written nothing: kgen doctor shows their state.');
}

/** Returns the message of an operator that is not deployed. */
export function notDeployed({ name, namespace }: OperatorPlace): string {
  return `Deployment ${namespace}/${name} does not exist: run kgen deploy, or choose another context`;
}

/** Number of lines in messages about a container that has ended. */
const lastLines = 10;

/** Returns the last lines of a log; none if it cannot be read. */
export async function logLines(
  cluster: Cluster,
  namespace: string,
  log: NonNullable<PodProblem['log']>,
): Promise<readonly string[]> {
  try {
    return await readLog(cluster, namespace, log, { tailLines: lastLines });
  } catch {
    return [];
  }
}

/** Lines of the log of a Pod, or the reason why they cannot be read. */
export interface PodLog {
  readonly pod: string;
  readonly lines: readonly string[];
  readonly failure?: string;
}

/** Selection of the lines in which `kgen doctor` searches. */
const recent = { tailLines: 1000, sinceSeconds: 600 } as const;

/** Returns the lines of the last ten minutes of a Pod's first container, at most 1000. */
export async function recentLog(cluster: Cluster, pod: JsonObject): Promise<PodLog> {
  const { name, namespace = '' } = refOf(pod);
  const container = text(array(pod, 'spec', 'containers')[0], 'name');
  try {
    const log = { pod: name, container, previous: false };
    return { pod: name, lines: await readLog(cluster, namespace, log, recent) };
  } catch (cause) {
    return { pod: name, lines: [], failure: cause instanceof Error ? cause.message : String(cause) };
  }
}

async function readLog(
  { objects }: Cluster,
  namespace: string,
  { pod, container, previous }: NonNullable<PodProblem['log']>,
  lines: { readonly tailLines: number; readonly sinceSeconds?: number },
): Promise<readonly string[]> {
  const metadata = { namespace };
  const { client } = await objects.clientFor({ apiVersion: 'v1', kind: 'Pod', metadata });
  const content = await client.subresource('log').getText(pod, { container, previous, ...lines });
  return content.split('\n').filter((line) => line !== '');
}
