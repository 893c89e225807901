import type { Schema } from '../schema/structural.ts';

/** Paths of the scale subresource, as keys from the root. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly labelSelector?: readonly string[];
}

/** One served version of one kind of object: what a request path leads to. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  /** `group/version`, or the version alone in the core group. */
  readonly apiVersion: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** `plural.group`: where all versions are stored together. */
  readonly storage: string;
  /** The apiVersion that objects are stored in. */
  readonly storageApiVersion: string;
  /** Undefined for a kind whose objects are kept as they come. */
  readonly schema: Schema | undefined;
  /** The schema of the version that objects are stored in. */
  readonly storageSchema: Schema | undefined;
  readonly status: boolean;
  readonly scale: ScalePaths | undefined;
  /** Field selector names beside metadata.name and metadata.namespace. */
  readonly selectable: readonly string[];
  /** Sent as a warning with every answer. */
  readonly deprecation: string | undefined;
  /** Versions differ by more than their name and a webhook would have to convert. */
  readonly webhookConversion: boolean;
  readonly strategy: 'custom' | 'definition' | 'namespace';
  readonly verbs: readonly string[];
}

/** The key of an object in the store. */
export function storageKey(type: ResourceType, namespace: string, name: string): string {
  return type.namespaced ? `${namespace}/${name}` : name;
}

/** What every key of a namespace starts with; empty for all namespaces. */
export function storagePrefix(type: ResourceType, namespace: string): string {
  return type.namespaced && namespace !== '' ? `${namespace}/` : '';
}

/** Names that a field selector may use. */
export function selectableFields(type: ResourceType): readonly string[] {
  return ['metadata.name', ...(type.namespaced ? ['metadata.namespace'] : []), ...type.selectable];
}

/** `group/version`, or the version alone in the core group. */
export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
