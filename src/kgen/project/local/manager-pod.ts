/** Choice of the Pod whose manager is shown. */
import { array, type JsonObject, object, text } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import { type Cluster, refOf } from '../cluster/cluster.ts';
import { deploymentKind, selectorOf } from '../cluster/operator.ts';

/** A Deployment, or one Pod. */
export interface ManagerTarget {
  readonly kind: 'deployment' | 'pod';
  readonly namespace: string;
  readonly name: string;
}

/** A Pod, as it is reached. */
export interface ManagerPod {
  readonly namespace: string;
  readonly name: string;
  /** Number of its port with the name `metrics`; `undefined` if it has none. */
  readonly metricsPort: number | undefined;
  readonly serviceAccount: string;
  /** Reason of the choice, for the user. */
  readonly reason: string;
}

type ReadCluster = Pick<Cluster, 'find' | 'list'>;

const podKind = { apiVersion: 'v1', kind: 'Pod' } as const;

/**
 * Chooses a Pod: of a Deployment the one that leads, or the first one that is ready, or runs.
 * @throws {Refusal} the target does not exist, or has no running Pod
 */
export async function chooseManagerPod(cluster: ReadCluster, target: ManagerTarget): Promise<ManagerPod> {
  const { kind, namespace, name } = target;
  if (kind === 'pod') {
    const pod = await cluster.find({ ...podKind, namespace, name });
    if (pod === undefined) throw missing('Pod', target);
    if (!isRunning(pod)) throw new Refusal(`Pod ${namespace}/${name} does not run: it is ${phaseOf(pod)}`);
    return chosen(pod, 'as requested');
  }
  const deployment = await cluster.find({ ...deploymentKind, namespace, name });
  if (deployment === undefined) throw missing('Deployment', target);
  const pods = await cluster.list(podKind, { namespace, labelSelector: selectorOf(deployment) });
  const running = pods.filter(isRunning);
  const ready = running.filter(isReady);
  const leading = await leadersOf(cluster, namespace, running);
  const [leader] = leading;
  // Members of a ring all hold Leases.
  if (leader !== undefined && leading.length === 1)
    return chosen(leader.pod, `it holds the Lease ${leader.lease}`);
  const [pod] = ready.length > 0 ? ready : running;
  if (pod !== undefined) return chosen(pod, orderText(ready.length, running.length));
  const states = pods.map((each) => `${refOf(each).name} is ${phaseOf(each)}`).join(', ');
  throw new Refusal(
    `Deployment ${namespace}/${name} has no running Pod${states === '' ? '' : `: ${states}`}; kgen doctor, or kubectl describe, shows the reason`,
  );
}

function missing(kind: string, { namespace, name }: ManagerTarget): Refusal {
  return new Refusal(
    `${kind} ${namespace}/${name} does not exist: pass --namespace, or choose another context with --context`,
  );
}

function orderText(ready: number, running: number): string {
  if (ready === 1) return 'it is the only ready one';
  return ready > 0 ? `the first of ${ready} ready ones` : `none of ${running} is ready`;
}

function chosen(pod: JsonObject, reason: string): ManagerPod {
  const { name, namespace = '' } = refOf(pod);
  const ports = array(pod, 'spec', 'containers').flatMap((container) => array(container, 'ports'));
  const port = Number(object(ports.find((each) => text(each, 'name') === 'metrics'))['containerPort']);
  return {
    namespace,
    name,
    metricsPort: Number.isInteger(port) ? port : undefined,
    serviceAccount: text(pod, 'spec', 'serviceAccountName') || 'default',
    reason,
  };
}

function isRunning(pod: JsonObject): boolean {
  return text(pod, 'status', 'phase') === 'Running' && text(pod, 'metadata', 'deletionTimestamp') === '';
}

function isReady(pod: JsonObject): boolean {
  return array(pod, 'status', 'conditions').some(
    (each) => text(each, 'type') === 'Ready' && text(each, 'status') === 'True',
  );
}

function phaseOf(pod: JsonObject): string {
  const isEnding = text(pod, 'metadata', 'deletionTimestamp') !== '';
  return isEnding ? 'being deleted' : text(pod, 'status', 'phase') || 'pending';
}

/** Returns the Pods that hold a Lease, by the identity of electors: host name, `_`, and a random part. */
async function leadersOf(
  cluster: ReadCluster,
  namespace: string,
  pods: readonly JsonObject[],
): Promise<readonly { readonly pod: JsonObject; readonly lease: string }[]> {
  const leases = await cluster
    .list({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' }, { namespace })
    .catch((): readonly JsonObject[] => []); // Not all users may list them.
  return pods.flatMap((pod) => {
    const { name } = refOf(pod);
    const held = leases.find((lease) => {
      const holder = text(lease, 'spec', 'holderIdentity');
      return holder === name || holder.startsWith(`${name}_`);
    });
    return held === undefined ? [] : [{ pod, lease: refOf(held).name }];
  });
}
