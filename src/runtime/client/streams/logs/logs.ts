/** Logs of several containers and pods, in the order of time. */
import { isApiError, isTransportError } from '../../../api/errors.ts';
import { isFields } from '../../../common/fields.ts';
import { sleep } from '../../../rest/abort/deadline.ts';
import { type ClientConnection, iterateConnection } from '../../../rest/connection.ts';
import type { LabelSelectorInput } from '../../../selectors/labels.ts';
import { builtIn } from '../../built-in.ts';
import { Merge } from './merge.ts';
import { LogResumption, nanoseconds, splitTime } from './resume.ts';

/** Fields of a pod that `streamLogs` reads. */
export interface LogPod {
  readonly metadata: { readonly name?: string | undefined; readonly uid?: string | undefined };
  readonly spec?: { readonly containers: readonly { readonly name: string }[] } | undefined;
  readonly status?:
    | {
        readonly phase?: string | undefined;
        readonly containerStatuses?:
          | readonly {
              readonly name: string;
              readonly state?: { readonly waiting?: object | undefined } | undefined;
              readonly lastState?: { readonly terminated?: object | undefined } | undefined;
            }[]
          | undefined;
      }
    | undefined;
}

/** Options of the request for one log. */
export interface LogRequestOptions {
  readonly container: string;
  readonly follow: boolean;
  readonly timestamps: true;
  readonly sinceTime?: string | undefined;
  readonly sinceSeconds?: number | undefined;
  readonly tailLines?: number | undefined;
  readonly limitBytes?: number | undefined;
  readonly stream?: 'Stdout' | 'Stderr' | 'Unsupported' | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The methods of a client of pods that logs use: `clientset.coreV1.pods('shop')`. */
export interface LogPods {
  /** Returns a pod, or `undefined` if it does not exist. */
  find(name: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<LogPod | undefined>;
  /** Lists the selected pods. */
  list(options?: LogSelection): Promise<{ readonly items: readonly LogPod[] }>;
  /** Watches the selected pods: emits the existing ones first, then changes. */
  watch(options?: LogSelection): AsyncIterable<{ readonly type: string; readonly object: LogPod }>;
  /** Streams the lines of the log of one container. */
  streamLog(name: string, options: LogRequestOptions): AsyncIterable<string>;
}

/** Label selector of pods, and the signal of their requests. */
export interface LogSelection {
  readonly labelSelector?: LabelSelectorInput | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of `streamLogs`. */
export interface StreamLogsOptions {
  /** Namespace of the pods, if the first argument is a connection. Default: that of the configuration. */
  readonly namespace?: string | undefined;
  /** Name of the pod whose logs are read; alternatively `labelSelector`. */
  readonly pod?: string | undefined;
  /** Selects pods, those that are created later included if the logs are followed. */
  readonly labelSelector?: LabelSelectorInput | undefined;
  /** Names of the containers whose logs are read. Default: all containers. */
  readonly containers?: readonly string[] | undefined;
  /**
   * Follows the logs over interrupted connections and over restarts of containers: of one pod until it has
   * ended, of selected pods until the signal aborts. Default: false.
   */
  readonly follow?: boolean | undefined;
  /**
   * Reads standard output and standard error separately, if the server supports it (from Kubernetes 1.32 with
   * the feature `PodLogsQuerySplitStreams`). Mutually exclusive with `tailLines`. Default: false.
   */
  readonly split?: boolean | undefined;
  /** Number of last lines of each container that are read. Default: all lines. */
  readonly tailLines?: number | undefined;
  readonly sinceSeconds?: number | undefined;
  readonly sinceTime?: string | undefined;
  /** Ends the iteration, without an error if the logs are followed. */
  readonly signal?: AbortSignal | undefined;
}

/** A line of a log. */
export interface LogEntry {
  readonly pod: string;
  readonly container: string;
  /** Stream that the line was written to; present if `split` is set and the server supports it. */
  readonly stream?: 'stdout' | 'stderr';
  /** Time at which the line was written, with nanoseconds: `2026-01-31T12:00:00.123456789Z`. */
  readonly time: string;
  readonly line: string;
}

/** Milliseconds for which a followed line waits for earlier lines of other containers. */
const waitMs = 200;
/** Delays between requests for a log that has ended, while its pod runs. */
const retry = { firstMs: 500, maxMs: 10_000 } as const;

/**
 * Streams the logs of pods in the order of time. Data is received only as fast as it is consumed. No line is
 * lost or repeated if a connection is interrupted: a log is resumed from its last second, and the lines that
 * are known are omitted. The pods are those of a client, or of the option `namespace` of a connection.
 * @throws {ApiError} if the logs cannot be read
 * @example
 * ```ts
 * import { formatLogEntry, streamLogs } from '@kgen/runtime/streams';
 *
 * const pods = clientset.coreV1.pods('shop');
 * const entries = streamLogs(pods, { labelSelector: { app: 'web' }, follow: true });
 * for await (const entry of entries) console.log(formatLogEntry(entry));
 * ```
 */
export async function* streamLogs(
  pods: LogPods | ClientConnection,
  options: StreamLogsOptions,
): AsyncGenerator<LogEntry, void> {
  check(options);
  const { namespace } = options;
  if (isLogPods(pods)) {
    if (namespace === undefined) return yield* entriesOf(pods, options);
    throw new TypeError('namespace is an option for connections; a client of pods has its own');
  }
  yield* iterateConnection(pods, (rest) => entriesOf(builtIn<LogPod>(rest, ['', 'Pod'], namespace), options));
}

function isLogPods(pods: LogPods | ClientConnection): pods is LogPods {
  return isFields(pods) && 'streamLog' in pods;
}

async function* entriesOf(pods: LogPods, options: StreamLogsOptions): AsyncGenerator<LogEntry, void> {
  const controller = new AbortController();
  const { signal, follow = false } = options;
  const abort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const merge = new Merge<TimedEntry>({ before: (a, b) => a.at < b.at, waitMs: follow ? waitMs : Infinity });
  try {
    signal?.throwIfAborted();
    const readers = new Readers(pods, options, controller.signal, merge);
    readers.start().catch((error: unknown) => merge.fail(error));
    for await (const { entry } of merge) yield entry;
  } catch (error) {
    if (!(follow && signal?.aborted)) throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    controller.abort();
    await merge.return();
  }
}

/** Returns a line with its prefix, as `kubectl logs --prefix`: `[pod/web-0/main] line`. */
export function formatLogEntry({ pod, container, line }: LogEntry): string {
  return `[pod/${pod}/${container}] ${line}`;
}

function check({ pod, labelSelector, split, tailLines }: StreamLogsOptions): void {
  if ((pod === undefined) === (labelSelector === undefined)) {
    throw new TypeError('logs need either pod or labelSelector');
  }
  if (split && tailLines !== undefined) {
    throw new TypeError('split and tailLines are mutually exclusive, as servers do not support both');
  }
}

interface TimedEntry {
  readonly entry: LogEntry;
  readonly at: bigint;
}

/** One log: all of a container, or one of its streams. */
interface Source {
  readonly pod: string;
  readonly container: string;
  readonly stream?: 'stdout' | 'stderr';
}

/** Adds the logs of the selected containers to a merge, each once. */
class Readers {
  readonly #pods: LogPods;
  readonly #options: StreamLogsOptions;
  readonly #signal: AbortSignal;
  readonly #merge: Merge<TimedEntry>;
  readonly #known: Set<string> = new Set();
  #splits: boolean | undefined;

  constructor(pods: LogPods, options: StreamLogsOptions, signal: AbortSignal, merge: Merge<TimedEntry>) {
    this.#pods = pods;
    this.#options = options;
    this.#signal = signal;
    this.#merge = merge;
  }

  async start(): Promise<void> {
    const { pod, containers, labelSelector, follow } = this.#options;
    const signal = this.#signal;
    if (pod !== undefined) {
      // A pod that does not exist is reported by the request for its log.
      const found = containers === undefined ? await this.#pods.find(pod, { signal }) : undefined;
      await this.#add(found ?? { metadata: { name: pod } });
    } else if (follow) {
      for await (const { type, object } of this.#pods.watch({ labelSelector, signal })) {
        if (type !== 'DELETED') await this.#add(object);
      }
    } else {
      const { items } = await this.#pods.list({ labelSelector, signal });
      for (const item of items) await this.#add(item);
    }
    this.#merge.seal();
  }

  async #add(pod: LogPod): Promise<void> {
    const { name = '', uid = '' } = pod.metadata;
    for (const container of this.#containersOf(pod)) {
      const key = `${uid} ${name} ${container}`;
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      for (const source of await this.#sources({ pod: name, container })) this.#merge.add(this.#read(source));
    }
  }

  /** Containers that have run, of a selected pod: the others are added when they start. */
  #containersOf({ spec, status }: LogPod): readonly string[] {
    const { containers, labelSelector } = this.#options;
    const all = spec?.containers.map(({ name }) => name) ?? containers ?? [''];
    // One that waits for its restart has the log of its last run.
    const isWaiting = (name: string): boolean => {
      const found = status?.containerStatuses?.find((one) => one.name === name);
      const hasRun = found?.lastState?.terminated !== undefined;
      return labelSelector !== undefined && found?.state?.waiting !== undefined && !hasRun;
    };
    return all.filter((name) => (containers?.includes(name) ?? true) && !isWaiting(name));
  }

  async #sources(source: Source): Promise<readonly Source[]> {
    if (!this.#options.split) return [source];
    this.#splits ??= await splitsStreams(this.#pods, source, this.#signal);
    if (!this.#splits) return [source];
    return [
      { ...source, stream: 'stdout' },
      { ...source, stream: 'stderr' },
    ];
  }

  async *#read(source: Source): AsyncGenerator<TimedEntry, void> {
    const resumption = new LogResumption();
    let delayMs: number = retry.firstMs;
    for (;;) {
      try {
        for await (const text of this.#pods.streamLog(source.pod, this.#request(source, resumption))) {
          const line = splitTime(text);
          if (!resumption.accept(line)) continue;
          delayMs = retry.firstMs;
          yield { entry: { ...source, ...line }, at: nanoseconds(line.time) };
        }
        if (!this.#options.follow || !(await this.#runs(source))) return;
      } catch (error) {
        if (this.#isGone(error)) return;
        if (!this.#options.follow || !(await this.#mayContinue(error, source))) throw error;
      }
      await sleep(delayMs, this.#signal);
      delayMs = Math.min(delayMs * 2, retry.maxMs);
      resumption.resume();
    }
  }

  #request({ container, stream }: Source, resumption: LogResumption): LogRequestOptions {
    const { follow = false, tailLines, sinceSeconds, sinceTime } = this.#options;
    const resumed = resumption.sinceTime;
    return {
      ...(resumed === undefined ? { tailLines, sinceSeconds, sinceTime } : { sinceTime: resumed }),
      container,
      follow,
      timestamps: true,
      ...(stream !== undefined && { stream: stream === 'stdout' ? 'Stdout' : 'Stderr' }),
      signal: this.#signal,
    };
  }

  /** Whether a selected pod was deleted after it was listed: the logs of the others continue. */
  #isGone(error: unknown): boolean {
    return this.#options.labelSelector !== undefined && isApiError(error) && error.code === 404;
  }

  async #runs({ pod }: Source): Promise<boolean> {
    const found = await this.#pods.find(pod, { signal: this.#signal });
    const phase = found?.status?.phase;
    return found !== undefined && phase !== 'Succeeded' && phase !== 'Failed';
  }

  /** Interrupted connections are resumed, and so are containers that are waiting to start. */
  async #mayContinue(error: unknown, source: Source): Promise<boolean> {
    const isPassing =
      isTransportError(error) || (isApiError(error) && (error.code === 400 || error.code >= 500));
    return isPassing && !this.#signal.aborted && this.#runs(source);
  }
}

/**
 * Returns whether a server separates the streams of a log. Servers before 1.32 ignore the parameter, also an
 * invalid value of it; newer ones without the feature reject a valid value.
 */
async function splitsStreams(
  pods: LogPods,
  { pod, container }: Source,
  signal: AbortSignal,
): Promise<boolean> {
  const probe = async (stream: 'Stdout' | 'Unsupported'): Promise<boolean> => {
    const options = { container, follow: false, timestamps: true, limitBytes: 1, stream, signal } as const;
    try {
      for await (const _ of pods.streamLog(pod, options)) break;
      return true;
    } catch (error) {
      if (isApiError(error) && (error.code === 422 || error.code === 400)) return false;
      throw error;
    }
  };
  return !(await probe('Unsupported')) && probe('Stdout');
}
