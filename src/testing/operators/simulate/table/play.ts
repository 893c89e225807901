/** Plays one table test: the operator on a cluster, with one reconcile for each affected key. */
import { setTimeout as pause } from 'node:timers/promises';
import { preload } from '@kgen/runtime/rest';
import { isObject, type Json, type JsonObject, text } from '@kgen/schema/values/json';
import type { LoggedRequest } from '@kgen/testserver/internal/http/request-log';
import { loadedSchemas } from '@kgen/testserver/internal/resources/builtin/schemas';
import { type ClusterBase, missingPermissions } from '../cluster.ts';
import { isBookkeeping, isWrite } from '../history.ts';
import { installGlobals } from '../process/globals.ts';
import { managerOf } from '../process/operator.ts';
import { type ProcessExit, SimulatedProcess } from '../process/process.ts';
import { bodyOf } from '../process/sent-request.ts';
import type { AdmissionStep } from './admission.ts';
import { apply, type TableChange } from './changes.ts';
import { TableCluster } from './cluster.ts';
import type { TableOperator, TableReconcile, TableRuns } from './operator.ts';

/** A table test. */
export interface Plan {
  readonly operator: TableOperator;
  readonly base: ClusterBase;
  readonly given: readonly JsonObject[];
  /** Whether the given objects are reconciled before the changes. */
  readonly isReconciled: boolean;
  readonly changes: readonly (TableChange | AdmissionStep)[];
}

/** A write that the operator has sent. */
export interface TableWrite {
  /** `create`, `update`, `patch`, `apply`, `delete`, `deletecollection`; `apply status` for a subresource. */
  readonly verb: string;
  readonly group: string;
  /** Plural name of the resource: `deployments`. */
  readonly resource: string;
  readonly namespace: string;
  /** Name of the object; empty if the server generates it. */
  readonly name: string;
  /** The body: an object, a patch, the options of a deletion, or `null`. */
  readonly body: Json;
  /** HTTP status of the response; `undefined` if the connection was cut. */
  readonly code: number | undefined;
  /** Line of the operator that has sent it; empty for writes of the controller itself. */
  readonly site: string;
}

/** The result of a table test. */
export interface Played {
  readonly runs: readonly TableReconcile[];
  readonly writes: readonly TableWrite[];
  /** Objects of the core API. */
  readonly events: readonly JsonObject[];
  readonly cluster: TableCluster;
}

/**
 * Plays a test.
 * @throws {Error} if the cluster refuses a given object or a change, if the operator fails outside of a
 *   reconcile, or if no rule allows a request of its service account
 */
export async function playTable(plan: Plan): Promise<Played> {
  await preload();
  const restoreGlobals = installGlobals();
  try {
    return await new Play(plan).run();
  } finally {
    restoreGlobals();
  }
}

/** Time in which watches deliver the changes, in milliseconds. */
const deliveryMs = 100;

/** Maximum number of reconciles before the changes. */
const mostRounds = 50;

/** The request that the operator is sending, as it sends it. */
interface Sending {
  readonly body: Json;
  readonly isApply: boolean;
  readonly site: string;
}

const nothing: Sending = { body: null, isApply: false, site: '' };

class Play {
  readonly #plan: Plan;
  readonly #cluster: TableCluster;
  readonly #sent: (Sending & { readonly request: LoggedRequest })[] = [];
  #sending: Sending = nothing;
  /** Line of the operator that has sent the last request. */
  #site = '';
  #startMs = 0;
  #isRecording = false;
  #runs: readonly TableReconcile[] = [];

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#cluster = new TableCluster(plan.base, (request) => this.#logged(request));
    this.#cluster.state.needs.siteOf = () => this.#site;
  }

  async run(): Promise<Played> {
    const cluster = this.#cluster;
    await cluster.seed(this.#plan.given);
    const exit = await this.#operate();
    cluster.stop();
    await cluster.time.advance(0);
    for (const { message } of missingPermissions(cluster)) throw new Error(`${missing}\n${message}`);
    if (exit.kind === 'failed') throw exit.error;
    const events = this.#events().filter((event) => recordedAt(event) >= this.#startMs);
    return { runs: this.#runs, writes: this.#sent.map(writeOf), events, cluster };
  }

  #events(): readonly JsonObject[] {
    const type = this.#cluster.typeOf({ apiVersion: 'events.k8s.io/v1', kind: 'Event' });
    return this.#cluster.state.store.list(type.storage).map(([, event]) => event);
  }

  async #operate(): Promise<ProcessExit> {
    const { time, transport } = this.#cluster;
    const { operator } = this.#plan;
    let exit: ProcessExit | undefined;
    const process = new SimulatedProcess({
      name: 'operator',
      operator: async (config, options) => {
        const own = { ...options, leaderElection: undefined, sharding: undefined };
        const manager = managerOf(await operator(config, own));
        return { run: ({ signal }) => manager.run({ signal, manual: (runs) => this.#reconcile(runs) }) };
      },
      config: this.#cluster.operatorConfig('operator'),
      transport,
      time,
      webhooks: this.#cluster.webhooks,
      random: () => 0,
      onRequest: ({ request, write }) => {
        if (request === undefined) return;
        const type = request.headers['content-type'] ?? '';
        this.#site = write?.site ?? '';
        this.#sending = {
          body: bodyOf(request) ?? null,
          isApply: type.startsWith('application/apply-patch'),
          site: this.#site,
        };
      },
      onExit: (end) => {
        exit = end;
      },
      onUse: () => undefined,
    });
    await passUntil(time, () => exit !== undefined);
    process.kill();
    return exit ?? { kind: 'failed', error: new Error(notSettled) };
  }

  async #reconcile(runs: TableRuns): Promise<void> {
    const { changes, isReconciled } = this.#plan;
    if (isReconciled) await this.#settle(runs);
    const isChange = changes.some((change) => typeof change === 'function' || change.type !== 'failing');
    if (isChange) await runs.discard();
    for (const change of changes) await apply(this.#cluster, change);
    if (isChange) await this.#deliver();
    this.#startMs = this.#cluster.time.now();
    this.#isRecording = true;
    this.#runs = await runs.perform();
    this.#isRecording = false;
  }

  /** @throws {Error} if a run fails, or the operator does not come to rest */
  async #settle(runs: TableRuns): Promise<void> {
    for (let round = 0; round < mostRounds; round += 1) {
      const ended = await runs.perform();
      const failed = ended.find(({ error }) => error !== undefined);
      if (failed !== undefined) throw new Error('reconciled(): a reconcile failed', { cause: failed.error });
      await this.#deliver();
      if (ended.length === 0) return;
    }
    throw new Error(`reconciled(): the operator has not come to rest after ${mostRounds} reconciles`);
  }

  #deliver(): Promise<void> {
    return new Promise((resolve) => {
      this.#cluster.time.timer(deliveryMs, resolve);
    });
  }

  #logged(request: LoggedRequest): void {
    const sent = { request, ...this.#sending };
    this.#sending = nothing;
    if (!this.#isRecording || isBookkeeping(request.resource) || !isWrite(request.verb)) return;
    this.#sent.push(sent);
  }
}

/** Time of an event, which is sent later; for a series, the time of its last event. */
function recordedAt(event: JsonObject): number {
  return Date.parse(text(event, 'series', 'lastObservedTime') || text(event, 'eventTime'));
}

const missing = 'the operator needs permissions that no rule of its service account grants:';

const notSettled =
  'the reconcile has not ended within 10 minutes of virtual time: it waits for something that does not happen in a table test';

/** Virtual time after which a test has failed, in milliseconds. */
const mostMs = 600_000;

/** Steps of virtual time up to this one are those of requests, in milliseconds. */
const shortMs = 200;

/** Pause in real time, in which the operator may read files or compute on other threads, in milliseconds. */
const pauseMs = 2;

/** Maximum number of pauses before a step of virtual time, and of all pauses of a test. */
const mostPauses = { step: 20, test: 250 };

/** Advances virtual time until a condition holds, or 10 minutes have passed. */
async function passUntil(time: TableCluster['time'], isOver: () => boolean): Promise<void> {
  let left = mostPauses.test;
  for (let passedMs = 0; passedMs < mostMs; ) {
    await settle(time);
    for (let pauses = 0; !isOver() && !isShort(time.next()) && left > 0 && pauses < mostPauses.step; ) {
      pauses += 1;
      left -= 1;
      await pause(pauseMs);
      await settle(time);
    }
    if (isOver()) return;
    const nextMs = time.next() ?? shortMs;
    passedMs += nextMs;
    await time.advance(nextMs);
  }
}

/** Waits in real time for the schemas that the server loads on demand: no virtual time passes meanwhile. */
async function settle(time: TableCluster['time']): Promise<void> {
  for (let before = -1, loaded = 0; before !== loaded; ) {
    before = loaded;
    await time.advance(0);
    loaded = await loadedSchemas();
  }
}

function isShort(ms: number | undefined): boolean {
  return ms !== undefined && ms <= shortMs;
}

function writeOf({
  request,
  body,
  isApply,
  site,
}: Sending & { readonly request: LoggedRequest }): TableWrite {
  const { group, resource, subresource, namespace, status } = request;
  const name = request.name || (isObject(body) ? text(body, 'metadata', 'name') : '');
  const verb = isApply ? 'apply' : request.verb;
  return {
    verb: subresource === '' ? verb : `${verb} ${subresource}`,
    group,
    resource,
    namespace,
    name,
    body,
    code: status,
    site,
  };
}
