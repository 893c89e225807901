/** Description of a served type: version, scope, storage and subresources. */
import type { LoadProtobuf } from '@kgen/runtime/protobuf';
import type { Schema } from '@kgen/schema/validation/structural';
import type { ConvertObject } from '../webhooks/conversion.ts';
import type { BodyKind } from './builtin/facts.ts';
import type { GoStruct } from './builtin/go-type.ts';

/** Paths of the scale subresource, as keys from the root. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly labelSelector?: readonly string[];
}

/** A subresource of a built-in kind. */
export interface Subresource {
  readonly name: string;
  /** Sorted. */
  readonly verbs: readonly string[];
  readonly kind: BodyKind;
  /** Whether it is a stream or a proxy. */
  readonly connects: boolean;
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
  /** Schemas of all versions by apiVersion, if the stored objects may have several versions. */
  readonly schemas?: ReadonlyMap<string, Schema>;
  /** Converts objects between versions. Absent if versions differ by their name only. */
  readonly convert?: ConvertObject;
  readonly strategy: 'custom' | 'definition' | 'namespace' | 'builtin';
  /** The Go type of a built-in kind, which determines how its JSON is read and written. */
  readonly goStruct?: GoStruct | undefined;
  /** Subresources of a built-in kind, including `status` and `scale`. */
  readonly subresources?: readonly Subresource[];
  /** Loads `schema`. Returns `undefined` if it is loaded. */
  readonly load?: () => Promise<void> | undefined;
  readonly verbs: readonly string[];
  /** Loads the protobuf codecs of a built-in kind. */
  readonly protobuf?: LoadProtobuf | undefined;
}

/** Returns the key of an object in the store. */
export function storageKey(type: ResourceType, namespace: string, name: string): string {
  return type.namespaced ? `${namespace}/${name}` : name;
}

/** Returns the prefix of every key of a namespace; empty for all namespaces. */
export function storagePrefix(type: ResourceType, namespace: string): string {
  return type.namespaced && namespace !== '' ? `${namespace}/` : '';
}

/** Returns the group of a kind in errors of validation: that of its stored form. */
export function validationGroup(type: ResourceType): string {
  return type.storage === 'events' ? '' : type.group;
}

/** Returns `group/version`, or the version in the core group. */
export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
