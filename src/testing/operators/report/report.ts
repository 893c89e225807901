/** Reports of simulations: text, JSON, and one HTML page. */
import { pageOf } from 'kgen/view';
import { type InterleavingCoverage, placedText, type WriteCoverage } from '../simulate/coverage.ts';
import type { SimulationReport } from '../simulate/options.ts';
import type { SimulationError } from '../simulate/story.ts';
import {
  type DistinctFailureDocument,
  documentOf,
  failedSeeds,
  metText,
  type PassedDocument,
  type ReportDocument,
  unusedRules,
} from './document.ts';
import { viewOfReport } from './view.ts';

/** Format of a report. The HTML page is complete: it loads nothing. */
export type ReportFormat = 'text' | 'json' | 'html';

/**
 * Returns a report of a simulation, as text: of the result of `simulate`, or of the error that it has thrown.
 *
 * A report of success has the faults that each write has met. A report of a failure has the story, the
 * differences and the whole timeline.
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { type Operator, SimulationError, simulate, simulationReport } from '@kgen/testing';
 *
 * declare const operator: Operator;
 *
 * const result = await simulate(operator, { crds: ['crds/rediscluster.yaml'] }).catch((error: unknown) => {
 *   if (error instanceof SimulationError) return error;
 *   throw error;
 * });
 * writeFileSync('simulation.html', simulationReport(result, 'html'));
 * ```
 */
export function simulationReport(result: SimulationReport | SimulationError, format: ReportFormat): string {
  return documentText(documentOf(result), format);
}

/**
 * Returns a report in a format.
 * @param command the command that runs one seed, without its number, for the page
 */
export function documentText(document: ReportDocument, format: ReportFormat, command?: string): string {
  if (format === 'json') return `${JSON.stringify(document, undefined, 2)}\n`;
  return format === 'html' ? pageOf(viewOfReport(document, command)) : textReport(document);
}

/** Returns a report as lines. */
function textReport(document: ReportDocument): string {
  if (document.passed) return passedText(document);
  if (!('failures' in document)) return `${document.story}\n`;
  const { failures, seeds } = document;
  const stories = failures.map(({ story }) => `${story}\n\n`).join('');
  const failed = failedSeeds(failures);
  return `${stories}${failed} of ${counted(seeds + failed, 'seed')} failed, ${failuresText(failures)}`;
}

/** Returns a table of failures: their rules and lines, the numbers of their seeds, and the first ones. */
export function failuresText(failures: readonly FailureRow[]): string {
  const rows = [
    ['check', 'line', 'seeds', 'first seed'],
    ...failures.map(({ check, site, seeds }) => [check, site, String(seeds.length), String(seeds[0])]),
  ];
  const widths = rows.reduce<readonly number[]>(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [],
  );
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const title = `${counted(failures.length, 'distinct failure')}:`;
  return `${[title, ...lines.map((line) => `  ${line.trimEnd()}`)].join('\n')}\n`;
}

/** A row of the table of failures. */
type FailureRow = Pick<DistinctFailureDocument, 'check' | 'site' | 'seeds'>;

function passedText(document: PassedDocument): string {
  const { seeds, requests, coverage, interleavings, uses, chance, permissions } = document;
  const lines = [
    `${counted(seeds, 'seed')} passed: ${counted(requests, 'request')} of the operator`,
    ...section('Writes of the operator, and the faults that they have met:', coverage.flatMap(coverageLines)),
    ...interleavingLines(interleavings),
    ...section('Uses of what a simulation replaces:', uses),
    ...section('Fields that depend on chance, and are not compared:', chance),
    ...section('Rules of the service account that no request needed:', unusedRules(permissions)),
  ];
  return `${lines.join('\n')}\n`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

/** Maximum number of interleavings that were not met, of which a text has lines. */
const mostInterleavings = 10;

function interleavingLines(interleavings: readonly InterleavingCoverage[]): readonly string[] {
  const unmet = interleavings.filter(({ count }) => count === 0);
  const [first, more] = [unmet.slice(0, mostInterleavings), unmet.length - mostInterleavings];
  const met = interleavings.length - unmet.length;
  const title = `Writes of one controller during a reconcile of another one: ${met} of ${interleavings.length} pairs met`;
  const lines = first.map(
    ({ between, write }) => `not met: ${placedText(between)}, before ${placedText(write)}`,
  );
  if (interleavings.length === 0) return [];
  return ['', title, ...[...lines, ...(more > 0 ? [`and ${more} more`] : [])].map((line) => `  ${line}`)];
}

function coverageLines(write: WriteCoverage): readonly string[] {
  const met = metText(write);
  return [
    `${placedText(write)}, sent ${write.count} times`,
    ...(met === '' ? [] : [`  met: ${met}`]),
    ...(write.unmet.length === 0 ? [] : [`  not met: ${write.unmet.join(', ')}`]),
  ];
}
