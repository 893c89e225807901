/** The content of a report. */
import { unusedText } from '@kgen/testserver/internal/access/permissions';
import type { WriteCoverage } from '../simulate/coverage.ts';
import type { TimelineEntry } from '../simulate/history.ts';
import type { SimulationReport } from '../simulate/options.ts';
import { SimulationError } from '../simulate/story.ts';

/** A report as JSON. */
export type ReportDocument = PassedDocument | FailedDocument | ContinuedDocument;

/** A simulation in which every schedule has passed. */
export interface PassedDocument extends Omit<SimulationReport, 'failures'> {
  readonly formatVersion: 1;
  readonly passed: true;
}

/** A simulation that has found a failure. */
export interface FailedDocument {
  readonly formatVersion: 1;
  readonly passed: false;
  readonly seed: number;
  /** The rule that was violated. */
  readonly check: string;
  /** Line of the operator; empty if none is known. */
  readonly site: string;
  /** The story: the differences, the steps, and the writes with their lines. */
  readonly story: string;
  readonly timeline: readonly TimelineEntry[];
  /** Events of the run without faults; empty if the failure does not depend on faults. */
  readonly reference: readonly TimelineEntry[];
}

/** A simulation that has continued after failures. */
export interface ContinuedDocument extends Omit<SimulationReport, 'failures'> {
  readonly formatVersion: 1;
  readonly passed: false;
  readonly failures: readonly DistinctFailureDocument[];
}

/** Seeds that fail in the same way. */
export interface DistinctFailureDocument extends FailureContent {
  readonly seeds: readonly number[];
}

/** Returns the content of a report. */
export function documentOf(result: SimulationReport | SimulationError): ReportDocument {
  if (result instanceof SimulationError) return { formatVersion: 1, passed: false, ...contentOf(result) };
  const { failures, ...rest } = result;
  if (failures.length === 0) return { formatVersion: 1, passed: true, ...rest };
  const found = failures.map(({ error, seeds }) => ({ ...contentOf(error), seeds }));
  return { formatVersion: 1, passed: false, ...rest, failures: found };
}

/** Returns the content of a failure. */
export function contentOf({
  seed,
  check,
  site,
  message,
  timeline,
  reference,
}: SimulationError): FailureContent {
  return { seed, check, site, story: message, timeline, reference };
}

/** A failure, and the run that shows it. */
export type FailureContent = Omit<FailedDocument, 'formatVersion' | 'passed'>;

/** Returns the number of seeds that have failed. */
export function failedSeeds(failures: readonly { readonly seeds: readonly number[] }[]): number {
  return failures.flatMap(({ seeds }) => seeds.filter((seed) => seed !== 0)).length;
}

/** Returns the rules of a service account that no request needed, as texts. */
export function unusedRules(permissions: SimulationReport['permissions']): readonly string[] {
  return permissions?.unused.map(unusedText) ?? [];
}

/** Returns the faults that a write has met, with their numbers: `conflict 3, lost 1`. */
export function metText({ met }: WriteCoverage): string {
  return Object.entries(met)
    .map(([fault, times]) => `${fault} ${times}`)
    .join(', ');
}
