/** The `scale` subresource. */
import type { Scale } from '../meta.ts';
import type { ApplyOptions, CustomPatchOptions, DryRun, GetOptions, WriteOptions } from '../options.ts';
import type { Intent, Named, PatchBody, Stored } from '../types.ts';

/** The `scale` subresource. */
export interface WriteScale {
  /** Fetches the scale of the object of that name. */
  getScale(name: string, options?: GetOptions): Promise<Stored<Scale>>;
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  updateScale(scale: Named<Scale>, options: WriteOptions & DryRun): Promise<Scale>;
  /** Sets `spec.replicas` of the object that `metadata.name` names. */
  updateScale(scale: Named<Scale>, options?: WriteOptions): Promise<Stored<Scale>>;
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  patchScale<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<Scale>[Type],
    options: CustomPatchOptions<Type> & DryRun,
  ): Promise<Scale>;
  /** Changes parts of the scale of the object of that name; the type of `body` follows `type`. */
  patchScale<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<Scale>[Type],
    options?: CustomPatchOptions<Type>,
  ): Promise<Stored<Scale>>;
  /** Asks the server to do everything but store the result, and gives what it would have stored. */
  applyScale(intent: Intent<Scale>, options: ApplyOptions & DryRun): Promise<Scale>;
  /** Server-side apply of the scale. */
  applyScale(intent: Intent<Scale>, options: ApplyOptions): Promise<Stored<Scale>>;
}
