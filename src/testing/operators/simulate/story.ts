/** The story of a failure: what happened in which order, as text. */

import type { CheckName, Finding } from './checks/finding.ts';
import {
  deletionNote,
  type Entry,
  entryTextWithSite,
  historyOf,
  isWrite,
  type RequestEntry,
  type TimelineEntry,
  timelineEntryOf,
} from './history.ts';
import type { RunResult } from './run/run-result.ts';
import type { Schedule } from './schedule/schedule.ts';

/** Maximum number of lines of a story. */
const mostLines = 25;

/** A run with which a story is created. */
export type StoryRun = Pick<RunResult, 'schedule' | 'entries' | 'errors'>;

/** A violated rule, with details, one per line. */
interface Violation {
  readonly check: CheckName | 'determinism';
  readonly message: string;
}

/** A schedule with which an operator fails. `message` is the story: what happened in which order. */
export class SimulationError extends Error {
  readonly seed: number;
  /** Name of the violated rule. */
  readonly check: CheckName | 'determinism';
  /**
   * Line of the operator in the form `/path/operator.ts:10`: one in the details, otherwise that of the last
   * write to an object in the details, otherwise that of the last write; empty if there is none.
   */
  readonly site: string;
  /** The smallest schedule that was found to fail in the same way. */
  readonly schedule: Schedule;
  /** Requests and changes of the smallest failing schedule, one per line. */
  readonly history: string;
  /** Events of the smallest failing schedule, in their order. */
  readonly timeline: readonly TimelineEntry[];
  /** Events of the same run without its faults; empty if the failure does not depend on faults. */
  readonly reference: readonly TimelineEntry[];
  /** The violated rule in detail, one line for each differing field, object or request. */
  readonly details: readonly string[];

  constructor(story: string, violation: Violation, run: StoryRun, reference: readonly Entry[] = []) {
    const { check, message } = violation;
    super(story);
    this.name = 'SimulationError';
    this.seed = run.schedule.seed;
    this.check = check;
    this.site = siteOf(violation, run);
    this.schedule = run.schedule;
    this.history = historyOf(run);
    this.timeline = run.entries.map(timelineEntryOf);
    this.reference = reference.map(timelineEntryOf);
    this.details = message.split('\n');
  }
}

/** Returns the line of the operator that a failure is about. */
export function siteOf(violation: Violation, run: StoryRun): string {
  const [, named] = / at (\/\S+:\d+)/.exec(violation.message) ?? [];
  if (named !== undefined) return named;
  const writes = entriesUntil(violation, run).filter(isWriteWithSite).reverse();
  const about = writes.find((entry) => isAbout(entry, violation.message));
  return (about ?? writes[0])?.site ?? '';
}

/** Returns whether a request is about an object that details contain. */
function isAbout({ request: { resource, namespace }, name }: RequestEntry, message: string): boolean {
  const key = namespace === '' ? name : `${namespace}/${name}`;
  return name !== '' && message.includes(resource) && message.includes(key);
}

/** Returns the entries that a failure may depend on. */
function entriesUntil({ check }: Violation, { entries }: StoryRun): readonly Entry[] {
  const found = noteIndex(entries, `violated: ${check}`);
  if (found >= 0) return entries.slice(0, found + 1);
  const end = noteIndex(entries, deletionNote);
  // Runs are compared at rest, and after their end.
  return end >= 0 && isComparison(check) ? entries.slice(0, end) : entries;
}

function noteIndex(entries: readonly Entry[], text: string): number {
  return entries.findIndex((entry) => entry.kind === 'note' && entry.text.startsWith(text));
}

function isComparison(check: Violation['check']): boolean {
  return check === 'convergence' || check === 'identity' || check === 'history';
}

function isWriteWithSite(entry: Entry): entry is RequestEntry {
  return entry.kind === 'request' && entry.site !== '' && isWrite(entry.request.verb);
}

/** Maximum number of different lines of the violated rule. */
const mostDetails = 7;

/** Maximum number of different errors. */
const mostErrors = 3;

/** Facts of a story besides its run. */
export interface StoryContext {
  /** Number of steps of the schedule before it was reduced. */
  readonly original: number;
  /** A sentence about the repetition of the run. */
  readonly repetition: string;
}

/** Returns the story of a run that failed. */
export function storyOf(run: StoryRun, finding: Finding, { original, repetition }: StoryContext): string {
  const { seed, steps, replicas } = run.schedule;
  const errors = [...new Set(run.errors.map((each) => each.split('\n')[0] ?? ''))].slice(-mostErrors);
  const head = [`seed ${seed}: ${titles[finding.check]}`, ...indented(detailsOf(finding))];
  const tail = [
    ...(errors.length === 0 ? [] : ['the last errors in the log of the operator:', ...indented(errors)]),
    repetition,
  ];
  const events = entriesUntil(finding, run).filter((entry) => isShown(entry, finding));
  const shown = mostImportant(events, finding, mostLines - head.length - tail.length - 1);
  const size = [
    `${steps.length} of ${original} steps`,
    ...(replicas > 1 ? [`${replicas} replicas`] : []),
    ...(shown.length < events.length ? [`${shown.length} of ${events.length} events`] : []),
  ].join(', ');
  return [...head, `after (${size}):`, ...indented(shown.map(entryTextWithSite)), ...tail].join('\n');
}

/** Returns the most important events in their order: in each rank, the first and the last ones. */
function mostImportant(events: readonly Entry[], finding: Finding, count: number): readonly Entry[] {
  const chosen = new Set<Entry>();
  for (const rank of [0, 1, 2]) {
    const ranked = events.filter((entry) => rankOf(entry, finding) === rank);
    const left = count - chosen.size;
    const isWhole = ranked.length <= left;
    const first = isWhole ? ranked.length : Math.ceil(left / 2);
    const last = isWhole ? [] : ranked.slice(ranked.length - (left - first));
    for (const entry of [...ranked.slice(0, first), ...last]) chosen.add(entry);
  }
  return events.filter((entry) => chosen.has(entry));
}

/** Steps come first, then writes that met a fault or are about an object in the details, then others. */
function rankOf(entry: Entry, { message }: Finding): number {
  if (entry.kind === 'step') return 0;
  if (entry.kind !== 'request') return 1;
  return entry.faults.length > 0 || isAbout(entry, message) ? 1 : 2;
}

const titles: Readonly<Record<Finding['check'], string>> = {
  invariant: 'an invariant does not hold',
  convergence: 'the state at rest differs from that of the same run without faults',
  identity: 'the operator replaces objects that the run without faults keeps',
  restart: 'a restart at rest changes objects',
  time: 'what is due with time depends on whether the operator was running',
  history:
    'the state at rest depends on the past: it differs from that of a cluster in which the last declarations are created',
  silence: 'the operator does not come to rest',
  requests: 'the operator sends too many requests',
  leadership: 'a process writes without leadership',
  rejection: 'a rejection was not handled',
  floating: 'a reconcile does not wait for its writes',
  exit: 'the operator ended',
  ownership: 'the operator overwrites what others have written',
  deletion: 'the deletion leaves objects behind',
  permissions: 'the operator needs permissions that no rule of its service account grants',
  network: 'the operator uses the network of the process',
  leak: 'the operator holds more with each change of an object',
  memory: 'the operator takes more memory with each change of an object',
};

/** Returns the different lines of a violated rule. */
function detailsOf({ message }: Finding): readonly string[] {
  const lines = [...new Set(message.split('\n'))];
  if (lines.length <= mostDetails) return lines;
  return [...lines.slice(0, mostDetails - 1), `… and ${lines.length - mostDetails + 1} more`];
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** Steps, ends of processes, the writes of the operator, and creations of objects in the details. */
function isShown(entry: Entry, { message }: Finding): boolean {
  if (entry.kind === 'request') return isWrite(entry.request.verb);
  if (entry.kind !== 'change') return true;
  const { type, key } = entry.change;
  // Requests do not contain generated names.
  return type === 'ADDED' && message.includes(`should not exist: ${key.slice(key.indexOf('/') + 1)}`);
}
