/** Permissions and resource usage: `kubectl auth can-i` and `kubectl top`. */
import { ApiError } from '../../api/errors.ts';
import { isNotFound } from '../../api/failure-reasons.ts';
import type { RequestOptions } from '../../api/options.ts';
import { listAt, memberAt, valueAt } from '../../common/fields.ts';
import type { CallOptions } from '../../rest/calls.ts';
import type { RESTClient } from '../../rest/client.ts';
import { type ClientConnection, withConnection } from '../../rest/connection.ts';
import { type LabelSelectorInput, labelSelectorText } from '../../selectors/labels.ts';
import { quantityToNumber } from '../../values/quantity.ts';

/** Action whose permission is checked. */
export interface AccessQuestion {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, … */
  readonly verb: string;
  /** Plural name of the resource, such as `pods`; `*` for all resources. */
  readonly resource?: string | undefined;
  /** API group of the resource. Default: the core group. */
  readonly group?: string | undefined;
  readonly subresource?: string | undefined;
  /** Namespace of the resource. Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** Name of one object. Default: all objects. */
  readonly name?: string | undefined;
  /** Path that is not a resource, in place of one: `/metrics`. */
  readonly path?: string | undefined;
}

/** Decision of the authorizer of the server, and its reason. */
export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason?: string;
}

/** Returns whether the user of the client may perform an action, as `kubectl auth can-i`. */
export async function canI(
  connection: ClientConnection,
  question: AccessQuestion,
  options: RequestOptions = {},
): Promise<AccessDecision> {
  const { path, verb, ...resource } = question;
  const spec =
    path === undefined
      ? { resourceAttributes: { verb, ...resource } }
      : { nonResourceAttributes: { path, verb } };
  const group = 'authorization.k8s.io/v1';
  const body = { apiVersion: group, kind: 'SelfSubjectAccessReview', spec };
  const review = await withConnection(connection, (rest) =>
    rest.post(`/apis/${group}/selfsubjectaccessreviews`, { ...options, body }),
  );
  const reason = memberAt(review, 'status', 'reason');
  return {
    allowed: memberAt(review, 'status', 'allowed') === true,
    ...(typeof reason === 'string' && reason !== '' && { reason }),
  };
}

/** Present consumption of CPU and memory. */
export interface Usage {
  /** CPU in use, in cores: 0.25 for `250m`. */
  readonly cpu: number;
  /** Memory in use, in bytes. */
  readonly memory: number;
}

/** Usage of a pod: the sum of its containers. */
export interface PodUsage extends Usage {
  readonly namespace: string;
  readonly name: string;
  readonly containers: readonly (Usage & { readonly name: string })[];
}

/** Usage of a node, with the shares of its allocatable resources. */
export interface NodeUsage extends Usage {
  readonly name: string;
  /** Share of the allocatable CPU, 1 for all; `undefined` for a node that does not exist any more. */
  readonly cpuShare: number | undefined;
  readonly memoryShare: number | undefined;
}

/** Options of `topPods` and `topNodes`. */
export interface TopOptions extends RequestOptions {
  readonly labelSelector?: LabelSelectorInput | undefined;
}

/**
 * Returns the usage of pods, as `kubectl top pods`. Requires the metrics API, which metrics-server provides.
 * @throws {ApiError} `isNotFound` without the metrics API
 */
export async function topPods(
  connection: ClientConnection,
  { namespace, ...options }: TopOptions & { readonly namespace?: string | undefined } = {},
): Promise<readonly PodUsage[]> {
  const place = namespace === undefined ? '' : `namespaces/${encodeURIComponent(namespace)}/`;
  const list = await withConnection(connection, (rest) => metrics(rest, `${place}pods`, options));
  return listAt(list, 'items').map((item) => {
    const containers = listAt(item, 'containers').map((one) => ({
      name: textAt(one, 'name'),
      ...usageOf(one),
    }));
    const sum = (part: 'cpu' | 'memory'): number => containers.reduce((total, one) => total + one[part], 0);
    const place = {
      namespace: textAt(item, 'metadata', 'namespace'),
      name: textAt(item, 'metadata', 'name'),
    };
    return { ...place, cpu: sum('cpu'), memory: sum('memory'), containers };
  });
}

/**
 * Returns the usage of nodes, as `kubectl top nodes`. Requires the metrics API, which metrics-server
 * provides.
 * @throws {ApiError} `isNotFound` without the metrics API
 */
export async function topNodes(
  connection: ClientConnection,
  options: TopOptions = {},
): Promise<readonly NodeUsage[]> {
  const [list, nodes] = await withConnection(connection, (rest) =>
    Promise.all([metrics(rest, 'nodes', options), rest.get('/api/v1/nodes', withSelector(options))]),
  );
  const known = new Map(listAt(nodes, 'items').map((node) => [textAt(node, 'metadata', 'name'), node]));
  return listAt(list, 'items').map((item) => {
    const name = textAt(item, 'metadata', 'name');
    const usage = usageOf(item);
    const share = (part: 'cpu' | 'memory'): number | undefined => {
      const most = memberAt(known.get(name), 'status', 'allocatable', part);
      return typeof most === 'string' ? usage[part] / quantityToNumber(most) : undefined;
    };
    return { name, ...usage, cpuShare: share('cpu'), memoryShare: share('memory') };
  });
}

async function metrics(rest: RESTClient, path: string, options: TopOptions): Promise<unknown> {
  try {
    return await rest.get(`/apis/metrics.k8s.io/v1beta1/${path}`, withSelector(options));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const hint = 'the metrics API does not exist; is metrics-server installed?';
    throw new ApiError(error.status, error.operation, { cause: error, hint });
  }
}

function withSelector({ labelSelector, ...options }: TopOptions): CallOptions {
  return { ...options, query: { labelSelector: labelSelectorText(labelSelector) } };
}

function usageOf(value: unknown): Usage {
  const amount = (part: string): number => {
    const quantity = memberAt(value, 'usage', part);
    return typeof quantity === 'string' ? quantityToNumber(quantity) : 0;
  };
  return { cpu: amount('cpu'), memory: amount('memory') };
}

function textAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : '';
}
