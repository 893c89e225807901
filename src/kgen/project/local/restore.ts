/** Restores the state of a cluster once an operator on this machine has ended. */
import type { Cluster } from '../cluster/cluster.ts';
import type { OperatorPlace } from '../cluster/operator.ts';
import { type Pause, resume } from './pause.ts';

/** State that is restored. */
export interface RestorePlan extends OperatorPlace {
  readonly pause?: Pause | undefined;
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
  const { pause } = plan;
  if (pause === undefined) return true;
  for (let attempt = 1; ; attempt++) {
    try {
      effects.print(await resumed(plan, pause, effects));
      return true;
    } catch (cause) {
      if (attempt < attempts) {
        await effects.sleep(pauseMs);
        continue;
      }
      effects.print(`error: ${failedText(plan, pause, cause)}`);
      return false;
    }
  }
}

async function resumed(plan: RestorePlan, pause: Pause, { open }: RestoreEffects): Promise<string> {
  const cluster = await open();
  try {
    return await resume(cluster, plan, pause);
  } finally {
    await cluster.close();
  }
}

/** Returns the message with the commands that restore a state. Pure. */
export function failedText(
  { name, namespace, choice }: RestorePlan,
  { replicas }: Pause,
  cause: unknown,
): string {
  const why = cause instanceof Error ? cause.message : String(cause);
  const options = choice === '' ? '' : ` ${choice}`;
  return [
    `Deployment ${namespace}/${name} is still paused (${why}): restore it by one of`,
    `  kgen deploy${options}`,
    `  kubectl${options} --namespace ${namespace} scale deployment ${name} --replicas=${replicas}`,
  ].join('\n');
}
