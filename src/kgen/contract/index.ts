/** Comparison of generated clients with the API of a cluster: the pure part of contract tests. */

export { deprecationOf, driftsOf, isSame, nameOf } from './drifts.ts';
export type {
  ContractResource,
  ContractSchema,
  Deprecation,
  Drift,
  DriftKind,
  KnownResource,
  ServedApi,
  ServedResource,
} from './types.ts';
