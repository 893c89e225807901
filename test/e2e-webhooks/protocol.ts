/** Arguments and output of the processes with webhooks. */
import type { ClusterConfig } from '@kgen/runtime';

/** Arguments of a process, as JSON. */
export interface ProgramArguments {
  readonly config: ClusterConfig;
  readonly port: number;
  /** Folder of the certificate. */
  readonly directory: string;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly drainMs: number;
}

/** Event of a process, one JSON document per line. */
export type ProgramEvent =
  /** The webhooks are served. */
  | { readonly type: 'ready'; readonly port: number }
  | { readonly type: 'stopping' }
  /** A review of an object that the process has validated. */
  | { readonly type: 'review'; readonly operation: string };

/** Members of the data of ConfigMaps with the behavior of the validation: of writes, and of the deletion. */
export const behaviorKey = 'behavior';
export const deletionKey = 'deletion';
