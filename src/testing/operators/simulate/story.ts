/** The story of a failure: what happened in which order, as text. */
import { type Entry, entryTextWithSite, isWrite } from './history.ts';
import type { Finding, RunResult } from './run.ts';

/** Maximum number of lines of the order of events. */
const mostLines = 60;

/** Returns the story of a run that failed. */
export function storyOf(run: RunResult, finding: Finding, original: number): string {
  const { seed, steps, replicas } = run.schedule;
  const size = `${steps.length} of ${original} steps${replicas > 1 ? `, ${replicas} replicas` : ''}`;
  const told = run.entries.filter(isTold).map(entryTextWithSite);
  const lines =
    told.length > mostLines ? [...told.slice(0, mostLines / 2), '   …', ...told.slice(-mostLines / 2)] : told;
  return [
    `seed ${seed}: ${titles[finding.check]}`,
    ...indented(finding.message.split('\n')),
    `after (${size}):`,
    ...indented(lines),
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
  network: 'the operator uses the network of the process',
};

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** Steps, ends of processes, and the writes of the operator. */
function isTold(entry: Entry): boolean {
  if (entry.kind === 'request') return isWrite(entry.request.verb);
  return entry.kind !== 'change';
}
