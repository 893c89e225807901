import type { Schema } from '../schema/structural.ts';

/** Paths of the scale subresource, as keys from the root. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly labelSelector?: readonly string[];
}

/** One served version of one kind, the target of a request path. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  /** `group/version`, or the version in the core group. */
  readonly apiVersion: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** `plural.group`: the key under which all versions are stored. */
  readonly storage: string;
  /** The apiVersion of stored objects. */
  readonly storageApiVersion: string;
  /** `undefined` for a kind whose objects are stored unchanged. */
  readonly schema: Schema | undefined;
  /** The schema of the storage version. */
  readonly storageSchema: Schema | undefined;
  readonly status: boolean;
  readonly scale: ScalePaths | undefined;
  /** Field selector names besides metadata.name and metadata.namespace. */
  readonly selectable: readonly string[];
  /** Sent as a warning with every response. */
  readonly deprecation: string | undefined;
  /** Whether versions differ by more than their name, so that a webhook has to convert objects. */
  readonly webhookConversion: boolean;
  readonly strategy: 'custom' | 'definition' | 'namespace';
  readonly verbs: readonly string[];
}

/** Returns the key of an object in the store. */
export function storageKey(type: ResourceType, namespace: string, name: string): string {
  return type.namespaced ? `${namespace}/${name}` : name;
}

/** Returns the prefix of every key of a namespace; empty for all namespaces. */
export function storagePrefix(type: ResourceType, namespace: string): string {
  return type.namespaced && namespace !== '' ? `${namespace}/` : '';
}

/** Returns the names that a field selector may use. */
export function selectableFields(type: ResourceType): readonly string[] {
  return ['metadata.name', ...(type.namespaced ? ['metadata.namespace'] : []), ...type.selectable];
}

/** Returns `group/version`, or the version in the core group. */
export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
