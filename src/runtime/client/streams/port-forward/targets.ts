/** Choice of a pod for the target of a port-forward, and of the pod's port. */
import { TransportError } from '../../../api/errors.ts';
import type { LabelSelector } from '../../../api/meta.ts';
import type { RequestOptions } from '../../../api/options.ts';
import type { PortForwardTarget } from '../../../api/verbs/port-forward.ts';
import { isFields, listAt, memberAt } from '../../../common/fields.ts';
import { type AnyCondition, isConditionTrue } from '../../../objects/conditions.ts';
import { sleep } from '../../../rest/abort/deadline.ts';
import type { CallOptions } from '../../../rest/calls.ts';
import type { RESTClient } from '../../../rest/client.ts';
import { labelSelectorText } from '../../../selectors/labels.ts';

/** A pod, and the ports that a target names. */
export interface ChosenPod {
  readonly name: string;
  /** Returns the number of a port of the pod for a port of the target. */
  portOf(port: number | string): Promise<number>;
}

/** Place of the targets. */
export interface TargetScope {
  readonly rest: RESTClient;
  readonly namespace: string;
  readonly options: RequestOptions;
}

/** Milliseconds between two lists while no pod is ready. */
const pollMs = 1_000;

/**
 * Chooses a pod of a target, and waits until one is ready.
 * @param avoid name of a pod that is used only if no other is ready
 */
export async function choosePod(
  scope: TargetScope,
  target: PortForwardTarget,
  avoid?: string,
): Promise<ChosenPod> {
  if (typeof target === 'string') return namedPod(scope, target);
  const { selector, ports } = await selectionOf(scope, target);
  if (selector === '') throw new TypeError(`${wordsOf(target)} selects no pods`);
  for (;;) {
    const list = await get(scope, 'pods', { query: { labelSelector: selector } });
    const ready = listAt(list, 'items').filter(isReady);
    const pod = ready.find((one) => nameOf(one) !== avoid) ?? ready[0];
    if (pod !== undefined) {
      return { name: nameOf(pod), portOf: async (port) => numberOf(targetPort(port, ports, target), pod) };
    }
    await sleep(pollMs, scope.options.signal);
  }
}

/** A pod that is named is read only for the name of a port: the port-forward itself reports a missing one. */
function namedPod(scope: TargetScope, name: string): ChosenPod {
  const pod = (): Promise<unknown> => get(scope, `pods/${encodeURIComponent(name)}`);
  return { name, portOf: async (port) => (typeof port === 'number' ? port : numberOf(port, await pod())) };
}

function wordsOf(target: Exclude<PortForwardTarget, string>): string {
  const [entry] = Object.entries(target);
  return `${entry?.[0]} ${JSON.stringify(entry?.[1])}`;
}

interface PodSelection {
  /** Label selector; `''` if the target has none. */
  readonly selector: string;
  /** Ports of a Service. */
  readonly ports?: readonly unknown[];
}

async function selectionOf(
  scope: TargetScope,
  target: Exclude<PortForwardTarget, string>,
): Promise<PodSelection> {
  if ('labelSelector' in target) return { selector: target.labelSelector };
  if ('service' in target) {
    const service = await get(scope, `services/${encodeURIComponent(target.service)}`);
    const selector = selectorText(memberAt(service, 'spec', 'selector'));
    return { selector, ports: listAt(service, 'spec', 'ports') };
  }
  const path =
    'deployment' in target
      ? `deployments/${encodeURIComponent(target.deployment)}`
      : `statefulsets/${encodeURIComponent(target.statefulSet)}`;
  const workload = await get(scope, path, {}, 'apis/apps/v1');
  return { selector: selectorText(memberAt(workload, 'spec', 'selector')) };
}

function selectorText(selector: unknown): string {
  // seam: a selector of the server, which labelSelectorText checks
  return isFields(selector) ? (labelSelectorText(selector as LabelSelector) ?? '') : '';
}

async function get(
  { rest, namespace, options }: TargetScope,
  path: string,
  more: CallOptions = {},
  group = 'api/v1',
): Promise<unknown> {
  return rest.get(`/${group}/namespaces/${encodeURIComponent(namespace)}/${path}`, { ...options, ...more });
}

function isReady(pod: unknown): boolean {
  const isDeleted = memberAt(pod, 'metadata', 'deletionTimestamp') !== undefined;
  // seam: `isConditionTrue` reads conditions of any form
  const conditions = listAt(pod, 'status', 'conditions') as readonly AnyCondition[];
  return isConditionTrue(conditions, 'Ready') && !isDeleted && memberAt(pod, 'status', 'phase') === 'Running';
}

function nameOf(object: unknown): string {
  return String(memberAt(object, 'metadata', 'name'));
}

/** Returns the port of the pods for a port of a Service; the port itself for other targets. */
function targetPort(
  port: number | string,
  ports: readonly unknown[] | undefined,
  target: Exclude<PortForwardTarget, string>,
): number | string {
  if (ports === undefined) return port;
  const found = ports.find((one) => memberAt(one, 'port') === port || memberAt(one, 'name') === port);
  if (found === undefined) throw new TypeError(`${wordsOf(target)} has no port ${port}`);
  const to = memberAt(found, 'targetPort') ?? memberAt(found, 'port');
  return typeof to === 'number' || typeof to === 'string' ? to : port;
}

/** Returns the number of a port that a container may name. */
function numberOf(port: number | string, pod: unknown): number {
  if (typeof port === 'number') return port;
  const ports = listAt(pod, 'spec', 'containers').flatMap((one) => listAt(one, 'ports'));
  const number = memberAt(
    ports.find((one) => memberAt(one, 'name') === port),
    'containerPort',
  );
  if (typeof number === 'number') return number;
  throw new TransportError(`the pod ${nameOf(pod)} has no port named ${JSON.stringify(port)}`);
}
