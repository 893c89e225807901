/** Types of scale clients. */
import type { GroupVersionKind } from '../../api/group-version.ts';
import type { Scale } from '../../api/meta.ts';
import type {
  ApplyOptions,
  CustomPatchOptions,
  GetOptions,
  RequestOptions,
  WriteOptions,
} from '../../api/options.ts';
import type { Intent, PatchBody, Stored, WithName, WriteResult } from '../../api/types.ts';
import type { MappedResource, ResourceName } from '../target.ts';

/** A resource by group and plural. Discovery finds a version that has a scale. */
export interface UnversionedResourceName {
  /** `''` is the core group. */
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /**
   * Version of the group, such as `v1`. Default: the version that the server prefers, otherwise another one
   * in which the resource has a scale.
   */
  readonly version?: string | undefined;
}

/** A scalable resource: any resource name, whose version may be omitted. */
export type ScalableResource = UnversionedResourceName | ResourceName;

/** Identifies one object of a resource. */
export interface ObjectName {
  /** Namespace of the object; omitted for cluster-scoped resources. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** A resource from a mapper, with the kinds of its subresources if they are known. */
export interface MappedSubresources extends MappedResource {
  readonly subresources?: ReadonlyMap<string, { readonly kind: GroupVersionKind }>;
}

/** Finds the version of a resource that is named without one; a `RESTMapper` is such a mapper. */
export interface ResourceMapper {
  /** Returns the resource of a group in the preferred version of the server. */
  mappingFor(
    resource: { readonly group: string; readonly resource: string },
    options?: Pick<RequestOptions, 'signal' | 'timeoutMs'>,
  ): Promise<MappedSubresources>;
  /**
   * Returns the resource of a group in all versions, the preferred one first. Called if the preferred version
   * has no scale. Without this method, only the preferred version is used.
   */
  mappingsFor?(
    resource: { readonly group: string; readonly resource: string },
    options?: Pick<RequestOptions, 'signal' | 'timeoutMs'>,
  ): Promise<readonly MappedSubresources[]>;
}

/** Operations on scales. */
export interface ScaleVerbs {
  /** Returns the scale of an object: the desired and the observed number of replicas. */
  get(resource: ScalableResource, object: ObjectName, options?: GetOptions): Promise<Stored<Scale>>;
  /**
   * Sets `spec.replicas` of the object in `metadata`. With `metadata.resourceVersion`, only if the object
   * still has that version.
   */
  update<DryRun extends 'All' | undefined = undefined>(
    resource: ScalableResource,
    scale: WithName<Scale>,
    options?: WriteOptions<DryRun>,
  ): Promise<WriteResult<Scale, DryRun>>;
  /** Patches the scale of an object. Default type: JSON merge patch. */
  patch<Type extends 'merge' | 'json' = 'merge', DryRun extends 'All' | undefined = undefined>(
    resource: ScalableResource,
    object: ObjectName,
    body: PatchBody<Scale>[Type],
    options?: CustomPatchOptions<Type, DryRun>,
  ): Promise<WriteResult<Scale, DryRun>>;
  /** Applies the scale of the object in `metadata` by server-side apply. */
  apply<DryRun extends 'All' | undefined = undefined>(
    resource: ScalableResource,
    intent: Intent<Scale>,
    options?: ApplyOptions<DryRun>,
  ): Promise<WriteResult<Scale, DryRun>>;
}
