/** Draining of nodes, as `kubectl drain`. */
import { TimeoutError } from '../../api/errors.ts';
import { hasStatusCause, isForbidden, isNotFound, isTooManyRequests } from '../../api/failure-reasons.ts';
import type { RequestOptions } from '../../api/options.ts';
import { listAt, memberAt } from '../../common/fields.ts';
import { sleep, withinLimits } from '../../rest/abort/deadline.ts';
import type { RESTClient } from '../../rest/client.ts';
import { type ClientConnection, withConnection } from '../../rest/connection.ts';
import { type LabelSelectorInput, labelSelectorText } from '../../selectors/labels.ts';
import { controllerOfPod, type DrainDecision, type DrainRules, drainDecision } from './drain-rules.ts';

/** A step of a drain. */
export interface DrainProgress {
  /**
   * `cordoned`: no further pods are scheduled. `skipped`: a pod stays. `evicting`: its eviction is requested.
   * `blocked`: a disruption budget prevents it, and it is retried. `evicted`: the pod is gone.
   */
  readonly step: 'cordoned' | 'skipped' | 'evicting' | 'blocked' | 'evicted';
  /** Pod of the step, as `namespace/name`. */
  readonly pod?: string;
  readonly message?: string;
}

/** Options of `drain`. */
export interface DrainOptions extends DrainRules, RequestOptions {
  /** Selects the pods that are evicted. Default: all pods of the node. */
  readonly podSelector?: LabelSelectorInput | undefined;
  /** Grace period of the pods in seconds. Default: that of each pod. */
  readonly gracePeriodSeconds?: number | undefined;
  /** Called with each step, in order. Default: none. */
  readonly onProgress?: ((progress: DrainProgress) => void) | undefined;
}

/** Milliseconds before an eviction is retried that a disruption budget prevents, as in kubectl. */
const retryMs = 5_000;
/** Milliseconds between two checks whether a pod is gone. */
const pollMs = 1_000;

/** Marks a node as unschedulable, or with `false` as schedulable again. */
export async function cordon(
  connection: ClientConnection,
  node: string,
  unschedulable = true,
  options: RequestOptions = {},
): Promise<void> {
  const body = { spec: { unschedulable: unschedulable || null } };
  await withConnection(connection, (rest) =>
    rest.patch('/api/v1/nodes/{node}', { ...options, path: { node }, body }),
  );
}

/**
 * Marks a node as unschedulable, and evicts its pods. Evictions that disruption budgets prevent are retried
 * until `timeoutMs`. Resolves when the pods are gone.
 * @throws {AggregateError} before the first eviction, if pods must not be evicted: one error per pod. The
 * node then stays unschedulable
 * @throws {TimeoutError} after `timeoutMs`
 * @example
 * ```ts
 * import { drain } from '@kgen/runtime/tools';
 *
 * await drain(clientset, 'node-1', { ignoreDaemonSets: true, timeoutMs: 600_000 });
 * ```
 */
export async function drain(
  connection: ClientConnection,
  node: string,
  options: DrainOptions = {},
): Promise<void> {
  const { timeoutMs, signal } = options;
  const operation = { verb: 'drain', resource: 'nodes', name: node };
  const left = new Set<string>();
  const expired = (): TimeoutError =>
    new TimeoutError(
      `timed out after ${timeoutMs} ms: ${left.size} pods left: ${[...left].join(', ')}`,
      operation,
    );
  await withConnection(connection, (rest) =>
    withinLimits({ timeoutMs, signal, expired }, operation, async (within) => {
      const ended = new AbortController();
      const each = within === undefined ? ended.signal : AbortSignal.any([within, ended.signal]);
      try {
        await new Drain(rest, { ...options, signal: each, timeoutMs: undefined }, left).run(node);
      } finally {
        // If one pod fails, the others are not evicted any further.
        ended.abort();
      }
    }),
  );
}

class Drain {
  readonly #rest: RESTClient;
  readonly #options: DrainOptions;
  readonly #request: RequestOptions;
  readonly #left: Set<string>;

  constructor(rest: RESTClient, options: DrainOptions, left: Set<string>) {
    this.#rest = rest;
    this.#options = options;
    const { signal, headers, impersonate, maxResponseBytes } = options;
    this.#request = { signal, headers, impersonate, maxResponseBytes };
    this.#left = left;
  }

  async run(node: string): Promise<void> {
    await cordon(this.#rest, node, true, this.#request);
    this.#report({ step: 'cordoned' });
    const pods = await this.#selected(node);
    for (const pod of pods) this.#left.add(nameOf(pod));
    await Promise.all(pods.map((pod) => this.#evict(pod)));
  }

  async #selected(node: string): Promise<readonly unknown[]> {
    const labelSelector = labelSelectorText(this.#options.podSelector);
    const query = { fieldSelector: `spec.nodeName=${node}`, labelSelector };
    const list = await this.#rest.get('/api/v1/pods', { ...this.#request, query });
    const pods = listAt(list, 'items');
    const decisions = await Promise.all(pods.map((pod) => this.#decide(pod)));
    const refusals = pods.flatMap((pod, index) => {
      const decision = decisions[index];
      return decision?.action === 'refuse' ? [new Error(`the pod ${nameOf(pod)} ${decision.reason}`)] : [];
    });
    if (refusals.length > 0) {
      const messages = refusals.map(({ message }) => message).join('; ');
      throw new AggregateError(refusals, `the node ${JSON.stringify(node)} cannot be drained: ${messages}`);
    }
    return pods.filter((pod, index) => {
      const decision = decisions[index];
      if (decision?.action === 'skip')
        this.#report({ step: 'skipped', pod: nameOf(pod), ...messageOf(decision) });
      return decision?.action === 'evict';
    });
  }

  async #decide(pod: unknown): Promise<DrainDecision> {
    const controller = controllerOfPod(pod);
    const isDaemon = memberAt(controller, 'kind') === 'DaemonSet';
    const exists = isDaemon && (await this.#exists(daemonSetPath(pod, controller)));
    return drainDecision(pod, this.#options, exists);
  }

  async #exists(path: string): Promise<boolean> {
    return (await this.#find(path)) !== undefined;
  }

  async #find(path: string): Promise<unknown> {
    try {
      return await this.#rest.get(path, this.#request);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #evict(pod: unknown): Promise<void> {
    const name = nameOf(pod);
    this.#report({ step: 'evicting', pod: name });
    while (!(await this.#requestEviction(pod))) {
      this.#report({ step: 'blocked', pod: name, message: 'retried in 5 s' });
      await sleep(retryMs, this.#options.signal);
    }
    while (await this.#remains(pod)) await sleep(pollMs, this.#options.signal);
    this.#left.delete(name);
    this.#report({ step: 'evicted', pod: name });
  }

  /** Returns whether the eviction was accepted; false if it must be retried. */
  async #requestEviction(pod: unknown): Promise<boolean> {
    const metadata = { name: textAt(pod, 'name'), namespace: textAt(pod, 'namespace') };
    const { gracePeriodSeconds } = this.#options;
    const body = JSON.stringify({
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata,
      ...(gracePeriodSeconds !== undefined && { deleteOptions: { gracePeriodSeconds } }),
    });
    const path = `${podPath(pod)}/eviction`;
    const headers = { 'content-type': 'application/json', ...this.#request.headers };
    const operation = { verb: 'evict', resource: 'pods/eviction', ...metadata };
    try {
      await this.#rest.request({
        ...this.#request,
        method: 'POST',
        path,
        headers,
        body,
        operation,
        acknowledged: true,
        maxRetries: 0,
      });
      return true;
    } catch (error) {
      if (isNotFound(error)) return true;
      if (isTooManyRequests(error)) return false;
      // The namespace deletes its pods itself.
      if (isForbidden(error) && hasStatusCause(error, 'NamespaceTerminating'))
        return !(await this.#remains(pod));
      throw error;
    }
  }

  /** A pod with another UID is its successor. */
  async #remains(pod: unknown): Promise<boolean> {
    const found = await this.#find(podPath(pod));
    return found !== undefined && textAt(found, 'uid') === textAt(pod, 'uid');
  }

  #report(progress: DrainProgress): void {
    this.#options.onProgress?.(progress);
  }
}

function messageOf(decision: DrainDecision): { readonly message?: string } {
  return 'warning' in decision && decision.warning !== undefined ? { message: decision.warning } : {};
}

function podPath(pod: unknown): string {
  const [namespace, name] = [textAt(pod, 'namespace'), textAt(pod, 'name')].map(encodeURIComponent);
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}

function daemonSetPath(pod: unknown, controller: unknown): string {
  const name = encodeURIComponent(String(memberAt(controller, 'name')));
  return `/apis/apps/v1/namespaces/${encodeURIComponent(textAt(pod, 'namespace'))}/daemonsets/${name}`;
}

function nameOf(pod: unknown): string {
  return `${textAt(pod, 'namespace')}/${textAt(pod, 'name')}`;
}

function textAt(object: unknown, name: string): string {
  const value = memberAt(object, 'metadata', name);
  return typeof value === 'string' ? value : '';
}
