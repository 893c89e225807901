/** Comparison of the clients in the output folder with a cluster, for `--check --from-cluster`. */
import { apiVersionOf } from '../common/names.ts';
import type { OutputSettings } from '../config/settings.ts';
import { deprecationOf } from '../contract/drifts.ts';
import type { Deprecation, Drift } from '../contract/types.ts';
import { folder } from '../emit/text/paths.ts';
import type { Model } from '../model/ir.ts';
import { isSelected, parsePattern, type Selectable } from '../model/select.ts';
import type { TypeChange } from '../typecheck/compare/change.ts';
import { outputBefore } from '../typecheck/read/previous-output.ts';
import { isUpToDate, type WritePlan } from '../write/plan.ts';

/** The contract of the clients in the folder with the cluster. */
export interface ClusterContract {
  readonly drifts: readonly Drift[];
  /** Selected kinds of the folder; empty if the folder is up to date. */
  readonly known: readonly Selectable[];
}

/** The output that the cluster results in, and the folder. */
export interface ClusterOutput {
  readonly files: ReadonlyMap<string, string>;
  readonly plan: WritePlan;
  readonly model: Model;
  /** Whether a part of the cluster did not respond. */
  readonly isPartial: boolean;
}

/** Compares the resources and schemas of the folder with those of the cluster. */
export async function clusterContract(
  { files, plan, model, isPartial }: ClusterOutput,
  { include = [], exclude = [] }: OutputSettings,
): Promise<ClusterContract> {
  const deprecations = deprecationsOf(model);
  if (isUpToDate(plan)) {
    return { drifts: [...deprecations].map(([resource, about]) => deprecated(resource, about)), known: [] };
  }
  const { outputDrifts } = await import('../contract/output-drifts.ts');
  const requested = include.flatMap((text) => parsePattern(text) ?? []);
  const unwanted = exclude.flatMap((text) => parsePattern(text) ?? []);
  return outputDrifts({
    before: outputBefore(files, plan),
    after: files,
    isPartial,
    isSelected: (resource) => isSelected(resource, requested, unwanted),
    deprecations,
  });
}

/** Returns the deprecations of versions by resource, as `apps/v1 deployments`. */
function deprecationsOf({ groupVersions }: Model): ReadonlyMap<string, Deprecation> {
  return new Map(
    groupVersions.flatMap((home) =>
      home.resources.flatMap(({ kind, plural, deprecated }) => {
        if (deprecated === undefined) return [];
        const name = apiVersionOf(home);
        return [[`${name} ${plural}`, deprecationOf(deprecated || `${name} ${kind} is deprecated`)] as const];
      }),
    ),
  );
}

function deprecated(resource: string, about: Deprecation): Drift {
  return { resource, path: '', kind: 'deprecated', breaking: false, ...about };
}

/**
 * Returns changes of types with the verdict of the drifts that they follow from: whether a field of the
 * cluster breaks the clients in the folder is decided once. A change without such a drift keeps its own.
 */
export function judged(changes: readonly TypeChange[], drifts: readonly Drift[]): readonly TypeChange[] {
  return changes.map((change) => {
    const causes = change.breaking ? drifts.filter((drift) => isCause(drift, change)) : [];
    const isCompatible = causes.length > 0 && !causes.some(({ breaking }) => breaking);
    return isCompatible ? { ...change, breaking: false } : change;
  });
}

/** The path of a change starts at any type on the path of the field: `spec.mode`, or `mode` of the spec. */
function isCause({ resource, path, kind }: Drift, { module, member }: TypeChange): boolean {
  if (kind === 'deprecated' || kind === 'unavailable') return false;
  const [, group = '', version = ''] = /^(?:(.*)\/)?([^/]*) /.exec(resource) ?? [];
  if (module.includes('/') && module !== folder({ group, version })) return false;
  if (path === '' || member === undefined) return true;
  const field = steps(path);
  const changed = steps(member);
  return field.some((_, start) =>
    field.slice(start, start + changed.length).every((step, index) => step === changed[index]),
  );
}

function steps(path: string): readonly string[] {
  return path.replaceAll(/\[\]|\{\}/g, '').split('.');
}
