/** Reports of simulations as documents of the page of `kgen view`. */
import type { SimulateArguments } from 'kgen/commands';
import type { ViewDocument, ViewEvent, ViewFailure, ViewRun, ViewTable } from 'kgen/view';
import type { SimulatedWrite } from '../simulate/coverage.ts';
import { isBookkeeping, type TimelineEntry } from '../simulate/history.ts';
import { isServiceVerb } from '../simulate/process/services/served-services.ts';
import {
  type FailureContent,
  failedSeeds,
  metText,
  type PassedDocument,
  type ReportDocument,
  unusedRules,
} from './document.ts';

/** Returns the command that runs one seed, without it: `npx kgen simulate operator.ts`. */
export function commandOf({ file, export: name, crds = [], objects, steps }: SimulateArguments): string {
  const options = [
    ...(name === undefined ? [] : ['--export', name]),
    ...crds.flatMap((source) => ['--crds', source]),
    ...(objects === undefined ? [] : ['--objects', String(objects)]),
    ...(steps === undefined ? [] : ['--steps', String(steps)]),
  ];
  return ['npx', 'kgen', 'simulate', file, ...options].map(quoted).join(' ');
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns the document of a report.
 * @param command that of `commandOf`; `undefined` if a program has run the simulation
 */
export function viewOfReport(report: ReportDocument, command?: string): ViewDocument {
  const base = { type: 'kgen view', version: 1, facts: [], runs: [], failures: [], tables: [] } as const;
  if (report.passed) {
    const facts = [`The operator has sent ${report.requests} requests`];
    return { ...base, title: `${report.seeds} seeds passed`, facts, tables: tablesOf(report) };
  }
  if (!('failures' in report)) {
    const failures = [{ ...report, seeds: [report.seed] }];
    return { ...base, title: `Seed ${report.seed} violates ${report.check}`, ...runsOf(failures, command) };
  }
  const { failures, seeds } = report;
  const failed = failedSeeds(failures);
  const title = `${failures.length} distinct failures, ${failed} of ${seeds + failed} seeds failed`;
  return { ...base, title, ...runsOf(failures, command) };
}

function tablesOf({
  coverage,
  interleavings,
  uses,
  chance,
  permissions,
}: PassedDocument): readonly ViewTable[] {
  const rows = coverage.map((write) => [
    ...[writeText(write), write.site, String(write.count), metText(write), write.unmet.join(', ')],
  ]);
  const columns = ['Write', 'Line', 'Sent', 'Met', 'Not met'];
  const lists = [
    ['Uses of what a simulation replaces', uses],
    ['Fields that depend on chance, and are not compared', chance],
    ['Rules of the service account that no request needed', unusedRules(permissions)],
  ] as const;
  return [
    { title: 'Writes of the operator, and the faults that they have met', columns, rows },
    ...(interleavings.length === 0 ? [] : [interleavingTable(interleavings)]),
    ...lists.flatMap(([title, texts]) =>
      texts.length === 0 ? [] : [{ title, columns: [], rows: texts.map((each) => [each]) }],
    ),
  ];
}

function interleavingTable(interleavings: PassedDocument['interleavings']): ViewTable {
  return {
    title: 'Writes of one controller during a reconcile of another one',
    columns: ['Write', 'Line', 'Before', 'Line', 'Times'],
    rows: interleavings.map(({ between, write, count }) => [
      ...[writeText(between), between.site, writeText(write), write.site, String(count)],
    ]),
  };
}

/** Returns a write as text: `patch deployments`. */
function writeText({ verb, resource }: SimulatedWrite): string {
  return `${verb} ${resource}`;
}

/** A failure with all of its seeds. */
type SeededFailure = FailureContent & { readonly seeds: readonly number[] };

function runsOf(
  failures: readonly SeededFailure[],
  command: string | undefined,
): Pick<ViewDocument, 'runs' | 'failures'> {
  const runs: ViewRun[] = [];
  const found = failures.map(({ seed, seeds, check, site, story, timeline, reference }): ViewFailure => {
    const run = runs.push(runOf(`seed ${seed}`, timeline)) - 1;
    const other =
      reference.length === 0 ? undefined : runs.push(runOf(`seed ${seed} without faults`, reference)) - 1;
    return {
      ...{ seed, seeds, check, site, story, command: repetitionOf(seed, command), run },
      ...(other !== undefined && { reference: other }),
    };
  });
  return { runs, failures: found };
}

/** Seed 0 is that of failures that do not depend on seeds. */
function repetitionOf(seed: number, command: string | undefined): string {
  if (command === undefined) return seed === 0 ? '' : `KGEN_SEED=${seed} npm test`;
  return seed === 0 ? command : `${command} --seed ${seed}`;
}

function runOf(name: string, entries: readonly TimelineEntry[]): ViewRun {
  const events = entries
    .filter(({ kind, resource }) => kind !== 'change' || !isBookkeeping(resource))
    .map(eventOf);
  return { name, clock: 'virtual', from: 0, to: entries.at(-1)?.atMs ?? 0, events, reconciles: [] };
}

function eventOf(entry: TimelineEntry): ViewEvent {
  const {
    kind,
    atMs: at,
    text,
    replica,
    site,
    verb,
    group,
    namespace,
    name,
    status,
    isWrite,
    faults,
  } = entry;
  if (kind === 'step') return { kind, at, text };
  if (kind === 'note') return { kind, at, text, isViolation: text.startsWith('violated') };
  // Names of external services are not divided.
  const [resource = '', ...subresource] = isServiceVerb(verb) ? [entry.resource] : entry.resource.split('/');
  const target = { group, resource, namespace, name };
  if (kind === 'change') return { kind, at, change: changeOf(verb), target, content: entry.object };
  const result = status === undefined ? 'lost' : status < 400 ? 'done' : 'failed';
  return {
    ...{
      kind,
      at,
      process: replica,
      user: '',
      verb,
      target,
      subresource: subresource.join('/'),
      isWrite,
      faults,
    },
    ...{ result },
    ...(status !== undefined && { status }),
    ...(site !== '' && { site }),
  };
}

function changeOf(verb: string): 'create' | 'update' | 'delete' {
  return verb === 'create' || verb === 'delete' ? verb : 'update';
}
