/** Performs the steps of a schedule on a cluster. */

import { at, type Json, type JsonObject, putAt, text } from '@kgen/schema/values/json';
import type { FaultOptions } from '@kgen/testserver/internal/http/faults';
import type { LoggedRequest } from '@kgen/testserver/internal/http/request-log';
import type { WatchHold } from '@kgen/testserver/internal/http/watches';
import type { Change, StoreContent } from '@kgen/testserver/internal/store/store';
import { foreignAnnotation, ownedPaths } from '../checks/view.ts';
import { idOf, type Outcome, type SimulatedCluster } from '../cluster.ts';
import { type FaultClass, requestFaults } from '../coverage.ts';
import { targetOf } from '../history.ts';
import type { SimulatedProcess } from '../process/process.ts';
import { type Action, idText, type RequestFault, type Step } from '../schedule/schedule.ts';
import { ForeignEdits } from './foreign-edits.ts';

/** Knowledge of a disturber about the operator. */
export interface DisturberScope {
  /** Whether a user is a process of the operator. */
  readonly isOwn: (user: string) => boolean;
  /** Objects that existed before the run. */
  readonly base: StoreContent;
  /** Storage keys of the resources that the operator has written so far. */
  readonly written: ReadonlySet<string>;
  readonly sampleResources: ReadonlySet<string>;
  /** Whether a line of the operator sends this request; with `undefined`, any line. */
  readonly isFrom: (request: LoggedRequest, site: string | undefined) => boolean;
  /** Called for a request that fails on purpose. */
  readonly onMet: (request: LoggedRequest, fault: FaultClass) => void;
}

/** Watches of a resource that are late. */
interface Lag {
  readonly hold: WatchHold;
  readonly resource: string;
  /** The state that lists return; `undefined` for the latest one. */
  readonly revision: number | undefined;
  /** Whether the resource has changed since. */
  isBehind: boolean;
  /** Processes that have received such a list. */
  readonly readers: Set<string>;
}

type ActionOf<K extends Action['do']> = Extract<Action, { readonly do: K }>;

/** Performs steps, and has the faults that are still in effect. */
export class Disturber {
  /** Names with which the operator owns fields. */
  readonly managers: Set<string> = new Set();
  /** Objects of the operator with an annotation of another client, by their uid. */
  readonly annotated: Map<string, string> = new Map();
  /** Changes of single fields of the operator's objects. */
  readonly edits: ForeignEdits = new ForeignEdits();
  /** Holders of leases by the key of the lease. */
  readonly leases: Map<string, string> = new Map();
  readonly #cluster: SimulatedCluster;
  readonly #scope: DisturberScope;
  readonly #lags = new Set<Lag>();
  readonly #isolated = new Map<string, number>();
  readonly #downMs = new Map<number, number>();
  /** Processes by their identity in a lease. */
  readonly #identities = new Map<string, string>();
  /** Identities of the processes that run. */
  readonly #living = new Map<string, string>();

  constructor(cluster: SimulatedCluster, scope: DisturberScope) {
    this.#cluster = cluster;
    this.#scope = scope;
  }

  /** Performs a step. Returns its result for the history; empty if there is none. */
  async perform(step: Step, processOf: (replica: number) => SimulatedProcess | undefined): Promise<string> {
    const cluster = this.#cluster;
    switch (step.do) {
      case 'create':
        return outcomeText(await cluster.create(step.object));
      case 'edit':
        return outcomeText(await cluster.edit(step.target, step.path, step.value));
      case 'delete':
        return outcomeText(await cluster.send('DELETE', step.target));
      case 'tamper':
        return this.#tamper(step);
      case 'hold':
        return this.#hold(step);
      case 'interrupt':
        return this.#interrupt(step);
      case 'fault':
        return this.#fault(step);
      case 'isolate':
        return this.#isolate(step);
      case 'crash':
        this.#downMs.set(step.replica, step.downMs);
        processOf(step.replica)?.crashAt(step);
        return '';
      case 'restart':
        this.#downMs.set(step.replica, step.downMs);
        processOf(step.replica)?.stop();
        return '';
    }
  }

  /** Returns how long a process stays down after its end, if a step has said so. */
  downMs(replica: number): number | undefined {
    const ms = this.#downMs.get(replica);
    this.#downMs.delete(replica);
    return ms;
  }

  /** Ends everything that is still in effect. */
  end(): void {
    for (const lag of this.#lags) this.#catchUp(lag);
    this.#cluster.faults.clear();
    this.#isolated.clear();
  }

  /** Returns the faults that a process meets now, whatever it writes. */
  facing(replica: string): readonly FaultClass[] {
    const behind = [...this.#lags].filter(({ isBehind }) => isBehind);
    const isIsolated = this.#cluster.time.now() < (this.#isolated.get(replica) ?? 0);
    return [
      ...(behind.length > 0 ? (['late watch'] as const) : []),
      ...(behind.some(({ readers }) => readers.has(replica)) ? (['stale list'] as const) : []),
      ...(isIsolated ? (['lost leadership'] as const) : []),
    ];
  }

  changed({ resource }: Change): void {
    if (this.#lags.size === 0) return;
    const [plural] = resource.split('.');
    for (const lag of this.#lags) if (lag.resource === plural) lag.isBehind = true;
  }

  /** Returns the state that a list of a process returns; `undefined` for the latest one. */
  listed(replica: string, resource: string): number | undefined {
    for (const lag of this.#lags) {
      if (lag.resource !== resource || lag.revision === undefined) continue;
      lag.readers.add(replica);
      return lag.revision;
    }
    return undefined;
  }

  /** Notes the identity with which a process writes a lease. */
  leaseSent(replica: string, identity: string): void {
    if (identity === '') return;
    this.#identities.set(identity, replica);
    this.#living.set(replica, identity);
  }

  /** Notes the end of a process. Its successor has another identity. */
  ended(replica: string): void {
    this.#living.delete(replica);
  }

  /** Returns whether a lease is held by a process that has ended: another one waits for it. */
  isElecting(): boolean {
    const living = new Set(this.#living.values());
    return [...this.leases.values()].some((holder) => this.#identities.has(holder) && !living.has(holder));
  }

  leaseChanged({ type, key, object }: Change): void {
    if (type === 'DELETED') this.leases.delete(key);
    else this.leases.set(key, text(object, 'spec', 'holderIdentity'));
  }

  /** Returns the process that holds the lease; `undefined` without one, or if there are several leases. */
  leader(): string | undefined {
    const [holder, ...others] = this.leases.values();
    return holder === undefined || others.length > 0 ? undefined : this.#identities.get(holder);
  }

  async #tamper({ pick, how }: ActionOf<'tamper'>): Promise<string> {
    const { base, written, sampleResources } = this.#scope;
    const { store } = this.#cluster.state;
    const candidates = [...written].sort().flatMap((resource) => {
      if (sampleResources.has(resource)) return [];
      const before = new Set((base.get(resource) ?? []).map(([key]) => key));
      return store.list(resource).filter(([key]) => !before.has(key));
    });
    const [, value] = candidates[pick % Math.max(candidates.length, 1)] ?? [];
    if (value === undefined) return 'there is none';
    const id = idOf(value);
    if (how === 'delete')
      return `${idText(id)} ${outcomeText(await this.#cluster.send('DELETE', id))}`.trim();
    const field =
      how === 'annotate'
        ? { path: ['metadata', 'annotations', foreignAnnotation], value: 'kept' }
        : tamperedField(value, this.managers, pick);
    if (field === undefined) return `${idText(id)} has no such field`;
    const uid = text(value, 'metadata', 'uid');
    if (how === 'annotate') this.annotated.set(uid, idText(id));
    else this.edits.add({ id, uid, ...field });
    const patch = putAt({}, field.path, field.value);
    const outcome = await this.#cluster.send('PATCH', id, patch);
    return `${idText(id)}: ${JSON.stringify(patch)} ${outcomeText(outcome)}`.trim();
  }

  /**
   * Removes the values of other clients from fields that the operator no longer applies. Returns a line for
   * each of them.
   */
  async undoAbandoned(): Promise<readonly string[]> {
    const lines: string[] = [];
    for (const { id, uid, path, value } of this.edits.takeAbandoned()) {
      const object = this.#cluster.find(id);
      if (object === undefined || text(object, 'metadata', 'uid') !== uid) continue;
      if (at(object, ...path) !== value) continue;
      const outcome = await this.#cluster.send('PATCH', id, putAt({}, path, null));
      lines.push(
        `the other client removes ${path.join('.')} of ${idText(id)}, which the operator no longer applies ${outcomeText(outcome)}`.trim(),
      );
    }
    return lines;
  }

  #hold({ resource, ms, withLists }: ActionOf<'hold'>): string {
    const { time, state, watches } = this.#cluster;
    const lag: Lag = {
      hold: watches.hold((request) => request.resource === resource),
      resource,
      revision: withLists ? state.store.revision : undefined,
      isBehind: false,
      readers: new Set(),
    };
    this.#lags.add(lag);
    if (withLists) {
      // A server with an older cache does not stream its state.
      const match = (request: LoggedRequest): boolean =>
        request.resource === resource &&
        request.query['sendInitialEvents'] === 'true' &&
        this.#lags.has(lag) &&
        this.#isOwn(request);
      this.#cluster.faults.add({ status: 422, reason: 'Invalid', times: Number.POSITIVE_INFINITY, match });
    }
    time.timer(ms, () => this.#catchUp(lag));
    return '';
  }

  #catchUp(lag: Lag): void {
    if (this.#lags.delete(lag)) lag.hold.release();
  }

  #interrupt({ resource, how }: ActionOf<'interrupt'>): string {
    const { watches } = this.#cluster;
    const count = how === 'cut' ? watches.cut({ resource }) : watches.expire({ resource });
    return count === 0 ? 'there is none' : '';
  }

  #fault({ verb, resource, nth, fault, site }: ActionOf<'fault'>): string {
    let seen = 0;
    const match = (request: LoggedRequest): boolean => {
      const isKind = request.verb === verb && targetOf(request) === resource && this.#isOwn(request);
      if (!isKind || !this.#scope.isFrom(request, site)) return false;
      seen += 1;
      if (seen === nth && fault !== 'expired') this.#scope.onMet(request, requestFaults[fault]);
      return seen === nth;
    };
    this.#cluster.faults.add({ ...faultOptions[fault], match });
    return '';
  }

  #isOwn({ user }: LoggedRequest): boolean {
    return this.#scope.isOwn(user);
  }

  #isolate({ replica, ms }: ActionOf<'isolate'>): string {
    const user = `replica-${replica + 1}`;
    const end = this.#cluster.time.now() + ms;
    this.#isolated.set(user, end);
    const match = (request: LoggedRequest): boolean =>
      request.resource === 'leases' &&
      request.user === user &&
      request.time < (this.#isolated.get(user) ?? 0);
    this.#cluster.faults.add({ cut: 'before', times: Number.POSITIVE_INFINITY, match });
    return '';
  }
}

const faultOptions: Readonly<Record<RequestFault, FaultOptions>> = {
  conflict: { status: 409, reason: 'Conflict' },
  expired: { status: 410, reason: 'Expired' },
  throttled: { status: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 },
  unavailable: { status: 503, reason: 'ServiceUnavailable' },
  failed: { status: 500, reason: 'InternalError' },
  dropped: { cut: 'before' },
  lost: { cut: 'after' },
  slow: { delayMs: 5_000 },
};

/** Returns a field of the operator with another value; `undefined` if it owns none. */
function tamperedField(
  value: JsonObject,
  managers: ReadonlySet<string>,
  pick: number,
): { readonly path: readonly string[]; readonly value: Json } | undefined {
  const paths = ownedPaths(value, managers).filter((path) => changed(at(value, ...path)) !== undefined);
  const path = paths[pick % Math.max(paths.length, 1)];
  if (path === undefined) return undefined;
  const next = changed(at(value, ...path));
  return next === undefined ? undefined : { path, value: next };
}

function changed(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return value === 'tampered' ? 'tampered-again' : 'tampered';
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return undefined;
}

function outcomeText({ code, message }: Outcome): string {
  return code < 400 ? '' : `refused (${code}): ${message}`;
}
