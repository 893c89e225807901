/** Performs the steps of a schedule on a cluster. */
import type { Change } from '@kgen/testserver/internal/store/store';
import type { SimulatedCluster } from '../cluster.ts';
import type { ReconcileWrite, WriteGate } from '../process/sent-request.ts';
import { isUnreviewed, outcomeText } from '../run/user-requests.ts';
import { type ActionOf, type FaultClass, type FaultName, faultNames, faults } from '../schedule/actions.ts';
import type { Step } from '../schedule/schedule.ts';
import type { DisturbedRun, FaultEffect } from './fault.ts';
import { ForeignEdits } from './foreign-edits.ts';
import { SentFields } from './sent-fields.ts';

/** Knowledge of a disturber about the run. */
export type DisturberScope = Omit<DisturbedRun, 'cluster' | 'setDownMs' | 'sent' | 'edits'>;

/** The faults of a run by their names. */
type Effects = { readonly [K in FaultName]: FaultEffect<ActionOf<K>> };

/** Performs steps, and has the faults that are still in effect. */
export class Disturber implements WriteGate {
  readonly sent: SentFields = new SentFields();
  readonly edits: ForeignEdits = new ForeignEdits();
  readonly #cluster: SimulatedCluster;
  readonly #effects: Effects;
  readonly #downMs = new Map<number, number>();

  constructor(cluster: SimulatedCluster, scope: DisturberScope) {
    this.#cluster = cluster;
    const { sent, edits } = this;
    const setDownMs = (replica: number, ms: number): void => void this.#downMs.set(replica, ms);
    const run = { ...scope, cluster, sent, edits, setDownMs };
    this.#effects = begin(run);
  }

  /** Performs a step. Returns its result for the history; empty if there is none. */
  async perform(step: Step): Promise<string> {
    switch (step.do) {
      case 'create':
        return outcomeText(await this.#cluster.create(step.object));
      case 'edit':
        return outcomeText(await this.#cluster.edit(step.target, step.path, step.value));
      case 'detour': {
        const { target, path, value, back, ms } = step;
        const outcome = await this.#cluster.edit(target, path, value);
        const refusal = outcomeText(outcome);
        // A change that is made later must be taken back, too.
        if (refusal !== '' && !isUnreviewed(outcome)) return refusal;
        await this.#cluster.time.advance(ms);
        return refusal + outcomeText(await this.#cluster.edit(target, path, back));
      }
      case 'delete':
        return outcomeText(await this.#cluster.send('DELETE', step.target));
      case 'recreate':
        return outcomeText(await this.#cluster.recreate(step.object));
      default:
        return perform(this.#effects, step.do, step);
    }
  }

  /** Returns how long a process stays down after its end, if a step has set it. */
  downMs(replica: number): number | undefined {
    const ms = this.#downMs.get(replica);
    this.#downMs.delete(replica);
    return ms;
  }

  /** Ends everything that is still in effect. */
  end(): void {
    for (const effect of Object.values(this.#effects)) effect.end?.();
    this.#cluster.faults.clear();
  }

  /** Returns the faults that a process meets now, whatever it writes. */
  facing(replica: string): readonly FaultClass[] {
    return Object.values(this.#effects).flatMap((effect) => effect.facing?.(replica) ?? []);
  }

  holds(sent: ReconcileWrite): Promise<void> | undefined {
    const held = Object.values(this.#effects).flatMap((effect) => effect.holds?.(sent) ?? []);
    return held.length === 0 ? undefined : Promise.all(held).then(() => undefined);
  }

  wrote(sent: ReconcileWrite): void {
    for (const effect of Object.values(this.#effects)) effect.wrote?.(sent);
  }

  changed(change: Change): void {
    for (const effect of Object.values(this.#effects)) effect.changed?.(change);
  }

  /** Returns the state that a list of a process returns; `undefined` for the latest one. */
  listed(replica: string, resource: string): number | undefined {
    for (const effect of Object.values(this.#effects)) {
      const revision = effect.listed?.(replica, resource);
      if (revision !== undefined) return revision;
    }
    return undefined;
  }
}

function begin(run: DisturbedRun): Effects {
  const entries = faultNames.map((name) => [name, faults[name].begin(run)]);
  // seam: each fault has the actions of its name.
  return Object.fromEntries(entries) as Effects;
}

function perform<K extends FaultName>(
  effects: Effects,
  name: K,
  action: ActionOf<K>,
): string | Promise<string> {
  return effects[name].perform(action);
}
