/** Comparison of the clients in the output folder with the API of a cluster. */
import { ts } from 'ts-morph';
import { apiVersionOf } from '../common/names.ts';
import { driftsOf, nameOf } from './drifts.ts';
import { outputContract } from './output-contract.ts';
import type { ContractResource, Deprecation, Drift, KnownResource, ServedApi } from './types.ts';

/** Two outputs: that of the folder, and the one that a cluster results in. */
export interface OutputPair {
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
  /** Whether a part of the cluster did not respond, so that its resources are missing. */
  readonly isPartial: boolean;
  /** Returns whether output is generated for a kind. Others are not compared. */
  readonly isSelected: (kind: ContractResource) => boolean;
  /** Deprecations of versions in the cluster by resource: `apps/v1 deployments`. */
  readonly deprecations: ReadonlyMap<string, Deprecation>;
}

/** Returns the selected resources of the folder, and the differences between them and the cluster. */
export function outputDrifts(pair: OutputPair): {
  readonly drifts: readonly Drift[];
  readonly known: readonly ContractResource[];
} {
  const { before, after, isPartial, isSelected, deprecations } = pair;
  const known = outputContract(ts, before).filter(({ resource }) => isSelected(resource));
  const served = outputContract(ts, after).map((one) => {
    const deprecation = deprecations.get(nameOf(one.resource));
    return deprecation === undefined ? one : { ...one, deprecation };
  });
  const api: ServedApi = {
    resources: served,
    unavailable: isPartial ? silent(known, served) : new Map(),
  };
  return {
    drifts: known.flatMap((resource) => driftsOf(resource, api)),
    known: known.map(({ resource }) => resource),
  };
}

/** Returns the group versions without resources, any of which may be the part that did not respond. */
function silent(
  known: readonly KnownResource[],
  served: readonly KnownResource[],
): ReadonlyMap<string, string> {
  const present = new Set(served.map(({ resource }) => apiVersionOf(resource)));
  const missing = known.map(({ resource }) => apiVersionOf(resource)).filter((name) => !present.has(name));
  return new Map(missing.map((name) => [name, 'a part of the cluster does not respond']));
}
