/** Health checks: `/healthz`, `/livez` and `/readyz`, all of which pass. */
import { type ApiRequest, type ApiResponse, noSniff } from '../request/request.ts';

/** Checks after the start of the server, in the order of a real server. */
const started: readonly string[] = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'peer-endpoint-reconciler-controller',
  'start-cluster-authentication-info-controller',
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
  'storage-readiness',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'kube-apiserver-autoregistration',
  'autoregister-completion',
  'apiservice-openapi-controller',
  'apiservice-openapiv3-controller',
].map((name) => (name === 'autoregister-completion' ? name : `poststarthook/${name}`));

const living = ['ping', 'log', 'loopback-serving-certificate', 'etcd', ...started];

/** Names of checks by the first part of the path. */
export const checks: ReadonlyMap<string, readonly string[]> = new Map([
  ['healthz', living],
  ['livez', living],
  ['readyz', ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...started, 'shutdown']],
]);

const ok: ApiResponse = { kind: 'text', code: 200, text: 'ok' };
/** Response of all checks. */
const allOk: ApiResponse = { ...ok, headers: noSniff };

/**
 * Responds to a health check: all of them, or a single one below the path. `verbose` lists them, and
 * `exclude` leaves one out. Returns `undefined` for another path.
 */
export function healthOf({ path, pathname, query }: ApiRequest): ApiResponse | undefined {
  const [root = ''] = path;
  const names = checks.get(root);
  const single = pathname.slice(root.length + 2);
  if (names === undefined || (single !== '' && !names.includes(single))) return undefined;
  if (pathname.length > root.length + 1 && single === '') return undefined;
  if (single !== '') return ok;
  if (!query.has('verbose')) return allOk;
  const excluded = new Set(query.getAll('exclude'));
  const lines = names.map((name) => `[+]${name} ${excluded.has(name) ? 'excluded: ' : ''}ok\n`);
  const unknown = [...excluded].filter((name) => !names.includes(name)).map((name) => JSON.stringify(name));
  const warning =
    unknown.length === 0
      ? ''
      : `warn: some health checks cannot be excluded: no matches for ${unknown.sort().join(',')}\n`;
  const text = `${lines.join('')}${warning}${root} check passed\n`;
  return { kind: 'text', code: 200, text, headers: noSniff };
}
