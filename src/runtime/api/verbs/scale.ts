/** Methods for the `scale` subresource: the number of replicas of an object. */
import type { Scale } from '../meta.ts';
import type { ApplyOptions, CustomPatchOptions, GetOptions, WriteOptions } from '../options.ts';
import type { Intent, PatchBody, Stored, WithName, WriteResult } from '../types.ts';

/** Methods for the `scale` subresource: the number of replicas of an object. */
export interface WriteScale {
  /** Returns the scale of an object: the desired and the observed number of replicas. */
  getScale(name: string, options?: GetOptions): Promise<Stored<Scale>>;
  /**
   * Sets the number of replicas of the object with the name in `metadata`, and returns the scale. Rejects
   * with `ApiError` (`isConflict`) if its `resourceVersion` is outdated.
   */
  updateScale<DryRun extends 'All' | undefined = undefined>(
    scale: WithName<Scale>,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<Scale, DryRun>>;
  /**
   * Patches the scale of an object, and returns it. The type of `body` depends on `type`. Default: JSON merge
   * patch.
   */
  patchScale<Type extends 'merge' | 'json' = 'merge', DryRun extends 'All' | undefined = undefined>(
    name: string,
    body: PatchBody<Scale>[Type],
    options?: CustomPatchOptions<Type, DryRun>,
  ): Promise<WriteResult<Scale, DryRun>>;
  /** Sets the number of replicas by server-side apply, and returns the scale. */
  applyScale<DryRun extends 'All' | undefined = undefined>(
    intent: Intent<Scale>,
    options?: ApplyOptions<DryRun>,
  ): Promise<WriteResult<Scale, DryRun>>;
}
