/** Explanations of keys: why they were reconciled, or wait. */

import type { Cause } from '../runs/causes.ts';
import { keyText, type ReconcileKey } from '../runs/key.ts';
import type {
  FieldChange,
  ReconcileRecord,
  RecordedCause,
  RecordedRead,
  RecordedTarget,
  RunWrite,
} from './record.ts';

/** Present state of a key in the queue of its controller. Times are in milliseconds. */
export type KeyState =
  /** Nothing to do until the next change. */
  | { readonly type: 'idle' }
  | { readonly type: 'running'; readonly forMs: number }
  /** Waits for a free worker. */
  | { readonly type: 'queued'; readonly forMs: number; readonly causes: readonly RecordedCause[] }
  /** Waits until it is certain that this process owns it: its lease must be acquired or renewed first. */
  | { readonly type: 'uncertain'; readonly forMs: number; readonly causes: readonly RecordedCause[] }
  /** Waits for the end of a delay: of a requeue, or of a retry after an error. */
  | { readonly type: 'delayed'; readonly dueInMs: number; readonly causes: readonly RecordedCause[] }
  /** The controller does not run: it waits for its caches or for leadership, or has stopped. */
  | { readonly type: 'not started'; readonly causes: readonly RecordedCause[] }
  /** Another replica reconciles the key. */
  | { readonly type: 'other replica' };

/** Explanation of the state of a key and of its last reconciles, as data and as text. */
export interface Explanation {
  readonly controller: string;
  readonly key: ReconcileKey;
  readonly state: KeyState;
  /** Version of the cached object; `undefined` if it is not in the cache. */
  readonly cachedVersion: string | undefined;
  /** Number of failed attempts since the last success. */
  readonly failures: number;
  /** Number of reconciles since the start of the process, or since the records of the key were dropped. */
  readonly total: number;
  /** The last reconciles, oldest first; at most 5. */
  readonly reconciles: readonly ReconcileRecord[];
  /** The explanation as lines of text for people: state, counters and the last reconciles. */
  readonly text: string;
}

/** Returns an explanation with its text. */
export function explanationOf(facts: Omit<Explanation, 'text'>): Explanation {
  return { ...facts, text: textOf(facts) };
}

/** Returns a record as lines. */
export function recordText(record: ReconcileRecord): string {
  const { number, startedAt, durationMs, queuedMs, attempt, causes, reads, writes, omitted } = record;
  const times = `took ${ms(durationMs)}, queued ${ms(queuedMs)}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
  const lines = [
    `#${number} at ${startedAt}, ${times}: ${endText(record)}`,
    ...causes.map((cause) => `  woken by ${causeText(cause)}`),
    ...more(omitted.causes, 'causes'),
    ...reads.map((read) => `  read ${readText(read)}`),
    ...more(omitted.reads, 'reads'),
    ...writes.flatMap(writeLines),
    ...more(omitted.writes, 'writes'),
  ];
  return lines.join('\n');
}

/** Returns a cause as text: `update of pods shop/web (version 812 -> 840, .spec.nodeName "a" -> "b")`. */
function causeText(cause: RecordedCause): string {
  const { target, resourceVersions, fields = [], count, isInitial, writtenBy } = cause;
  const times = count > 1 ? `, ${count} times` : '';
  if (target === undefined) return `${causeName(cause)}${times}`;
  const [before = '', after = ''] = resourceVersions ?? [];
  const versions = [before, after].filter(
    (version) => version !== '' && !(before === after && version !== after),
  );
  const details = [`version ${versions.join(' -> ')}`, ...fields.map(fieldText)];
  const own = writtenBy === undefined ? '' : `, which its own reconcile #${writtenBy} wrote`;
  const initial = isInitial === true ? ', which existed at the start' : '';
  return `${causeName(cause)} (${details.join(', ')})${times}${initial}${own}`;
}

/** Returns the kind of a cause and its object: `update of pods shop/web`. */
export function causeName({ type, target }: RecordedCause): string {
  return target === undefined ? plainCauses[type] : `${plainCauses[type]} ${targetText(target)}`;
}

const plainCauses: Readonly<Record<Cause['type'], string>> = {
  add: 'addition of',
  update: 'update of',
  delete: 'deletion of',
  resync: 'resync of',
  requeue: 'the delay that the last reconcile requested',
  retry: 'the retry of a failed reconcile',
  conflict: 'the retry after a conflict',
  unseen: 'a creation of its own that was not visible before',
  refused: 'a reconcile whose writes were refused, as the owner of its key was uncertain',
  shard: 'the shard that this replica has gained',
  request: 'a call of enqueue',
};

function textOf(facts: Omit<Explanation, 'text'>): string {
  const { controller, key, total, reconciles, cachedVersion, failures } = facts;
  const count = total === 0 ? 'never reconciled' : `${total} ${total === 1 ? 'reconcile' : 'reconciles'}`;
  const cached = cachedVersion === undefined ? 'not in the cache' : `version ${cachedVersion} in the cache`;
  const failed = failures === 0 ? '' : `; ${failures} failed in a row`;
  const head = `${controller} ${keyText(key)}: ${count}; ${cached}; ${stateText(facts)}${failed}`;
  return [head, ...reconciles.map(recordText)].join('\n');
}

function stateText({ state, reconciles }: Pick<Explanation, 'state' | 'reconciles'>): string {
  const waiting = 'causes' in state ? state.causes.map(causeText).join(', ') : '';
  const after = waiting === '' ? '' : `: ${waiting}`;
  if (state.type === 'idle') return 'waits for the next change';
  if (state.type === 'running') return `runs for ${ms(state.forMs)}`;
  if (state.type === 'other replica') return 'another replica reconciles it';
  if (state.type === 'not started') return `the controller does not run${after}`;
  if (state.type === 'uncertain') return `waits for a certain owner for ${ms(state.forMs)}${after}`;
  if (state.type === 'queued') return `in the queue for ${ms(state.forMs)}${after}`;
  const error = reconciles.at(-1)?.outcome.error;
  return `due in ${ms(state.dueInMs)}${after}${error === undefined ? '' : ` (${error})`}`;
}

function endText({ outcome: { type, afterMs, error } }: ReconcileRecord): string {
  if (type === 'success') return 'succeeded';
  if (type === 'requeueAfter') return `requeued after ${ms(afterMs ?? 0)}`;
  if (type === 'conflict') return `conflict, retried: ${error}`;
  if (type === 'gone') return `the object was deleted meanwhile: ${error}`;
  return type === 'retry' ? `failed, retried: ${error}` : `failed, not retried: ${error}`;
}

function readText({ from, resourceVersion, count, error, ...target }: RecordedRead): string {
  const found =
    count === undefined
      ? resourceVersion === ''
        ? 'nothing'
        : `version ${resourceVersion}`
      : `${count} objects`;
  return `${targetText(target)} from the ${from}: ${error ?? found}`;
}

function writeLines(write: RunWrite): readonly string[] {
  const { verb, subresource, result, error, changes } = write;
  const target = `${verb} ${targetText(write, subresource)}`;
  if (result === 'skipped') return [`  skipped ${target}: it would change nothing`];
  if (result === 'failed') return [`  failed ${target}: ${error}`];
  const version = write.resourceVersion === '' ? '' : ` (version ${write.resourceVersion})`;
  if (changes === undefined) return [`  wrote ${target}${version}: changes unknown`];
  if (changes.length === 0) return [`  wrote ${target}${version}: changed nothing`];
  return [`  wrote ${target}${version}: ${changes.map(fieldText).join(', ')}`];
}

function fieldText({ path, before, after }: FieldChange): string {
  return `${path || 'object'} ${before} -> ${after}`;
}

function targetText({ resource, namespace, name }: RecordedTarget, subresource = ''): string {
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  if (name === '') return namespace === '' ? full : `${full} in ${namespace}`;
  return `${full} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

function more(count: number, noun: string): readonly string[] {
  return count === 0 ? [] : [`  and ${count} more ${noun}`];
}

/** Returns a duration: `7 ms`, `2.5 s`. */
function ms(value: number): string {
  if (value < 1000) return `${Math.round(value)} ms`;
  return `${Math.round(value / 100) / 10} s`;
}
