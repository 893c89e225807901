/** Container of a pod that calls use which name none, as kubectl selects it. */
import { isTimeoutError } from '../../api/errors.ts';
import type { RequestOptions } from '../../api/options.ts';
import { listAt, memberAt } from '../../common/fields.ts';
import type { RESTClient } from '../../rest/client.ts';
import type { RequestTarget } from './build-request.ts';

/** Options of calls with a container. */
export interface ContainerOptions extends RequestOptions {
  readonly container?: string | undefined;
}

const annotation = 'kubectl.kubernetes.io/default-container';

/**
 * Returns the container that the annotation of a pod names, and the rest of `timeoutMs`, to be added to the
 * options of a call. Without the annotation, or if the pod has no such container, the server decides: it
 * accepts calls without a container if the pod has a single one. A pod that cannot be read is ignored: the
 * call itself may succeed, or its error has its name.
 * @see https://github.com/kubernetes/kubectl/blob/master/pkg/cmd/util/podcmd/podcmd.go
 */
export async function defaultContainer(
  rest: RESTClient,
  { namespace }: RequestTarget,
  name: string,
  { container, signal, timeoutMs, headers, impersonate }: ContainerOptions = {},
): Promise<Pick<ContainerOptions, 'container' | 'timeoutMs'>> {
  if (container !== undefined || namespace === undefined) return {};
  const start = performance.now();
  const call = { path: { namespace, name }, signal, timeoutMs, headers, impersonate };
  const pod = await rest.get('/api/v1/namespaces/{namespace}/pods/{name}', call).catch((error: unknown) => {
    // The call itself reports an abort, and what is wrong with the server.
    if (isTimeoutError(error)) throw error;
  });
  const found = containerOf(pod);
  return {
    ...(found !== undefined && { container: found }),
    ...(timeoutMs !== undefined && {
      timeoutMs: Math.max(1, Math.ceil(timeoutMs - (performance.now() - start))),
    }),
  };
}

function containerOf(pod: unknown): string | undefined {
  const name = memberAt(pod, 'metadata', 'annotations', annotation);
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((kind) =>
    listAt(pod, 'spec', kind),
  );
  const isContainer = containers.some((container) => memberAt(container, 'name') === name);
  return typeof name === 'string' && isContainer ? name : undefined;
}
