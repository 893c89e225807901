/** The content of a report. */
import { unusedText } from '@kgen/testserver/internal/access/permissions';
import type { WriteCoverage } from '../simulate/coverage.ts';
import type { TimelineEntry } from '../simulate/history.ts';
import type { SimulationReport } from '../simulate/options.ts';
import { SimulationError } from '../simulate/story.ts';

/** A report as JSON. */
export type ReportDocument = PassedDocument | FailedDocument;

/** A simulation in which every schedule has passed. */
export interface PassedDocument extends SimulationReport {
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
  /** The story: the differences, the steps, and the writes with their lines. */
  readonly story: string;
  readonly timeline: readonly TimelineEntry[];
}

/** Returns the content of a report. */
export function documentOf(result: SimulationReport | SimulationError): ReportDocument {
  if (!(result instanceof SimulationError)) return { formatVersion: 1, passed: true, ...result };
  const { seed, check, message, timeline } = result;
  return { formatVersion: 1, passed: false, seed, check, story: message, timeline };
}

/** Returns the rules of a service account that no request needed, as texts. */
export function unusedRules(permissions: SimulationReport['permissions']): readonly string[] {
  return permissions?.unused.map(unusedText) ?? [];
}

/** Returns a write as text: `patch deployments`. */
export function writeText({ verb, resource }: WriteCoverage): string {
  return `${verb} ${resource}`;
}

/** Returns the faults that a write has met, with their numbers: `conflict 3, lost 1`. */
export function metText({ met }: WriteCoverage): string {
  return Object.entries(met)
    .map(([fault, times]) => `${fault} ${times}`)
    .join(', ');
}
