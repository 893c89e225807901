/** Runs an operator again from a recording, in its order and in virtual time. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Json, text } from '@kgen/schema/values/json';
import { installGlobals } from '../process/globals.ts';
import type { Operator } from '../process/operator.ts';
import { reviewDifferences } from './compare.ts';
import type {
  ChangeEntry,
  EndEntry,
  Entry,
  FetchEntry,
  FetchedBodyEntry,
  FetchedEntry,
  RequestEntry,
  ResponseEntry,
  ReviewEntry,
} from './entries.ts';
import { type Recording, readRecording } from './recording.ts';
import { SentFetch, shownUrl } from './replayed-fetch.ts';
import { ReplayedProcess, type ReplayedRun, type SentCall, SentRequest } from './replayed-process.ts';

/** The first place where an operator behaves differently than in its recording. */
export interface ReplayDifference {
  /**
   * - `request`: another request than the recorded one; `lines` has the differing fields.
   * - `missing request`, `additional request`: the recorded one was not sent, or one that was not recorded.
   * - `outcome`: the reconcile ended in another way.
   * - `review`: a webhook responds to a review in another way, or does not exist.
   * - `operator`: the operator did not start, or ended with an error.
   * - `omitted content`: no difference, but the end of the replay: the recording has only the size of an
   *   object or a response, which was too large for the ring of the recorder.
   */
  readonly kind:
    | 'request'
    | 'missing request'
    | 'additional request'
    | 'outcome'
    | 'review'
    | 'operator'
    | 'omitted content';
  /** Number of the line in the recording, from 1. */
  readonly line: number;
  /**
   * The reconcile: `myapp shop/web, attempt 2`; for `review`, its operation, path and object; empty for
   * `operator`, and for changes of objects.
   */
  readonly reconcile: string;
  /** Details of the difference, one per line. */
  readonly lines: readonly string[];
}

/** Result of a replay. */
export interface ReplayReport {
  /** Whether everything was as recorded. */
  readonly isEqual: boolean;
  /** Number of reconciles that were equal to the recorded ones. */
  readonly reconciles: number;
  /** Number of requests that were equal to the recorded ones. */
  readonly requests: number;
  /** Number of reviews of webhooks whose responses were equal to the recorded ones. */
  readonly reviews: number;
  readonly difference?: ReplayDifference | undefined;
  /** The report as lines of text for people. */
  readonly text: string;
}

/**
 * Runs an operator on a recording that `Manager.record`, or the `recorder` of a manager, has written. The
 * operator is the function that builds its manager, as for `simulate`. Its caches receive the recorded
 * objects and changes, its controllers repeat the recorded reconciles, and its requests receive the recorded
 * responses, in the recorded order and in virtual time. Stops at the first difference.
 *
 * No deadline is real: a debugger may stop anywhere. The operator has no network.
 * @throws {RecordingError} if the file is truncated, has a newer format, or is something else
 * @throws {Error} if the file cannot be read
 * @example
 * ```ts
 * import { tmpdir } from 'node:os';
 * import { Controller, Manager, type ManagerOptions } from '@kgen/controller';
 * import { type ClusterConfig, InformerFactory } from '@kgen/runtime';
 * import { replay } from '@kgen/testing';
 * import { startTestServer } from '@kgen/testserver';
 * import { redisClusters } from './generated/cache.example.com/v1/index.js';
 *
 * function operator(config: ClusterConfig, options: ManagerOptions = {}) {
 *   const manager = new Manager(config, { name: 'cache', ...options });
 *   const clusters = new InformerFactory(manager).of(redisClusters);
 *   return manager.add(new Controller({ name: 'cache', for: clusters, reconcile: () => undefined }));
 * }
 *
 * const server = await startTestServer({ crds: ['crds/rediscluster.yaml'] });
 * const manager = operator(server.config, { recorder: { directory: tmpdir() } });
 * await manager.record(`${tmpdir()}/cache.jsonl`);
 * await server.stop();
 * const report = await replay(`${tmpdir()}/cache.jsonl`, operator);
 * console.log(report.text);
 * ```
 */
export async function replay(file: string, operator: Operator): Promise<ReplayReport> {
  const recording = await readRecording(file);
  const process = new ReplayedProcess(recording, operator);
  const restoreGlobals = installGlobals();
  try {
    return await new Replay(recording, process).run();
  } finally {
    try {
      await process.stop();
    } finally {
      restoreGlobals();
    }
  }
}

/** Pauses in which modules may load, which takes real time, and their number until a request is missing. */
const pauseMs = 5;
/** Limit of API servers. */
const longestReviewMs = 30_000;
const mostPauses = 60;

class Replay {
  readonly #recording: Recording;
  readonly #process: ReplayedProcess;
  readonly #runs = new Map<number, ReplayedRun>();
  /** Requests by their number in the recording. */
  readonly #sent = new Map<number, SentCall>();
  /** Numbers of the requests that were not sent, because they would have changed nothing. */
  readonly #skipped: ReadonlySet<number>;
  /** Numbers of the requests by `fetch` whose bodies were read. */
  readonly #read: ReadonlySet<number>;
  /** Names and versions of the objects that the operator has written. */
  readonly #written = new Set<string>();
  #reconciles = 0;
  #requests = 0;
  #reviews = 0;

  constructor(recording: Recording, process: ReplayedProcess) {
    this.#recording = recording;
    this.#process = process;
    const { entries } = recording;
    const responses = entries.filter((entry) => entry.type === 'response');
    const skipped = responses.filter(({ result }) => result === 'skipped');
    this.#skipped = new Set(skipped.map(({ request }) => request));
    const bodies = entries.filter((entry) => entry.type === 'fetched body');
    this.#read = new Set(bodies.map(({ request }) => request));
  }

  async run(): Promise<ReplayReport> {
    const difference = (await this.#start()) ?? (await this.#play());
    const { file, reason, omittedObjects } = this.#recording;
    const [reconciles, requests] = [`${this.#reconciles} reconciles`, `${this.#requests} requests`];
    const reviews = `${this.#reviews} reviews`;
    const counts =
      this.#reviews === 0 ? `${reconciles} and ${requests}` : `${reconciles}, ${requests} and ${reviews}`;
    const story =
      difference === undefined
        ? [`${file} (${reason}): ${counts}, all as recorded`]
        : [
            `${file}:${difference.line} (${reason}): ${headings[difference.kind]} after ${counts}`,
            ...(difference.reconcile === '' ? [] : [difference.reconcile]),
            ...difference.lines,
            ...(omittedObjects === 0 ? [] : [`${omittedObjects} cached objects are missing: ${remedy}`]),
          ];
    return {
      isEqual: difference === undefined,
      reconciles: this.#reconciles,
      requests: this.#requests,
      reviews: this.#reviews,
      difference,
      text: story.join('\n  '),
    };
  }

  async #start(): Promise<ReplayDifference | undefined> {
    const { entries, from } = this.#recording;
    const names = new Set(entries.flatMap((entry) => (entry.type === 'start' ? entry.controller : [])));
    this.#process.start();
    const process = this.#process;
    const isStarted = await this.#until(() => [...names].every((name) => process.has(name)), from);
    if (isStarted) return undefined;
    const missing = [...names].filter((name) => !process.has(name)).join(', ');
    const lines = process.exit ?? [
      `no controller ${missing} has started: the operator must pass its options to the Manager,`,
      'and add the recorded controllers',
    ];
    return { kind: 'operator', line: 1, reconcile: '', lines };
  }

  async #play(): Promise<ReplayDifference | undefined> {
    for (const entry of this.#recording.entries) {
      const difference = await this.#step(entry);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }

  async #step(entry: Entry): Promise<ReplayDifference | undefined> {
    const process = this.#process;
    if (entry.type === 'request' || entry.type === 'fetch') return this.#request(entry);
    if (entry.type === 'end') return this.#end(entry);
    await process.advance(entry.at);
    if (entry.type === 'change') return this.#change(entry);
    if (entry.type === 'response') return this.#respond(entry);
    if (entry.type === 'fetched' || entry.type === 'fetched body') return this.#fetched(entry);
    if (entry.type === 'review') return this.#review(entry);
    this.#runs.set(entry.run, process.reconcile(entry.controller, entry.start));
    await process.advance(entry.at);
    return undefined;
  }

  async #respond(entry: ResponseEntry): Promise<ReplayDifference | undefined> {
    const sent = this.#sent.get(entry.request);
    if (sent !== undefined && entry.omittedBytes !== undefined)
      return omittedContent(entry, `the response to ${sent.name}`);
    if (sent instanceof SentRequest) this.#settle(sent, entry);
    await this.#process.advance(entry.at);
    return undefined;
  }

  async #fetched(entry: FetchedEntry | FetchedBodyEntry): Promise<ReplayDifference | undefined> {
    const sent = this.#sent.get(entry.request);
    if (sent instanceof SentFetch) {
      if (entry.type === 'fetched') sent.respond(entry, this.#read.has(entry.request));
      else if (entry.omittedBytes === undefined) sent.end(entry);
      else return omittedContent(entry, `the response to ${sent.name}`);
    }
    await this.#process.advance(entry.at);
    return undefined;
  }

  #settle(sent: SentRequest, entry: ResponseEntry): void {
    if (sent.request.method !== 'GET') this.#written.add(versionOf(entry.body));
    sent.respond(entry);
  }

  /** Changes an object, and waits until its informer has read the change: a part of it may still load. */
  async #change(entry: ChangeEntry): Promise<ReplayDifference | undefined> {
    const { at, informer, isDeletion, object, omittedBytes } = entry;
    const { objects } = this.#process;
    if (omittedBytes !== undefined && !isDeletion)
      return omittedContent(entry, `the change of ${versionOf(object)}`);
    const isOwn = !isDeletion && this.#written.has(versionOf(object));
    objects.change(informer, isDeletion, object, isOwn);
    if (isOwn) return;
    await this.#until(() => objects.isRead(informer), at);
    await this.#process.advance(at);
    return undefined;
  }

  async #request(entry: RequestEntry | FetchEntry): Promise<ReplayDifference | undefined> {
    const run = this.#runs.get(entry.run);
    // The reconcile began before the recording.
    if (run === undefined) return undefined;
    const isSame = (sent: SentCall): boolean => sent.matches(entry);
    if (this.#skipped.has(entry.request)) {
      await this.#process.advance(entry.at);
      const sent = run.take(isSame);
      // The replay does not know all earlier writes, and so may send a request that would change nothing.
      if (sent !== undefined) this.#sent.set(entry.request, sent);
      return undefined;
    }
    await this.#until(() => run.has(isSame) || run.isOver, entry.at);
    const sent = run.take(isSame) ?? run.take(() => true);
    const name = nameOf(entry);
    if (sent === undefined) {
      const end = run.isOver ? 'the reconcile has ended' : 'the reconcile does something else';
      return this.#differs('missing request', entry, run, [`recorded ${name}: ${end}`, ...run.error]);
    }
    this.#sent.set(entry.request, sent);
    const lines = sent.differences(entry);
    if (lines.length > 0) return this.#differs('request', entry, run, [name, ...lines]);
    this.#requests += 1;
    return undefined;
  }

  async #review(entry: ReviewEntry): Promise<ReplayDifference | undefined> {
    const { path, at, status, response, omittedBytes } = entry;
    if (omittedBytes !== undefined) return undefined;
    const process = this.#process;
    if (!(await this.#until(() => process.paths.includes(path), at))) {
      const lines = [`no webhook of the operator has the path ${path}`];
      return { kind: 'review', line: entry.line, reconcile: '', lines };
    }
    const run = process.review(entry);
    const isOver = (): boolean => run.response !== undefined || run.has(() => true);
    if (!(await this.#until(isOver, at))) await this.#until(isOver, at + longestReviewMs);
    const { response: actual } = run;
    if (actual === undefined) {
      run.abort();
      // The recording has no responses to requests of handlers.
      if (run.has(() => true)) return undefined;
      return this.#differs('review', entry, run, ['the handler does not settle']);
    }
    const lines = reviewDifferences({ status, response }, actual);
    if (lines.length > 0) return this.#differs('review', entry, run, lines);
    this.#reviews += 1;
    return undefined;
  }

  async #end(entry: EndEntry): Promise<ReplayDifference | undefined> {
    const run = this.#runs.get(entry.run);
    if (run === undefined) return undefined;
    await this.#until(() => run.isOver || run.has(() => true), entry.at);
    const more = run.take(() => true);
    if (more !== undefined) {
      const lines = [`${more.name} was not recorded`, ...more.advice];
      return this.#differs('additional request', entry, run, lines);
    }
    const recorded = outcomeText(text(entry.outcome, 'type'), entry.outcome['afterMs']);
    const { outcome } = run;
    const actual = outcome === undefined ? 'not ended' : outcomeText(outcome.type, outcome.afterMs);
    if (recorded !== actual) {
      return this.#differs('outcome', entry, run, [`${actual}, recorded ${recorded}`, ...run.error]);
    }
    this.#reconciles += 1;
    return undefined;
  }

  #differs(
    kind: ReplayDifference['kind'],
    { line }: Entry,
    { name }: ReplayedRun,
    lines: readonly string[],
  ): ReplayDifference {
    return { kind, line, reconcile: name, lines };
  }

  /** Waits until a virtual time, and then for modules that load. Returns whether the condition is met. */
  async #until(isMet: () => boolean, at: number): Promise<boolean> {
    for (let pauses = 0; pauses < mostPauses; pauses += 1) {
      await this.#process.advance(at, isMet);
      if (isMet()) return true;
      if (this.#process.exit !== undefined) return false;
      await pause(pauseMs);
    }
    return false;
  }
}

const headings: Readonly<Record<ReplayDifference['kind'], string>> = {
  request: 'a request differs',
  'missing request': 'a request is missing',
  'additional request': 'there is an additional request',
  outcome: 'an outcome differs',
  review: 'a review differs',
  operator: 'the operator differs',
  'omitted content': 'the recording is incomplete',
};

const remedy = 'raise recorder.maxBytes of the manager';

function omittedContent(
  { line, omittedBytes }: ChangeEntry | ResponseEntry | FetchedBodyEntry,
  name: string,
): ReplayDifference {
  const lines = [
    `${name} has ${omittedBytes} bytes, more than a part of the ring can hold, and was not recorded;`,
    `what follows depends on it and is not compared: ${remedy}`,
  ];
  return { kind: 'omitted content', line, reconcile: '', lines };
}

/** Returns the name of a recorded request, without values of parameters. */
function nameOf(entry: RequestEntry | FetchEntry): string {
  return entry.type === 'fetch'
    ? `${entry.method} ${shownUrl(entry.url)} by fetch`
    : `${entry.method} ${entry.path}`;
}

function versionOf(object: Json | undefined): string {
  return `${text(object, 'metadata', 'name')} ${text(object, 'metadata', 'resourceVersion')}`;
}

function outcomeText(type: string, afterMs: unknown): string {
  return afterMs === undefined ? type : `${type} after ${String(afterMs)} ms`;
}
