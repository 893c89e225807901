/** Declarations of conversions between the versions of a custom resource. */

import type { ObjectOf, Resource, ResourceTypes } from '@kgen/runtime/client';

type AnyResource = Resource<ResourceTypes>;

/**
 * Conversion of one version to the hub and back. The functions are pure: they set no defaults, validate
 * nothing and read nothing but their arguments. They return the members that change; the others are copied.
 * apiVersion, kind and metadata besides labels and annotations are those of the argument.
 */
export interface VersionConversion<Hub, Version> {
  readonly toHub: (object: Version) => Partial<Hub>;
  readonly fromHub: (object: Hub) => Partial<Version>;
}

/** A version besides the hub: its descriptor and the functions of its conversion. */
export interface ConvertedVersion<Hub, Version> extends VersionConversion<Hub, Version> {
  readonly resource: Resource<ResourceTypes & { readonly object: Version }>;
}

/** Options of `converts`: `V` contains the object types of the other versions by their names. */
export interface ConvertsOptions<Hub, V> {
  /** The other served versions, by name. */
  readonly versions: { readonly [K in keyof V]: ConvertedVersion<Hub, V[K]> };
  /**
   * Whether fields that a version cannot express are kept in the annotation
   * `kgen.dev/conversion-VERSION` of its objects, and restored on the way back. Default: true.
   */
  readonly keepFields?: boolean | undefined;
}

/** A conversion webhook without the types of its objects. */
export interface ConversionWebhook {
  readonly type: 'converts';
  /** Descriptor of the hub. */
  readonly resource: AnyResource;
  readonly options: {
    readonly versions: Readonly<Record<string, ConvertedVersion<unknown, unknown>>>;
    readonly keepFields?: boolean | undefined;
  };
}

/** Declares how objects are converted between the versions of a resource, by way of the version of `hub`. */
export function converts<R extends AnyResource, V>(
  hub: R,
  options: ConvertsOptions<ObjectOf<R>, V>,
): ConversionWebhook {
  // Each function is called with objects of its own version only.
  return { type: 'converts', resource: hub, options: options as unknown as ConversionWebhook['options'] };
}
