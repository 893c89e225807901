/** Comparison of the clients in the output folder with the API of a cluster. */
import { ts } from 'ts-morph';
import { apiVersionOf } from '../common/names.ts';
import { driftsOf } from './drifts.ts';
import { outputContract } from './output-contract.ts';
import type { Drift, KnownResource, ServedApi } from './types.ts';

/** Two outputs: that of the folder, and the one that a cluster results in. */
export interface OutputPair {
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
  /** Whether a part of the cluster did not respond, so that its resources are missing. */
  readonly isPartial: boolean;
  /** Returns whether output is generated for a kind. Others are not compared. */
  readonly isSelected: (kind: KnownResource['resource']) => boolean;
}

/** Returns the differences between the clients in the folder and the cluster. */
export function outputDrifts({ before, after, isPartial, isSelected }: OutputPair): readonly Drift[] {
  const known = outputContract(ts, before).filter(({ resource }) => isSelected(resource));
  const served = outputContract(ts, after);
  const api: ServedApi = {
    resources: served,
    unavailable: isPartial ? silent(known, served) : new Map(),
  };
  return known.flatMap((resource) => driftsOf(resource, api));
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
