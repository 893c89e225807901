/** Rules of `kgen doctor`: from the state of a deployed operator to findings. Pure. */
import { array, type JsonObject, object, strings, text } from '@kgen/schema/values/json';
import { pauseOf } from '../local/pause.ts';
import { refOf, refText } from './cluster.ts';
import {
  bundleDefects,
  type CertificateDefect,
  type ServingSecret,
  servingDefects,
  type WebhookClient,
  webhookClients,
} from './doctor-certificates.ts';
import type { PodLog } from './logs.ts';
import { type DefinedObjects, heldText } from './objects.ts';
import type { OperatorPlace } from './operator.ts';
import { conditionOf, number, podProblems, type RolloutFacts, rolloutState } from './rollout.ts';

/** State of a deployed operator. */
export interface DoctorFacts extends OperatorPlace {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly rollout: RolloutFacts;
  /** Definitions of the project. */
  readonly definitions: readonly JsonObject[];
  /** Definitions of the same names in the cluster, and their objects. */
  readonly defined: readonly DefinedObjects[];
  /** Permissions of `config/rbac` that the service account does not have. */
  readonly denied: readonly string[];
  /** Number of permissions that were checked. */
  readonly checked: number;
  /** Configurations of webhooks of the operator. */
  readonly webhooks: readonly JsonObject[];
  /** Absent if the manifests name no Secret of certificates. */
  readonly certificate?: ServingSecret | undefined;
  /** Services in the namespace, by name. */
  readonly services: readonly string[];
  readonly lease: JsonObject | undefined;
  /** Last lines of the Pods of `loggingPods`. */
  readonly logs: readonly PodLog[];
}

/** A finding about one subject. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'error';
  readonly what: string;
}

/** Returns the findings about all subjects, in the order in which they are best resolved. */
export function diagnose(facts: DoctorFacts): readonly Finding[] {
  const subjects: readonly (readonly [ok: string, findings: readonly Finding[]])[] = [
    [`definitions: ${facts.definitions.length} as in config/crd`, definitionFindings(facts)],
    [`permissions: ${facts.checked} granted`, facts.denied.map(deniedFinding)],
    ['Pods: all are available', podFindings(facts)],
    [`webhooks: ${facts.webhooks.length} configurations without problems`, webhookFindings(facts)],
    ['certificate: API servers trust it, or call no webhook', certificateFindings(facts)],
    [isServing(facts) ? 'leader: it renews its lease' : 'leader: none without Pods', leaderFindings(facts)],
    [
      isServing(facts) ? 'throttling: at most one minute of the last 10' : 'throttling: none without Pods',
      facts.logs.flatMap(throttlingFindings),
    ],
    ['objects: none waits for its deletion', stuckFindings(facts)],
  ];
  return subjects.flatMap(([what, found]) => (found.length === 0 ? [{ level: 'ok', what } as const] : found));
}

const failed = (what: string): Finding => ({ level: 'error', what });
const doubtful = (what: string): Finding => ({ level: 'warning', what });

function deniedFinding(permission: string): Finding {
  return failed(
    `permissions: the service account may not ${permission}: run kgen deploy, which applies config/rbac`,
  );
}

function definitionFindings({ definitions, defined }: DoctorFacts): readonly Finding[] {
  return definitions.flatMap((local) => {
    const { name } = refOf(local);
    const found = defined.find(({ definition }) => refOf(definition).name === name)?.definition;
    if (found === undefined) return [failed(`definitions: ${name} does not exist: run kgen install`)];
    const served = versionsOf(found, 'served');
    const missing = versionsOf(local, 'served').filter((version) => !served.includes(version));
    const [storage = ''] = versionsOf(found, 'storage');
    const old = strings(found, 'status', 'storedVersions').filter((version) => version !== storage);
    const names = conditionOf(found, 'NamesAccepted');
    const established = conditionOf(found, 'Established');
    return [
      ...(text(names, 'status') === 'False'
        ? [failed(`definitions: the names of ${name} are not accepted: ${text(names, 'message')}`)]
        : []),
      ...(text(established, 'status') === 'True' ? [] : [failed(`definitions: ${name} is not established`)]),
      ...(missing.length > 0
        ? [failed(`definitions: ${name} does not serve ${missing.join(', ')}: run kgen install`)]
        : []),
      ...old.map((version) => storedFinding(name, version, local)),
    ];
  });
}

function storedFinding(name: string, version: string, local: JsonObject): Finding {
  const isDropped = !array(local, 'spec', 'versions').some((each) => text(each, 'name') === version);
  const what = `definitions: objects of ${name} may be stored as ${version}`;
  return isDropped
    ? failed(`${what}, which config/crd no longer has, so that it cannot be applied: run kgen migrate first`)
    : doubtful(`${what}: run kgen migrate`);
}

/** Returns the names of the versions of a definition with a flag. */
export function versionsOf(definition: JsonObject, flag: 'served' | 'storage'): readonly string[] {
  return array(definition, 'spec', 'versions')
    .filter((version) => object(version)[flag] === true)
    .map((version) => text(version, 'name'));
}

function podFindings({ name, namespace, rollout }: DoctorFacts): readonly Finding[] {
  const { deployment, pods, events } = rollout;
  if (deployment === undefined)
    return [failed(`Pods: Deployment ${namespace}/${name} does not exist: run kgen deploy`)];
  const pause = pauseOf(deployment);
  if (pause !== undefined)
    return [
      doubtful(
        `Pods: kgen dev --cluster of ${pause.holder} pauses the Deployment: if that has ended, run kgen deploy`,
      ),
    ];
  if (number(deployment, 'spec', 'replicas') === 0)
    return [doubtful('Pods: the Deployment is scaled to 0, so that no Pod runs')];
  const { isDone, progress, problems } = rolloutState(rollout);
  const all = new Set(
    [...problems, ...pods.flatMap((pod) => podProblems(pod, events))].map((each) => each.text),
  );
  const found = [...all].map((each) => failed(`Pods: ${each}`));
  return isDone || found.length > 0 ? found : [failed(`Pods: ${progress}`)];
}

function webhookFindings(facts: DoctorFacts): readonly Finding[] {
  const { now, namespace, services } = facts;
  const isServed = isServing(facts);
  return clientsOf(facts).flatMap((client) => {
    const { about, effect, service } = client;
    const isHere = client.namespace === namespace;
    return [
      ...(isHere && !services.includes(service)
        ? [failed(`webhooks: ${about} ${effect}: Service ${service} does not exist: run kgen deploy`)]
        : []),
      ...(isHere && !isServed ? [failed(`webhooks: ${about} ${effect}, since no Pod is available`)] : []),
      ...bundleDefects(client, now).map(findingOf('webhooks')),
    ];
  });
}

function certificateFindings(facts: DoctorFacts): readonly Finding[] {
  const { now, namespace, certificate } = facts;
  const clients = clientsOf(facts).filter((client) => client.namespace === namespace);
  if (certificate === undefined || clients.length === 0) return [];
  return servingDefects(certificate, clients, now).map(findingOf('certificate'));
}

function clientsOf({ webhooks, defined }: DoctorFacts): readonly WebhookClient[] {
  return webhookClients(
    webhooks,
    defined.map(({ definition }) => definition),
  );
}

function findingOf(subject: string): (defect: CertificateDefect) => Finding {
  return ({ isSerious, what }) => (isSerious ? failed : doubtful)(`${subject}: ${what}`);
}

/** Returns whether a Pod is available. */
function isServing({ rollout }: DoctorFacts): boolean {
  return (number(rollout.deployment, 'status', 'availableReplicas') ?? 0) > 0;
}

function leaderFindings(facts: DoctorFacts): readonly Finding[] {
  const { name, now, lease } = facts;
  if (!isServing(facts)) return [];
  if (lease === undefined)
    return [
      doubtful(`leader: Lease ${name} does not exist: the operator elects no leader, or has not begun`),
    ];
  const holder = text(lease, 'spec', 'holderIdentity');
  if (holder === '')
    return [failed('leader: nobody holds the lease, although Pods are available: see kgen logs')];
  const age = Math.round((now - Date.parse(text(lease, 'spec', 'renewTime'))) / 1000);
  const duration = number(lease, 'spec', 'leaseDurationSeconds') ?? 15;
  if (!(age > duration)) return [];
  return [
    failed(`leader: ${holder} has not renewed the lease for ${age} s: nothing is reconciled; see kgen logs`),
  ];
}

/** Returns the running Pods whose logs have the requests of the operator: its leader, or all without one. */
export function loggingPods(
  pods: readonly JsonObject[],
  lease: JsonObject | undefined,
): readonly JsonObject[] {
  const running = pods.filter((pod) => text(pod, 'status', 'phase') === 'Running');
  const [leader = ''] = text(lease, 'spec', 'holderIdentity').split('_');
  const leading = running.filter((pod) => refOf(pod).name === leader);
  return leading.length > 0 ? leading : running;
}

/** Messages of `@kgen/controller` about requests that are throttled, and the actions that help. */
const throttlings: readonly (readonly [message: RegExp, action: string])[] = [
  [
    /throttled by the API server: \S+ \S+ had the response 429/,
    'send fewer requests, or match its service account by a FlowSchema of a higher priority level',
  ],
  [
    /throttled by rateLimit of the client: \S+ \S+ waited for \d+ ms/,
    'raise qps and burst of client.rateLimit in the options of the Manager, or omit it',
  ],
];

/** Minutes with such requests that are a problem: servers that restart, and new kinds, have one. */
const leastThrottlings = 2;

function throttlingFindings({ pod, lines, failure }: PodLog): readonly Finding[] {
  if (failure !== undefined)
    return [doubtful(`throttling: the log of Pod ${pod} cannot be read: ${failure}`)];
  return throttlings.flatMap(([message, action]) => {
    const found = lines.flatMap((line) => message.exec(line)?.[0] ?? []);
    const last = found.at(-1);
    if (last === undefined || found.length < leastThrottlings) return [];
    return [doubtful(`throttling: Pod ${pod} logs "${last}": ${action}`)];
  });
}

/** Time that finalizers may take, in milliseconds. */
const stuckMs = 60_000;
const maxStuck = 10;

function stuckFindings({ now, defined }: DoctorFacts): readonly Finding[] {
  const stuck = defined
    .flatMap(({ objects }) => objects)
    .filter((each) => now - Date.parse(text(each, 'metadata', 'deletionTimestamp')) > stuckMs);
  const more = stuck.length - maxStuck;
  return [
    ...stuck.slice(0, maxStuck).map((each) => {
      const since = text(each, 'metadata', 'deletionTimestamp');
      return failed(
        `objects: ${refText(refOf(each))} is being deleted since ${since}, and ${heldText(each)}`,
      );
    }),
    ...(more > 0 ? [failed(`objects: ${more} more are being deleted`)] : []),
  ];
}
