/** Numbers of requests, by the labels of the metric `apiserver_request_total`. */
import type { ApiRequest } from './request.ts';

/** Labels of a counter, in their alphabetical order. */
export type MetricLabels = readonly (readonly [name: string, value: string])[];

/** Properties of a request that has a response. */
export interface CountedRequest {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** `undefined` if the connection was cut. */
  readonly status: number | undefined;
}

/** Counts the requests of a server. */
export class RequestMetrics {
  readonly #counts = new Map<string, number>();

  count(
    request: Pick<ApiRequest, 'path' | 'query' | 'contentType' | 'method'>,
    counted: CountedRequest,
  ): void {
    // Paths that are not served would be labels without a limit.
    const isCounted = counted.resource !== '' || (counted.status ?? 0) < 400;
    if (counted.status === undefined || !isCounted) return;
    const key = JSON.stringify(labelsOf(request, counted, counted.status));
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Returns the counters in the order of their labels. */
  all(): readonly { readonly labels: MetricLabels; readonly value: number }[] {
    // The keys are labels.
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => ({ labels: JSON.parse(key) as MetricLabels, value }));
  }
}

function labelsOf(
  { path, query, contentType, method }: Pick<ApiRequest, 'path' | 'query' | 'contentType' | 'method'>,
  { verb, group, resource, subresource, namespace, name }: CountedRequest,
  status: number,
): MetricLabels {
  const isResource = resource !== '';
  const isApply = verb === 'patch' && contentType.startsWith('application/apply-patch');
  const scope = name !== '' || verb === 'create' ? 'resource' : namespace !== '' ? 'namespace' : 'cluster';
  return [
    ['code', String(status)],
    ['component', 'apiserver'],
    ['dry_run', query.get('dryRun') ?? ''],
    ['group', group],
    ['resource', resource],
    ['scope', isResource ? scope : ''],
    ['subresource', isResource ? subresource : path.slice(0, 2).join('/')],
    ['verb', isApply ? 'APPLY' : (verbs.get(verb) ?? method)],
    ['version', !isResource ? '' : path[0] === 'api' ? (path[1] ?? '') : (path[2] ?? '')],
  ];
}

/** Verbs that differ from the method. */
const verbs: ReadonlyMap<string, string> = new Map([
  ['list', 'LIST'],
  ['watch', 'WATCH'],
  ['deletecollection', 'DELETECOLLECTION'],
]);
