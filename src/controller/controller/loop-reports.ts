/** Reports keys that keep writing, in log and metrics. */

import { LoopWatch } from '../loops/loop-watch.ts';
import type { Reconciliations } from '../metrics/controller-metrics.ts';
import { recordText } from '../records/explanation.ts';
import { loopCauses } from '../records/loop-causes.ts';
import type { RecordLog } from '../records/record-log.ts';
import type { WakeChange } from '../runs/causes.ts';
import { idOf, type ReconcileKey } from '../runs/key.ts';
import type { SecretTexts } from '../secrecy/secret-values.ts';
import type { EndedRun, RunListener } from './run-listener.ts';

/** Parts of `LoopReports`. */
export interface LoopReportsParts {
  /** Records of the controller, which contain a run before it is reported. */
  readonly records: RecordLog;
  readonly reconciliations: Reconciliations;
  readonly secrets: SecretTexts;
}

/** The loops of one controller. */
export class LoopReports implements RunListener {
  readonly #parts: LoopReportsParts;
  readonly #watch: LoopWatch;

  constructor(parts: LoopReportsParts) {
    this.#parts = parts;
    this.#watch = new LoopWatch(parts.secrets.mask);
  }

  /** Number of keys whose writes are counted. */
  get keys(): number {
    return this.#watch.keys;
  }

  /** Records a change that causes a run of a key. */
  changed(key: ReconcileKey, change: WakeChange): void {
    this.#watch.event(idOf(key), change);
  }

  ends({ controller, key, end, endedAt, log }: EndedRun): void {
    const report = this.#watch.reconciled(idOf(key), end.writes, endedAt);
    if (report === undefined) return;
    const { reconciliations, records } = this.#parts;
    const { message, ...loop } = report;
    reconciliations.looped(controller);
    const last = records.of(key)?.records ?? [];
    const reconcile = last.slice(-1).map(recordText)[0];
    const text = `${controller}: ${message} Causes of the last reconciles: ${loopCauses(last)}.`;
    log.warn({ loop, reconcile }, text);
  }
}
