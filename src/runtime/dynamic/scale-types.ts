/** What can be asked of the scales of any resource. */
import type { GroupVersionKind } from '../group-version.ts';
import type { Scale } from '../meta.ts';
import type {
  ApplyOptions,
  CustomPatchOptions,
  GetOptions,
  RequestOptions,
  SubmitApplyOptions,
  SubmitCustomPatchOptions,
  SubmitOptions,
  WriteOptions,
} from '../options.ts';
import type { Intent, Named, PatchBody, Stored } from '../types.ts';
import type { MappedResource, ResourceName } from './target.ts';

/** A resource named by its group and plural; the server is asked for a version that has a scale. */
export interface UnversionedResourceName {
  /** `''` is the core group. */
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** Default: the version that the server prefers, or else another one that has a scale. */
  readonly version?: string | undefined;
}

/** A resource that can be scaled: any resource name, whose version may be left out. */
export type ScalableResource = UnversionedResourceName | ResourceName;

/** One object of a resource. */
export interface ObjectName {
  /** Left out for resources that are not in namespaces. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** What was found of a resource: also the kinds of its subresources, if that is known. */
export interface MappedSubresources extends MappedResource {
  readonly subresources?: ReadonlyMap<string, { readonly kind: GroupVersionKind }>;
}

/** Finds the version of a resource: what a `RESTMapper` does. */
export interface ResourceMapper {
  /** The resource of a group, in the version that the server prefers. */
  mappingFor(
    resource: { readonly group: string; readonly resource: string },
    options?: Pick<RequestOptions, 'signal' | 'timeoutMs'>,
  ): Promise<MappedSubresources>;
  /**
   * The same in all versions, the preferred one first. Asked where the preferred version has no scale; without it no
   * other version is looked at.
   */
  mappingsFor?(
    resource: { readonly group: string; readonly resource: string },
    options?: Pick<RequestOptions, 'signal' | 'timeoutMs'>,
  ): Promise<readonly MappedSubresources[]>;
}

/** What can be asked of scales. */
export interface ScaleVerbs {
  /** Fetches the scale of an object. */
  get(resource: ScalableResource, object: ObjectName, options?: GetOptions): Promise<Stored<Scale>>;
  /**
   * Sets `spec.replicas` of the object that `metadata` names. With `metadata.resourceVersion` only while it is still at
   * that version.
   */
  update(resource: ScalableResource, scale: Named<Scale>, options?: WriteOptions): Promise<Stored<Scale>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  update(resource: ScalableResource, scale: Named<Scale>, options: SubmitOptions): Promise<Scale>;
  /** Changes parts of the scale of an object: by JSON merge patch unless `type` says otherwise. */
  patch<Type extends 'merge' | 'json' = 'merge'>(
    resource: ScalableResource,
    object: ObjectName,
    body: PatchBody<Scale>[Type],
    options?: CustomPatchOptions<Type>,
  ): Promise<Stored<Scale>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  patch<Type extends 'merge' | 'json' = 'merge'>(
    resource: ScalableResource,
    object: ObjectName,
    body: PatchBody<Scale>[Type],
    options: SubmitCustomPatchOptions<Type>,
  ): Promise<Scale>;
  /** Server-side apply of the scale of the object that `metadata` names. */
  apply(resource: ScalableResource, intent: Intent<Scale>, options: ApplyOptions): Promise<Stored<Scale>>;
  /** With `dryRun: 'All'` the server does everything but store the result; gives what it would have stored. */
  apply(resource: ScalableResource, intent: Intent<Scale>, options: SubmitApplyOptions): Promise<Scale>;
}
