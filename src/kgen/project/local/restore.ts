/** Restores the state of a cluster once an operator on this machine has ended. */
import type { Cluster } from '../cluster/cluster.ts';
import type { OperatorPlace } from '../cluster/operator.ts';
import { type Pause, resume } from './pause.ts';
import type { Registration } from './registration.ts';
import { unregister } from './webhooks.ts';

/** State that is restored. */
export interface RestorePlan extends OperatorPlace {
  readonly pause?: Pause | undefined;
  /** Webhooks on this machine that the cluster calls. */
  readonly webhooks?: readonly Registration[] | undefined;
  /** Options of the command line that choose the cluster: `--context kind-a`. */
  readonly choice: string;
}

/** Effects of a restoration. */
export interface RestoreEffects {
  readonly open: () => Promise<Cluster>;
  readonly print: (line: string) => void;
  readonly sleep: (ms: number) => Promise<void>;
}

const attempts = 20;
const pauseMs = 2_000;

/** Restores a state, and returns whether that was possible; otherwise the printed commands do it. */
export async function restore(plan: RestorePlan, effects: RestoreEffects): Promise<boolean> {
  const { pause, webhooks = [] } = plan;
  if (pause === undefined && webhooks.length === 0) return true;
  for (let attempt = 1; ; attempt++) {
    try {
      await restoreOnce(plan, effects);
      return true;
    } catch (cause) {
      if (attempt < attempts) {
        await effects.sleep(pauseMs);
        continue;
      }
      effects.print(`error: ${failedText(plan, cause)}`);
      return false;
    }
  }
}

/** Restores the webhooks first, without which a server may refuse the other writes. */
async function restoreOnce(plan: RestorePlan, { open, print }: RestoreEffects): Promise<void> {
  const { pause, webhooks = [] } = plan;
  const cluster = await open();
  try {
    for (const each of webhooks) {
      const line = await unregister(cluster, each);
      if (line !== undefined) print(line);
    }
    if (pause !== undefined) print(await resume(cluster, plan, pause));
  } finally {
    await cluster.close();
  }
}

/** Returns the message with the commands that restore a state. Pure. */
export function failedText(
  { name, namespace, choice, pause, webhooks = [] }: RestorePlan,
  cause: unknown,
): string {
  const why = cause instanceof Error ? cause.message : String(cause);
  const options = choice === '' ? '' : ` ${choice}`;
  const subject =
    pause === undefined
      ? 'Webhooks of this machine may still be registered'
      : `Deployment ${namespace}/${name} is still paused`;
  const scale = `  kubectl${options} --namespace ${namespace} scale deployment ${name} --replicas=${pause?.replicas}`;
  const configurations = webhooks.filter(({ ref }) => ref.kind.endsWith('WebhookConfiguration'));
  return [
    `${subject} (${why}): restore the former state by one of`,
    `  kgen deploy${options}`,
    ...(pause === undefined ? [] : [scale]),
    ...configurations.map(({ ref }) => `  kubectl${options} delete ${ref.kind.toLowerCase()} ${ref.name}`),
  ].join('\n');
}
