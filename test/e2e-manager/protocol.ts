/** Arguments and output of the processes of the tests. */
import type { ManagerOptions } from '@kgen/controller';
import type { ClusterConfig } from '@kgen/runtime';

/** Arguments of a process, as JSON. */
export interface ProgramArguments {
  readonly config: ClusterConfig;
  readonly namespace: string;
  /**
   * Behavior of its reconcile function for the ConfigMap `trigger`: it `writes` the ConfigMap `written` again
   * and again, applies the `same` state to it, or gets `stuck` in spite of its signals.
   */
  readonly mode: 'writes' | 'same' | 'stuck';
  readonly options: Omit<ManagerOptions, 'log' | 'environment'>;
}

/** Event of a process, one JSON document per line. Times are those of the monotonic clock of the machine. */
export type ProgramEvent =
  | { readonly type: 'reconcile'; readonly at: number }
  /** A write: the time before its call, and the time of its response. */
  | { readonly type: 'write'; readonly at: number; readonly end: number };

/** Names of the ConfigMaps. */
export const triggerName = 'trigger';
export const writtenName = 'written';
