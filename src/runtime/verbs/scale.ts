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
  /** Fetches the scale of the object of that name. */
  getScale(name: string, options?: GetOptions): Promise<Stored<Scale>>;
  /** Sets `spec.replicas` of the object that `metadata.name` names. */
  updateScale(scale: Named<Scale>, options?: WriteOptions): Promise<Stored<Scale>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  updateScale(scale: Named<Scale>, options: SubmitOptions): Promise<Scale>;
  /** Changes parts of the scale of the object of that name; the type of `body` follows `type`. */
  patchScale<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<Scale>[Type],
    options?: CustomPatchOptions<Type>,
  ): Promise<Stored<Scale>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  patchScale<Type extends 'merge' | 'json' = 'merge'>(
    name: string,
    body: PatchBody<Scale>[Type],
    options: SubmitCustomPatchOptions<Type>,
  ): Promise<Scale>;
  /** Server-side apply of the scale. */
  applyScale(intent: Intent<Scale>, options: ApplyOptions): Promise<Stored<Scale>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  applyScale(intent: Intent<Scale>, options: SubmitApplyOptions): Promise<Scale>;
}
