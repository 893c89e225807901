/** Requests of table tests that the webhooks of the operator review. */
import { isApiError, type KubernetesObject, RESTClient, type StatusCause } from '@kgen/runtime';
import { type JsonObject, object, text } from '@kgen/schema/values/json';
import { copyOf } from '@kgen/schema/values/wire';
import { idOf } from '../cluster.ts';
import type { TableCluster } from './cluster.ts';

/** A request of a user. An update has the uid and the resourceVersion of the present object. */
export type ReviewedRequest =
  | { readonly create: KubernetesObject }
  | { readonly update: KubernetesObject }
  | { readonly delete: KubernetesObject };

/** Response of the server to a reviewed request, which is a dry run. */
export interface TableAdmission<T = unknown> {
  readonly allowed: boolean;
  /** Object as it would be stored, with the changes of `defaults`; absent for a denial. */
  readonly object?: T;
  /** HTTP status: 201, 200, or that of the denial. */
  readonly code: number;
  /** Message of a denial; empty if the request is allowed. */
  readonly message: string;
  /** Errors of fields of a denial. */
  readonly causes: readonly StatusCause[];
  readonly warnings: readonly string[];
}

/** A request of a table test in place of changes. */
export interface AdmissionStep {
  readonly type: 'reviewed';
  readonly request: ReviewedRequest;
  readonly done: (admission: TableAdmission<never>) => void;
}

/** Sends the request as an administrator. Never rejects for a denial. */
export async function review(cluster: TableCluster, { request, done }: AdmissionStep): Promise<void> {
  const warnings: string[] = [];
  const rest = new RESTClient(cluster.configOf('user'), {
    ...{ transport: cluster.transport, encoding: 'json' as const },
    onWarning: ({ text, message = text }) => warnings.push(message),
  });
  try {
    const object = await send(cluster, rest, request);
    // seam: the server returns the object of the request in its version.
    done({
      allowed: true,
      object: object as never,
      code: codeOf(request),
      message: '',
      causes: [],
      warnings,
    });
  } catch (error) {
    if (!isApiError(error)) throw error;
    const { code, status } = error;
    done({
      allowed: false,
      code,
      message: status.message ?? '',
      causes: status.details?.causes ?? [],
      warnings,
    });
  } finally {
    await rest.close();
  }
}

function codeOf(request: ReviewedRequest): number {
  return 'create' in request ? 201 : 200;
}

async function send(cluster: TableCluster, rest: RESTClient, request: ReviewedRequest): Promise<unknown> {
  const query = { dryRun: 'All' };
  if ('create' in request) {
    const body = copyOf(request.create);
    return rest.post(pathOf(cluster, body, false), { query, body });
  }
  if ('update' in request) {
    const value = copyOf(request.update);
    const present = cluster.stored(idOf(value));
    const uid = text(present, 'metadata', 'uid');
    const resourceVersion = text(present, 'metadata', 'resourceVersion');
    const body = { ...value, metadata: { ...object(value, 'metadata'), uid, resourceVersion } };
    return rest.put(pathOf(cluster, body, true), { query, body });
  }
  return rest.delete(pathOf(cluster, copyOf(request.delete), true), { query });
}

function pathOf(cluster: TableCluster, object: JsonObject, isOne: boolean): string {
  const id = cluster.placed(idOf(object));
  const { group, version, plural } = cluster.typeOf(id);
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = id.namespace === '' ? '' : `/namespaces/${id.namespace}`;
  return `${root}${scope}/${plural}${isOne ? `/${id.name}` : ''}`;
}
