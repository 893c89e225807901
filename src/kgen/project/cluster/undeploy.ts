/** `kgen undeploy`: removes a deployed operator. */
import { DiscoveryClient } from '@kgen/runtime/discovery';
import { array, type JsonObject, text } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import { type Cluster, type ObjectRef, refOf, refText } from './cluster.ts';
import { finalizerHint } from './definitions.ts';
import { holderOf, lockOf, takeLock } from './lock.ts';
import { definedObjects, deleteAll } from './objects.ts';
import {
  definitionKind,
  deployedKinds,
  deploymentKind,
  type OperatorPlace,
  operatorLabel,
} from './operator.ts';
import { number } from './rollout.ts';
import type { Session } from './session.ts';
import { type UndeployChoice, type UndeployFacts, undeployPlan } from './undeploy-plan.ts';

/** Options of `undeploy`. */
export interface UndeployOptions extends OperatorPlace, UndeployChoice {
  readonly dryRun: boolean;
  readonly timeoutMs?: number | undefined;
}

/**
 * Removes an operator in the order of the plan, which is printed first. Safe to repeat.
 * @throws {Refusal} nothing was changed because of the reasons in the message, or objects remain
 */
export async function undeploy(cluster: Cluster, options: UndeployOptions, session: Session): Promise<void> {
  const { print } = session;
  const facts = await undeployFacts(cluster, options, session.now());
  const plan = undeployPlan(facts, options);
  for (const { title, refs } of plan.steps) {
    print(`delete     ${title}:`);
    for (const ref of refs) print(`           ${refText(ref)}`);
  }
  for (const kept of plan.kept) print(`keep       ${kept}`);
  if (plan.refusals.length > 0) throw new Refusal(plan.refusals.join('\n'));
  if (plan.steps.length === 0) return print(`${options.name} is not deployed.`);
  if (options.dryRun) return print('Nothing was changed.');
  // A namespace that is being deleted accepts no lock.
  const lock = facts.isNamespaceActive ? await takeLock(cluster, options, session) : undefined;
  try {
    for (const { refs } of plan.steps) {
      lock?.check();
      const hint = finalizerHint;
      await deleteAll(cluster, refs, { hint, timeoutMs: options.timeoutMs }, session);
    }
  } finally {
    await lock?.release();
  }
  print(`${options.name} is removed.`);
}

async function undeployFacts(
  cluster: Cluster,
  options: UndeployOptions,
  now: number,
): Promise<UndeployFacts & { readonly isNamespaceActive: boolean }> {
  const { name, namespace } = options;
  const labelSelector = `${operatorLabel}=${name}`;
  const all = [...deployedKinds, definitionKind, { apiVersion: 'v1', kind: 'Namespace' }];
  const searched = [...new Map(all.map((each) => [`${each.apiVersion} ${each.kind}`, each])).values()];
  const found = await Promise.all(searched.map((kind) => cluster.list(kind, { labelSelector })));
  // Versions of one kind list the same objects.
  const deployed = [...new Map(found.flat().map((each) => [refOf(each).uid, each])).values()];
  const own = await ownObjects(cluster, options);
  const definitions = deployed.filter((each) => text(each, 'kind') === definitionKind.kind);
  const deployment = await cluster.find({ ...deploymentKind, namespace, name });
  const place = await cluster.find({ apiVersion: 'v1', kind: 'Namespace', name: namespace });
  const known = new Set([...deployed, ...own].map((each) => refOf(each).uid));
  const isOwned = deployed.some(
    (each) => text(each, 'kind') === 'Namespace' && refOf(each).name === namespace,
  );
  return {
    ...{ name, namespace, deployed, own },
    defined: await definedObjects(
      cluster,
      definitions.map(refOf).map((ref) => ref.name),
    ),
    strangers: isOwned ? await strangersIn(cluster, namespace, known) : [],
    isForeign: deployment !== undefined && !known.has(refOf(deployment).uid),
    isNamespaceActive: place !== undefined && text(place, 'metadata', 'deletionTimestamp') === '',
    // The lease of an operator outside of the cluster, as of `kgen dev --cluster`.
    isRunning:
      (number(deployment, 'status', 'availableReplicas') ?? 0) > 0 ||
      own.some((each) => holderOf(each, now) !== undefined),
  };
}

/** Returns the objects that an operator creates in its namespace, by their names. */
async function ownObjects(
  cluster: Cluster,
  { name, namespace }: OperatorPlace,
): Promise<readonly JsonObject[]> {
  const lease = (suffix: string): ObjectRef => ({ ...lockOf({ name, namespace }), name: `${name}${suffix}` });
  const secret = { apiVersion: 'v1', kind: 'Secret', namespace, name: `${name}-webhook-certificates` };
  const found = await Promise.all([lease(''), lease('-local'), secret].map((ref) => cluster.find(ref)));
  return found.filter((each) => each !== undefined);
}

/** Returns the objects in a namespace that neither kgen nor the cluster has created. */
async function strangersIn(
  cluster: Cluster,
  namespace: string,
  known: ReadonlySet<string | undefined>,
): Promise<readonly ObjectRef[]> {
  const { resources: lists, failed } = await new DiscoveryClient(
    cluster.rest,
  ).serverPreferredNamespacedResources();
  const kinds = lists.flatMap(({ groupVersion, resources }) =>
    resources
      .filter(({ verbs, name }) => verbs.includes('list') && verbs.includes('delete') && !name.includes('/'))
      .map(({ kind }) => ({ apiVersion: groupVersion, kind })),
  );
  const found = await Promise.all(
    kinds.filter(({ kind }) => !derivedKinds.includes(kind)).map((kind) => cluster.list(kind, { namespace })),
  );
  const strangers = found.flat().filter((each) => !known.has(refOf(each).uid) && !isUsual(each));
  // A namespace is not deleted completely while a part of the API is unavailable.
  const unknown = [...failed.keys()].map((name) => ({ apiVersion: '', kind: 'unavailable API', name }));
  return [...strangers.map(refOf), ...unknown];
}

/** Kinds whose objects clusters derive from others. */
const derivedKinds = ['Event', 'Endpoints', 'EndpointSlice', 'ControllerRevision', 'PodMetrics'];

/** Returns whether every namespace has an object, or another object controls it. */
function isUsual(each: JsonObject): boolean {
  const { kind, name } = refOf(each);
  const isDefault =
    (kind === 'ConfigMap' && ['kube-root-ca.crt', 'openshift-service-ca.crt'].includes(name)) ||
    (kind === 'ServiceAccount' && ['default', 'builder', 'deployer'].includes(name));
  return isDefault || isLock(name, kind) || array(each, 'metadata', 'ownerReferences').length > 0;
}

function isLock(name: string, kind: string): boolean {
  return kind === 'Lease' && name.endsWith('-kgen');
}
