/** Triggers: their metrics for an autoscaler, and whether one of them is active. */
import type { MetricSpec } from '@kgen/kubernetes/autoscaling/v2';
import type { Stored } from '@kgen/runtime';
import type { ScaledObject, Trigger } from './kinds.ts';
import type { Parts } from './parts.ts';

export const ownerLabel = 'scaledobject.keda.sh/name';

/** A trigger whose metadata is valid and whose authentication exists. */
export interface Scaler {
  readonly metric: MetricSpec;
  /** Resolves to whether the trigger needs replicas. Absent for resource metrics, which always do. */
  readonly isActive?: () => Promise<boolean>;
}

/** A trigger refers to an authentication that does not exist: its creation causes a run. */
export class MissingAuthentication extends Error {
  override readonly name = 'MissingAuthentication';

  constructor(name: string) {
    super(`triggerauthentications.keda.sh "${name}" not found`);
  }
}

/** Checks that triggers can be told from each other. */
export function checkTriggers(triggers: readonly Trigger[]): void {
  if (triggers.length === 0) throw new Error('no triggers defined in the ScaledObject');
  const names = triggers.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`triggerName ${repeated} is defined multiple times`);
}

/** Builds the scalers of a ScaledObject. */
export function scalersOf(parts: Parts, object: Stored<ScaledObject>): readonly Scaler[] {
  return object.spec.triggers.map((trigger, index) => {
    const token = tokenOf(parts, object, trigger);
    return trigger.type === 'metrics-api'
      ? apiScaler(object, trigger, index, token)
      : resourceScaler(trigger, index);
  });
}

/** Metrics are in the order of their types, so that an autoscaler is not changed by the order of triggers. */
export function metricsOf(scalers: readonly Scaler[], { metadata: { name } }: Stored<ScaledObject>) {
  const metrics = scalers.map(({ metric }) => metric);
  const external = metrics.flatMap((metric) => metric.external?.metric.name ?? []);
  const repeated = external.find((each, index) => external.indexOf(each) !== index);
  if (repeated !== undefined)
    throw new Error(`metricName ${repeated} defined multiple times in ScaledObject ${name}`);
  const resources = metrics.flatMap((metric) => metric.resource?.name ?? []);
  const sorted = [...metrics].sort((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0));
  return { external, resources, sorted };
}

function resourceScaler({ type, metadata }: Trigger, index: number): Scaler {
  if (type !== 'cpu' && type !== 'memory') throw new Error(`no scaler found for type: ${type}`);
  const averageUtilization = Number(metadata['value']);
  if (!(averageUtilization > 0)) throw new Error(`trigger ${index}: value must be a number above 0`);
  return {
    metric: {
      type: 'Resource',
      resource: { name: type, target: { type: 'Utilization', averageUtilization } },
    },
  };
}

function apiScaler(
  { metadata: { name } }: Stored<ScaledObject>,
  { metadata }: Trigger,
  index: number,
  token: string | undefined,
): Scaler {
  const { url, targetValue = '', activationTargetValue = '0' } = metadata;
  if (url === undefined) throw new Error(`trigger ${index}: no url given in metadata`);
  if (!(Number(targetValue) > 0)) throw new Error(`trigger ${index}: targetValue must be a number above 0`);
  const metric = {
    name: `s${index}-metric-api-${metadata['valueLocation'] ?? 'value'}`,
    selector: { matchLabels: { [ownerLabel]: name } },
  };
  return {
    metric: {
      type: 'External',
      external: { metric, target: { type: 'AverageValue', averageValue: targetValue } },
    },
    isActive: async () => (await valueAt(url, token)) > Number(activationTargetValue),
  };
}

async function valueAt(url: string, token: string | undefined): Promise<number> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`GET ${url}: status ${response.status}`);
  return Number(await response.text());
}

/** Returns the token of an authentication. A Secret that does not exist counts as empty. */
function tokenOf(
  parts: Parts,
  { metadata: { namespace } }: Stored<ScaledObject>,
  { authenticationRef }: Trigger,
): string | undefined {
  if (authenticationRef === undefined) return undefined;
  const found = parts.authentications.lister.get(namespace, authenticationRef.name);
  if (found === undefined) throw new MissingAuthentication(authenticationRef.name);
  const reference = found.spec.secretTargetRef?.find(({ parameter }) => parameter === 'token');
  if (reference === undefined) return undefined;
  const data = parts.secrets.lister.get(namespace, reference.name)?.data?.[reference.key];
  return data === undefined ? '' : Buffer.from(data, 'base64').toString();
}
