/** Specs of Ginkgo and how they ended, as its JSON report has them. */

/** How a spec ended. A skipped one found that the cluster lacks something. */
export type Outcome = 'passed' | 'failed' | 'skipped';

/** One spec that ran. */
export interface Spec {
  /** Name of the suite, if there are several, with the texts of its containers and its own. */
  readonly name: string;
  readonly outcome: Outcome;
  readonly seconds: number;
  /** Message of the failure, or reason why it was skipped; empty if it passed. */
  readonly message: string;
}

/** Members of a report that this module reads. */
interface Report {
  readonly SpecReports: readonly SpecReport[] | null;
}

interface SpecReport {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly State: string;
  /** In nanoseconds. */
  readonly RunTime: number;
  readonly Failure?: {
    readonly Message?: string;
    readonly Location?: { FileName: string; LineNumber: number };
  };
}

/** Returns the specs of a report that ran; with `isListed`, also those that did not. */
export function specsOf(
  text: string,
  options: { prefix?: string; isListed?: boolean } = {},
): readonly Spec[] {
  // seam: the format of Ginkgo, version 2.
  const reports = JSON.parse(text) as readonly Report[];
  return reports
    .flatMap(({ SpecReports }) => SpecReports ?? [])
    .filter(({ LeafNodeType, State }) => LeafNodeType === 'It' || isFailure(State))
    .filter((spec) => options.isListed === true || hasRun(spec))
    .map((spec) => specOf(spec, options.prefix ?? ''));
}

function specOf(report: SpecReport, prefix: string): Spec {
  const { Failure, State } = report;
  const texts = [...(report.ContainerHierarchyTexts ?? []), report.LeafNodeText || report.LeafNodeType];
  const at =
    Failure?.Location === undefined ? '' : ` (${Failure.Location.FileName}:${Failure.Location.LineNumber})`;
  return {
    name: [prefix, ...texts].filter((text) => text !== '').join(' '),
    outcome: State === 'passed' ? 'passed' : isFailure(State) ? 'failed' : 'skipped',
    seconds: report.RunTime / 1e9,
    message: Failure?.Message === undefined ? '' : `${Failure.Message}${at}`,
  };
}

/** Specs outside of the focus are skipped, too, but in no time and without a message. */
function hasRun({ State, Failure }: SpecReport): boolean {
  return State === 'passed' || isFailure(State) || (State === 'skipped' && (Failure?.Message ?? '') !== '');
}

function isFailure(state: string): boolean {
  return !['passed', 'skipped', 'pending', ''].includes(state);
}
