/** Builds, applies, creates and deletes the objects of manifests. */

export { type Manifest, manifest } from '../manifests/manifest.ts';
export { applyManifests, createManifests, deleteManifests } from '../manifests/manifests.ts';
export { type ObjectKind, orderManifests } from '../manifests/order.ts';
export type {
  ApplyManifestsOptions,
  CreateManifestsOptions,
  DeleteManifestsOptions,
  ManifestAction,
  ManifestFiles,
  ManifestInput,
  ManifestObject,
  ManifestOptions,
  ManifestResult,
  PrunedKind,
  PruneOptions,
  WholeObject,
} from '../manifests/types.ts';
export { isManifestsError, ManifestsError } from '../manifests/types.ts';
