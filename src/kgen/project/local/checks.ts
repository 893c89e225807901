/** State of a cluster that an operator on this machine requires. */
import { array, type JsonObject, object, text } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import { type Cluster, refOf, refText } from '../cluster/cluster.ts';
import { versionsOf } from '../cluster/doctor-rules.ts';
import { deploymentKind, type OperatorPlace, webhookKinds } from '../cluster/operator.ts';
import { conditionOf, number } from '../cluster/rollout.ts';
import { podsOf } from './pause.ts';

/** @throws {Refusal} a definition, or one of its versions, is not installed */
export async function checkInstalled(cluster: Cluster, definitions: readonly JsonObject[]): Promise<void> {
  const found = await Promise.all(definitions.map((each) => cluster.find(refOf(each))));
  const missing = definitions.flatMap((local, index) => missingOf(local, found[index]));
  if (missing.length === 0) return;
  throw new Refusal(`the cluster does not serve ${missing.join(', ')}: run kgen install first`);
}

/** Returns the versions of a definition that a cluster does not serve. */
function missingOf(local: JsonObject, found: JsonObject | undefined): readonly string[] {
  const { name } = refOf(local);
  if (found === undefined || text(conditionOf(found, 'Established'), 'status') !== 'True') return [name];
  const served = versionsOf(found, 'served');
  const missing = versionsOf(local, 'served').filter((version) => !served.includes(version));
  return missing.map((version) => `${version} of ${name}`);
}

/** @throws {Refusal} the deployed operator runs, or its Pods have not ended yet */
export async function checkNotDeployed(cluster: Cluster, { name, namespace }: OperatorPlace): Promise<void> {
  const deployment = await cluster.find({ ...deploymentKind, namespace, name });
  if (deployment === undefined) return;
  const replicas = number(deployment, 'spec', 'replicas') ?? 1;
  if (replicas === 0 && (await podsOf(cluster, deployment)).length === 0) return;
  throw new Refusal(
    `Deployment ${namespace}/${name} runs in the cluster: kgen dev --cluster pauses it, and kgen undeploy removes it`,
  );
}

/**
 * Refuses a pause during which the server would refuse writes, because no Pod responds to the webhooks.
 * @param problem reason for which this machine does not serve them
 * @throws {Refusal} the cluster calls the deployed operator, and may not skip that
 */
export async function checkUncalled(
  cluster: Cluster,
  { name, namespace }: OperatorPlace,
  definitions: readonly JsonObject[],
  problem: string,
): Promise<void> {
  const refs = [...webhookKinds.map((kind) => ({ ...kind, name })), ...definitions.map(refOf)];
  const found = await Promise.all(refs.map((ref) => cluster.find(ref)));
  const callers = found.filter((each) => {
    const conversion = object(each, 'spec', 'conversion', 'webhook');
    const webhooks = array(each, 'webhooks').filter((one) => text(one, 'failurePolicy') !== 'Ignore');
    return [conversion, ...webhooks].some(
      (one) => text(one, 'clientConfig', 'service', 'namespace') === namespace,
    );
  });
  if (callers.length === 0) return;
  const names = callers.map((each) => refText(refOf(each ?? {}))).join(', ');
  throw new Refusal(
    `the cluster calls webhooks of the deployed operator, and would refuse writes during the pause (${names}); ${problem}`,
  );
}

/** Returns the namespace of an operator that runs on this machine: its own, if it exists. */
export async function localNamespace(cluster: Cluster, { namespace }: OperatorPlace): Promise<string> {
  const found = await cluster.find({ apiVersion: 'v1', kind: 'Namespace', name: namespace });
  return found === undefined ? (cluster.config.namespace ?? 'default') : namespace;
}
