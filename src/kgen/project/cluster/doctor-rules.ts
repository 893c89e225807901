/** Rules of `kgen doctor`: from the state of a deployed operator to findings. Pure. */
import { X509Certificate } from 'node:crypto';
import { array, type JsonObject, object, strings, text } from '@kgen/schema/values/json';
import { pauseOf } from '../local/pause.ts';
import { refOf, refText } from './cluster.ts';
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
  /** Services in the namespace, by name. */
  readonly services: readonly string[];
  readonly lease: JsonObject | undefined;
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
    [isServing(facts) ? 'leader: it renews its lease' : 'leader: none without Pods', leaderFindings(facts)],
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
  const { now, namespace, webhooks, services } = facts;
  const isServed = isServing(facts);
  return webhooks.flatMap((configuration) =>
    array(configuration, 'webhooks').flatMap((webhook) => {
      const about = `webhooks: ${text(webhook, 'name')}`;
      const effect = text(webhook, 'failurePolicy') === 'Ignore' ? 'is skipped' : 'refuses all its writes';
      const service = object(webhook, 'clientConfig', 'service');
      const isHere = text(service, 'namespace') === namespace;
      const isMissing = isHere && !services.includes(text(service, 'name'));
      return [
        ...(isMissing
          ? [failed(`${about} ${effect}: Service ${text(service, 'name')} does not exist: run kgen deploy`)]
          : []),
        ...(isHere && !isServed ? [failed(`${about} ${effect}, since no Pod is available`)] : []),
        ...bundleFindings(about, text(webhook, 'clientConfig', 'caBundle'), now),
      ];
    }),
  );
}

const dayMs = 86_400_000;
const soonDays = 7;

function bundleFindings(about: string, bundle: string, now: number): readonly Finding[] {
  if (bundle === '')
    return [
      failed(`${about} has no caBundle: the operator or cert-manager sets it; kgen logs shows why not`),
    ];
  const ends = certificateEnds(Buffer.from(bundle, 'base64').toString());
  if (ends.length === 0) return [failed(`${about}: its caBundle contains no certificate`)];
  const end = ends.reduce((a, b) => Math.max(a, b));
  const date = new Date(end).toISOString().slice(0, 10);
  if (end <= now) return [failed(`${about}: its caBundle has expired on ${date}`)];
  return end - now < soonDays * dayMs ? [doubtful(`${about}: its caBundle expires on ${date}`)] : [];
}

/** Returns the ends of the certificates in PEM; invalid ones are left out. */
function certificateEnds(pem: string): readonly number[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [Date.parse(new X509Certificate(block).validTo)];
    } catch {
      return [];
    }
  });
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
