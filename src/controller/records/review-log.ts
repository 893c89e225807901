/** The last reviews of the webhooks of a process. */
import type { ObjectName } from '../runs/key.ts';
import type { ReviewRecord } from './review-record.ts';

/** Number of records; the oldest one is dropped. */
const most = 1_000;

/** A record with the time of the start of its review, in the notation of ISO 8601. */
export interface RecordedReview extends ReviewRecord {
  readonly startedAt: string;
}

/** Selection of records. */
export interface ReviewSelection {
  readonly limit: number;
  /** Path of the webhook. Default: all. */
  readonly path: string | null;
  /** Object of the review. Default: all. */
  readonly key: Pick<ObjectName, 'namespace' | 'name'> | undefined;
}

/** Records of the last reviews. */
export class ReviewLog {
  readonly #records: { readonly record: ReviewRecord; readonly endedAt: number }[] = [];
  #count = 0;

  /** Adds a record. `nowMs` is the time since the epoch. */
  add(record: ReviewRecord, nowMs: number): void {
    this.#records[this.#count % most] = { record, endedAt: nowMs };
    this.#count += 1;
  }

  /** Returns the selected records, newest first. */
  newest({ limit, path, key }: ReviewSelection): readonly RecordedReview[] {
    const next = this.#count % most;
    const all = [...this.#records.slice(next), ...this.#records.slice(0, next)].reverse();
    return all
      .filter(({ record }) => path === null || record.path === path)
      .filter(({ record }) => key === undefined || isOf(record, key))
      .slice(0, limit)
      .map(({ record, endedAt }) => ({
        startedAt: new Date(endedAt - record.durationMs).toISOString(),
        ...record,
      }));
  }
}

function isOf({ namespace, name }: ReviewRecord, key: Pick<ObjectName, 'namespace' | 'name'>): boolean {
  return name === key.name && namespace === key.namespace;
}

/** Returns a record as one line. */
export function reviewText(review: RecordedReview): string {
  const { startedAt, path, operation, kind, namespace, name, user, durationMs } = review;
  const object = [kind, [namespace, name].filter(Boolean).join('/')].filter(Boolean).join(' ');
  const request = [operation, object, user && `by ${user}`].filter(Boolean).join(' ');
  const { outcome, code, reason, fields, error } = review;
  const details = [outcome, code, reason, ...fields, error].filter(Boolean).join(' ');
  const result = outcome === 'allowed' ? outcome : details;
  return `${path} at ${startedAt}, took ${Math.round(durationMs * 1000) / 1000} ms: ${request}: ${result}`;
}
