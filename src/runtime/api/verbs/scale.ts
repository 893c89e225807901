/** The `scale` subresource. */
import type { Scale } from '../meta.ts';
import type {
  ApplyOptions,
  CustomPatchOptions,
  GetOptions,
  SubmitApplyOptions,
  SubmitCustomPatchOptions,
  SubmitOptions,
  WriteOptions,
} from '../options.ts';
import type { Intent, Named, PatchBody, Stored } from '../types.ts';

/** The `scale` subresource. */
export interface WriteScale {
  /** Returns the scale of an object. */
  getScale(name: string, options?: GetOptions): Promise<Stored<Scale>>;
  /** Sets `spec.replicas` of the object with the name in `metadata`. */
  updateScale(scale: Named<Scale>, options?: WriteOptions): Promise<Stored<Scale>>;
  /** Validates the update as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  updateScale(scale: Named<Scale>, options: SubmitOptions): Promise<Scale>;
  /** Patches the scale of an object. The type of `body` depends on `type`. */
  patchScale<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<Scale>[Type],
    options?: CustomPatchOptions<Type>,
  ): Promise<Stored<Scale>>;
  /** Validates the patch as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  patchScale<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<Scale>[Type],
    options: SubmitCustomPatchOptions<Type>,
  ): Promise<Scale>;
  /** Applies the scale by server-side apply. */
  applyScale(intent: Intent<Scale>, options: ApplyOptions): Promise<Stored<Scale>>;
  /** Validates the apply as a dry run (`dryRun: 'All'`) and returns the object that would be stored. */
  applyScale(intent: Intent<Scale>, options: SubmitApplyOptions): Promise<Scale>;
}
