/** Messages between the main thread and the thread that renews a lease. */
import type { ClusterConfig } from '../../../config/types.ts';
import type { ElectionReport } from '../election-driver.ts';
import type { ElectionSettings } from '../election-options.ts';
import type { PortableError } from './portable-error.ts';

/** Marks the data of a worker of this package. */
export const workerMark = '@kgen/runtime/election';

/** Data of a worker. */
export interface WorkerStart {
  readonly mark: typeof workerMark;
  readonly config: ClusterConfig;
  /** Whether the client certificate and the other credentials are sent together. */
  readonly together: boolean;
  readonly userAgent: string;
  readonly settings: ElectionSettings;
  /** Memory of a `LeaseValidity`. */
  readonly memory: SharedArrayBuffer;
}

/** Returns whether the data of a thread is that of a worker of this package. */
export function isWorkerStart(data: unknown): data is WorkerStart {
  return data instanceof Object && 'mark' in data && data.mark === workerMark;
}

/** Message of the worker: an event of the election. */
export type WorkerReport =
  | Exclude<ElectionReport, { readonly type: 'failed' }>
  | { readonly type: 'failed'; readonly error: PortableError };

/** Message to the worker: ends the election. */
export interface WorkerEnd {
  readonly release: boolean;
}

/** Interval at which the main thread shows that it runs, and the worker checks it, in milliseconds. */
export function beatMs({ blockedLimitMs }: ElectionSettings): number {
  return Math.min(1000, Math.ceil(blockedLimitMs / 4));
}
