/** The story of a failure: what happened in which order, as text. */

import type { Finding } from './checks/finding.ts';
import { type Entry, entryTextWithSite, isWrite } from './history.ts';
import type { RunResult } from './run/run-result.ts';

/** Maximum number of lines of the order of events. */
const mostLines = 60;

/** A run with which a story is created. */
export type StoryRun = Pick<RunResult, 'schedule' | 'entries' | 'errors'>;

/** Maximum number of different errors. */
const mostErrors = 5;

/** Returns the story of a run that failed. */
export function storyOf(run: StoryRun, finding: Finding, original: number): string {
  const { seed, steps, replicas } = run.schedule;
  const size = `${steps.length} of ${original} steps${replicas > 1 ? `, ${replicas} replicas` : ''}`;
  const shown = run.entries.filter(isShown).map(entryTextWithSite);
  const lines =
    shown.length > mostLines
      ? [...shown.slice(0, mostLines / 2), '   …', ...shown.slice(-mostLines / 2)]
      : shown;
  const errors = [...new Set(run.errors)].slice(-mostErrors);
  return [
    `seed ${seed}: ${titles[finding.check]}`,
    ...indented(finding.message.split('\n')),
    `after (${size}):`,
    ...indented(lines),
    ...(errors.length === 0 ? [] : ['the last errors in the log of the operator:', ...indented(errors)]),
    `Repeat it with KGEN_SEED=${seed}.`,
  ].join('\n');
}

const titles: Readonly<Record<Finding['check'], string>> = {
  invariant: 'an invariant does not hold',
  convergence: 'the state at rest differs from that of the same run without faults',
  silence: 'the operator does not come to rest',
  requests: 'the operator sends too many requests',
  leadership: 'a process writes without leadership',
  rejection: 'a rejection was not handled',
  exit: 'the operator ended',
  ownership: 'the operator overwrites what others have written',
  deletion: 'the deletion leaves objects behind',
  permissions: 'the operator needs permissions that no rule of its service account grants',
  network: 'the operator uses the network of the process',
  leak: 'the operator holds more with each change of an object',
  memory: 'the operator takes more memory with each change of an object',
};

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** Steps, ends of processes, and the writes of the operator. */
function isShown(entry: Entry): boolean {
  if (entry.kind === 'request') return isWrite(entry.request.verb);
  return entry.kind !== 'change';
}
