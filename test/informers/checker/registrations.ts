import type { Noted } from '../server/journal.ts';
import type { WireObject } from '../server/objects.ts';
import { sourceOf, type View } from '../server/view.ts';
import type { Call, History, Notification, Truth } from './history.ts';
import { skipped } from './skipped.ts';

/** Members of a registration that are checked. */
export interface Judged {
  readonly manner: string;
  readonly history: History;
  /** Number of objects at the time of the registration. */
  readonly given: number;
  readonly removed: boolean;
}

export interface Registrations {
  /** In registration order; the first one is registered before the start and never removed. */
  readonly listeners: readonly Judged[];
  readonly truth: Truth;
  readonly views: readonly View[];
}

/** Final state, without pending work. */
export interface End {
  readonly state: readonly WireObject[];
  readonly listed: readonly Notification[];
  readonly notes: readonly Noted[];
}

/** Returns the errors in the calls of registrations, and in the final cache. */
export function registrationProblems(registrations: Registrations, end: End): readonly string[] {
  const { listeners } = registrations;
  for (const { history, removed } of listeners) if (!removed) judgeEnd(history, end);
  const own = listeners.flatMap(({ history, manner }, index) =>
    history.problems.map((problem) => `registration ${index} (${manner}): ${problem}`),
  );
  return [...own, ...skips(registrations, end), ...differences(listeners)];
}

function judgeEnd(history: History, { state, listed }: End): void {
  history.compareWith(state);
  const copy = new Set(listed);
  for (const reported of history.state.values()) {
    if (!copy.delete(reported)) history.problem('the lister has another object', reported);
  }
  for (const more of copy) history.problem('the lister has more', more);
}

function skips({ listeners, truth, views }: Registrations, { notes }: End): readonly string[] {
  const [first] = listeners;
  if (first === undefined) return [];
  return views.flatMap((view) =>
    skipped(truth, { source: sourceOf(view), view }, notes, first.history.calls),
  );
}

/** Verifies that later registrations received the same calls from their registration on. */
function differences([first, ...others]: readonly Judged[]): readonly string[] {
  if (first === undefined) return [];
  const all = textOf(first.history.calls);
  return others.flatMap(({ history, given, removed }, index) => {
    const later = textOf(history.calls.slice(given));
    const same = removed ? all.includes(later) : all.endsWith(later);
    return same ? [] : [`registration ${index + 1} received other calls than the first one`];
  });
}

function textOf(calls: readonly Call[]): string {
  return calls.map(({ type, uid, version, missed }) => `${type} ${uid} ${version} ${missed}\n`).join('');
}
