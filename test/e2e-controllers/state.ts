/** State of a namespace, without the values that differ between two runs. */
import { X509Certificate } from 'node:crypto';
import type { Clientset, coreV1 } from '@kgen/kubernetes';

type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

/** Returns the objects of the controllers in a namespace by kind. */
export async function stateOf(clientset: Clientset, namespace: string): Promise<Record<string, Value>> {
  const {
    coreV1,
    appsV1,
    batchV1,
    policyV1,
    discoveryV1,
    storageV1,
    certificatesV1,
    admissionregistrationV1,
  } = clientset;
  const lists = {
    deployments: appsV1.deployments(namespace).list(),
    replicaSets: appsV1.replicaSets(namespace).list(),
    statefulSets: appsV1.statefulSets(namespace).list(),
    daemonSets: appsV1.daemonSets(namespace).list(),
    revisions: appsV1.controllerRevisions(namespace).list(),
    controllers: coreV1.replicationControllers(namespace).list(),
    jobs: batchV1.jobs(namespace).list(),
    cronJobs: batchV1.cronJobs(namespace).list(),
    pods: coreV1.pods(namespace).list(),
    endpoints: coreV1.endpoints(namespace).list(),
    slices: discoveryV1.endpointSlices(namespace).list(),
    budgets: policyV1.podDisruptionBudgets(namespace).list(),
    claims: coreV1.persistentVolumeClaims(namespace).list(),
    quotas: coreV1.resourceQuotas(namespace).list(),
    accounts: coreV1.serviceAccounts(namespace).list(),
    configMaps: coreV1.configMaps(namespace).list(),
    volumes: coreV1.persistentVolumes().list(),
    namespaces: coreV1.namespaces().list(),
    requests: certificatesV1.certificateSigningRequests().list(),
    policies: admissionregistrationV1.validatingAdmissionPolicies().list(),
    attributes: storageV1.volumeAttributesClasses().list(),
    events: coreV1.events(namespace).list(),
  };
  const entries = await Promise.all(
    Object.entries(lists).map(async ([kind, list]) => {
      const { items } = await list;
      // Objects of the API are JSON.
      const all = JSON.parse(JSON.stringify(items)) as Value[];
      const plain = ['volumes', 'attributes', 'namespaces', 'requests', 'policies'].includes(kind)
        ? all.filter((item) => isOf(item, namespace))
        : all;
      const shown =
        kind === 'pods'
          ? plain.map(withoutToken).map(withoutStatus)
          : kind === 'requests'
            ? plain.map(withFacts)
            : kind === 'events'
              ? eventsOf(items as readonly coreV1.Event[])
              : ['slices', 'replicaSets'].includes(kind)
                ? plain.map(withoutGeneration)
                : plain;
      return [kind, shown] as const;
    }),
  );
  return mask(Object.fromEntries(entries), namespace);
}

const recorders = ['deployment', 'replicaset', 'statefulset', 'daemonset', 'job', 'cronjob'].map(
  (name) => `${name}-controller`,
);

/** Events of the controllers of workloads. Their number depends on how fast pods become ready. */
function eventsOf(items: readonly coreV1.Event[]): readonly Value[] {
  const own = items.filter(
    ({ source, message = '' }) =>
      recorders.includes(source?.component ?? '') && !message.startsWith('(combined'),
  );
  const lines = own
    .map(withoutConflict)
    .map(({ involvedObject: { kind, name }, reason, type, source, message = '' }) =>
      [kind, name, source?.component, reason, type, message]
        .join(' ')
        .replace(/from \d+ to \d+$/, 'from <n> to <n>')
        .replace(new RegExp(`-${names}{8,10}\\b`, 'g'), '-<hash>')
        .replace(new RegExp(`-${names}{5}(?="|$)`), '-<suffix>'),
    );
  return [...new Set(lines)].sort();
}

/**
 * The StatefulSet controller creates a pod, then updates its claims. If another controller has changed a
 * claim meanwhile, it records the conflict in place of the creation, and updates the claim later.
 */
function withoutConflict(event: coreV1.Event): coreV1.Event {
  const conflict = /^Update (Pod \S+ in StatefulSet \S+) failed .* the object has been modified/;
  const [, pod] = conflict.exec(event.message ?? '') ?? [];
  if (pod === undefined) return event;
  return { ...event, reason: 'SuccessfulCreate', type: 'Normal', message: `Create ${pod} successful` };
}

/** Objects without a namespace have names that begin with the namespace of their story. */
function isOf(item: Value, namespace: string): boolean {
  const { name } = (item as { metadata: { name: string } }).metadata;
  return name === namespace || name.startsWith(`${namespace}-`);
}

/** Two authorities sign different certificates with the same facts. The user of the request differs. */
function withFacts(request: Value): Value {
  const { spec, status } = request as {
    readonly spec: { readonly [key: string]: Value };
    readonly status?: { readonly certificate?: string; readonly conditions?: Value };
  };
  const { username: _, groups: __, extra: ___, ...rest } = spec;
  if (status?.certificate === undefined) return { spec: rest, conditions: status?.conditions ?? null };
  const certificate = new X509Certificate(Buffer.from(status.certificate, 'base64'));
  const { subject, subjectAltName, keyUsage, ca, validFrom, validTo } = certificate;
  const seconds = (Date.parse(validTo) - Date.parse(validFrom)) / 1_000;
  return {
    spec: rest,
    conditions: status.conditions ?? null,
    facts: [subject, subjectAltName ?? '', keyUsage.join(), ca, Math.min(seconds, 86_400)],
  };
}

/** The control plane of tests has no admission of service accounts, which adds a volume with a token. */
function withoutToken(pod: Value): Value {
  const isToken = (value: unknown): boolean => JSON.stringify(value).includes('"name":"kube-api-access-');
  const dropped = (key: string, value: unknown): unknown => {
    if (key === 'serviceAccount' || key === 'serviceAccountName') return undefined;
    if ((key !== 'volumes' && key !== 'volumeMounts') || !Array.isArray(value)) return value;
    const rest = value.filter((item) => !isToken(item));
    return rest.length === 0 ? undefined : rest;
  };
  return JSON.parse(JSON.stringify(pod, dropped)) as Value;
}

/** The number of writes depends on how fast pods become ready. */
function withoutGeneration(object: Value): Value {
  return JSON.parse(
    JSON.stringify(object, (key, value: Value) => (/^(observedG|g)eneration$/.test(key) ? 0 : value)),
  ) as Value;
}

/** The kubelets of the two servers report different details. */
function withoutStatus(pod: Value): Value {
  if (typeof pod !== 'object' || pod === null || Array.isArray(pod)) return pod;
  const { status, ...rest } = pod as { readonly [key: string]: Value };
  const phase =
    typeof status === 'object' && status !== null
      ? (status as { readonly [key: string]: Value })['phase']
      : null;
  return { ...rest, phase: phase ?? null };
}

const hidden = new Set([
  'managedFields',
  'uid',
  'resourceVersion',
  'nodeName',
  'ca.crt',
  'deletionGracePeriodSeconds',
]);
const names = '[bcdfghjklmnpqrstvwxz2456789]';

/** Replaces hashes, random suffixes, times and addresses, and sorts lists of objects. */
function mask(state: Record<string, Value>, namespace: string): Record<string, Value> {
  const hashes = hashesOf(state);
  const text = (value: string): string => {
    const named = [...hashes].reduce(
      (result, hash, index) => result.replaceAll(hash, `<hash ${index}>`),
      value,
    );
    return (
      named
        .replaceAll(namespace, '<namespace>')
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
        .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)/g, '<time>')
        .replace(/-\d{8}(?=$|-)/g, '-<minute>')
        .replace(/\b10\.\d+\.\d+\.\d+\b/g, '<ip>')
        // A rollout begins on any node.
        .replace(/^node-[12]$/, '<node>')
        .replace(new RegExp(`-${names}{5}(?="|$| has )`), '-<suffix>')
    );
  };
  const value = (each: Value): Value => {
    if (typeof each === 'string') return text(each);
    if (Array.isArray(each)) {
      const items = each.map(value);
      return items.every((item) => typeof item === 'object')
        ? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
        : items;
    }
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(
      Object.entries(each as { readonly [key: string]: Value })
        .filter(([key]) => !hidden.has(key))
        .map(([key, item]): [string, Value] => [text(key), value(item)])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  };
  return Object.fromEntries(Object.entries(state).map(([kind, items]) => [kind, value(items)]));
}

/** Returns the hashes of templates, by the revision that has them. */
function hashesOf(state: Record<string, Value>): readonly string[] {
  const found: { readonly hash: string; readonly revision: number }[] = [];
  const visit = (each: Value): void => {
    if (typeof each !== 'object' || each === null) return;
    if (Array.isArray(each)) {
      for (const item of each) visit(item);
      return;
    }
    const item = each as { readonly [key: string]: Value };
    const { metadata } = item as {
      metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
    };
    const hash = ['pod-template-hash', 'controller-revision-hash', 'controller.kubernetes.io/hash']
      .map((name) => metadata?.labels?.[name])
      .find((label) => label !== undefined);
    const revision = Number(
      metadata?.annotations?.['deployment.kubernetes.io/revision'] ?? item['revision'] ?? 0,
    );
    if (hash !== undefined && revision > 0) found.push({ hash: hash.replace(/^web-/, ''), revision });
  };
  for (const items of Object.values(state)) visit(items);
  const sorted = found.toSorted((a, b) => a.revision - b.revision).map(({ hash }) => hash);
  return [...new Set(sorted)];
}
