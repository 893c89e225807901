/** Declarations of conversions between the versions of a custom resource. */

import type { ObjectOf, Resource, ResourceTypes } from '@kgen/runtime/client';
import type { PartialObject } from './objects.ts';

type AnyResource = Resource<ResourceTypes>;

/** Prefix of annotations with fields that a version cannot express, before the version that has them. */
export const keptPrefix = 'kgen.dev/conversion-';

/**
 * Conversion of one version to the hub and back. The functions are pure: they set no defaults, validate
 * nothing, read nothing but their arguments and change none of them. They return the members at the top
 * level, such as `spec`, that differ in the other version; `undefined` removes one. All others are copied as
 * they are, so that the API server drops fields of them that the other version does not have.
 * apiVersion, kind and metadata besides labels and annotations are those of the argument.
 */
export interface VersionConversion<Hub, Version> {
  readonly toHub: (object: Version) => PartialObject<Hub>;
  readonly fromHub: (object: Hub) => PartialObject<Version>;
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
   * Whether fields that the functions do not carry to another version are kept in the annotation
   * `kgen.dev/conversion-VERSION` of the converted object, and restored on the way back, unless their place
   * was edited in the other version meanwhile. `VERSION` is the one that has the fields. Default: true.
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

/**
 * Declares how objects are converted between the versions of a resource, by way of the version of `hub`.
 * @throws {TypeError} a version that is not one of the resource of the hub, or whose name is another one
 */
export function converts<R extends AnyResource, V>(
  hub: R,
  options: ConvertsOptions<ObjectOf<R>, V>,
): ConversionWebhook {
  // Each function is called with objects of its own version only.
  const untyped = options as unknown as ConversionWebhook['options'];
  for (const [name, { resource }] of Object.entries(untyped.versions)) {
    const isOther = (['group', 'kind', 'plural'] as const).some((key) => resource[key] !== hub[key]);
    if (isOther || resource.version !== name || name === hub.version)
      throw new TypeError(`${name} must be another version of ${hub.plural}.${hub.group}, and have its name`);
  }
  return { type: 'converts', resource: hub, options: untyped };
}
