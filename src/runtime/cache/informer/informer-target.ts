/** Targets, keys and names of informers. */

import type { KubernetesObject } from '../../api/meta.ts';
import type { ResourceScope } from '../../api/resource.ts';
import type { ProtobufCodecs } from '../../api/transport.ts';
import type { ResourceIdentity } from '../../client/requests/paths.ts';
import type { Representation } from '../../client/requests/representation.ts';
import { Projection } from '../../codec/projection/projection.ts';
import { asMetadata, identityOf, isMapped, type ResourceName } from '../../dynamic/target.ts';
import { fieldRequirements, matchFields } from '../../selectors/match-fields.ts';
import { labelRequirements, matchLabels } from '../../selectors/match-labels.ts';
import { selectionKey, selectionText } from '../../selectors/selection.ts';
import type { InformerOptions, SelectOptions } from './informer.ts';
import { isFrozen } from './prepare.ts';

const functionIds = new WeakMap<object, number>();
let lastId = 0;

/** Target of an informer. */
export interface InformerTarget {
  readonly resource: ResourceIdentity;
  /** Scope of the lister: it finds an object by namespace and name, or by name only. */
  readonly lister: ResourceScope;
  /** Representation in which objects are kept. Default: whole objects. */
  readonly form?: Extract<Representation, 'PartialObjectMetadata'> | undefined;
  /** Protobuf codecs of that representation. */
  readonly codecs?: ProtobufCodecs;
}

/** Options of an informer with or without a selection. */
export type AnyInformerOptions = InformerOptions & Partial<SelectOptions>;

/**
 * Returns the target of an informer.
 * @throws {TypeError} if the name does not denote a resource
 */
export function informerTarget(name: ResourceName): InformerTarget {
  const resource = identityOf(name);
  // The types of a mapping do not contain the scope: its lister supports both.
  return { resource, lister: isMapped(name) ? 'Namespaced' : (resource.scope ?? 'Namespaced') };
}

/** Returns the target for the metadata of the same resource. */
export function metadataTarget({ resource, lister }: InformerTarget): InformerTarget {
  return { ...asMetadata({ resource }), lister, form: 'PartialObjectMetadata' };
}

/**
 * Checks options that violate the types, or that the types cannot check: an invalid label selector in a
 * string.
 * @throws {TypeError} if an option is invalid
 */
export function checkInformerOptions({ resource }: InformerTarget, options: AnyInformerOptions): void {
  const { transform, labelSelector } = options;
  labelRequirements(labelSelector);
  if (transform === undefined || typeof transform === 'function') return;
  throw new TypeError(`informer for ${resource.plural}: transform is not a function`);
}

/** Fields with the same value in every representation of an object. */
const localFields: readonly string[] = ['metadata.name', 'metadata.namespace'];

/**
 * Returns a function that decides whether the options select an object. Its result is `undefined` if only the
 * server can decide: by other fields, or by shards, which servers may ignore.
 */
export function objectSelector(options: InformerOptions): (object: KubernetesObject) => boolean | undefined {
  const labels = labelRequirements(options.labelSelector);
  const fields = fieldsOf(options);
  const local = fields?.filter(({ field }) => localFields.includes(field)) ?? [];
  const isDecidable = local.length === fields?.length && !options.shardSelector;
  return (object) => {
    if (!matchLabels(object.metadata?.labels, labels) || !matchFields(object, local)) return false;
    return isDecidable ? true : undefined;
  };
}

/** Returns `undefined` for a string that only a server may understand. */
function fieldsOf({ fieldSelector }: InformerOptions): ReturnType<typeof fieldRequirements> | undefined {
  try {
    return fieldRequirements(fieldSelector);
  } catch {
    return undefined;
  }
}

/**
 * Returns the followed namespaces; `undefined` for all.
 * @throws {TypeError} if namespaces are invalid
 */
export function followedNamespaces(
  { resource }: InformerTarget,
  options: InformerOptions,
): readonly string[] | undefined {
  const { namespace, namespaces = namespace === undefined ? undefined : [namespace] } = options;
  if (namespaces === undefined) return undefined;
  const problem = namespacesProblem(resource, options, namespaces);
  if (problem !== undefined) throw new TypeError(`informer for ${resource.plural}: ${problem}`);
  return [...new Set(namespaces)].sort();
}

function namespacesProblem(
  { scope }: ResourceIdentity,
  options: InformerOptions,
  namespaces: readonly string[],
): string | undefined {
  if (scope === 'Cluster') return 'the resource is cluster-scoped: omit the namespace';
  if (options.namespace !== undefined && options.namespaces !== undefined) {
    return 'pass either namespace or namespaces';
  }
  // JavaScript callers may violate the types.
  if (!Array.isArray(namespaces)) return 'namespaces must be an array; use namespace for a single one';
  if (namespaces.length === 0) return 'namespaces is empty: name at least one, or leave it out to follow all';
  return namespaces.includes('') ? 'a namespace is empty: leave it out to follow all' : undefined;
}

/**
 * Returns the name of an informer for messages and metrics:
 * `metadata of deployments.apps in namespace shop with app=web`.
 */
export function informerName(
  { resource, form }: InformerTarget,
  options: InformerOptions,
  namespaces: readonly string[] | undefined,
): string {
  const { group, plural } = resource;
  const selection = selectionText(options);
  return [
    form === undefined ? '' : 'metadata of ',
    group === '' ? plural : `${plural}.${group}`,
    namespaces === undefined
      ? ''
      : ` in namespace${namespaces.length === 1 ? '' : 's'} ${namespaces.join(', ')}`,
    selection === '' ? '' : ` with ${selection}`,
  ].join('');
}

/**
 * Returns a key that is equal for calls that can share one informer; `namespaces` are the followed ones,
 * sorted and without duplicates.
 */
export function informerKey(
  { resource, lister, form }: InformerTarget,
  options: AnyInformerOptions,
  namespaces: readonly string[] | undefined,
): string {
  return JSON.stringify([
    sourceKey({ resource, form }, options),
    lister,
    namespaces ?? [],
    idOf(options.transform),
    isFrozen(options),
    idOf(options.shard),
    options.select === undefined ? '' : Projection.of(options.select).key,
    options.onEveryChange ?? false,
  ]);
}

/** Returns a key that is equal for informers whose requests are equal, except for their namespaces. */
export function sourceKey(
  { resource, form }: Pick<InformerTarget, 'resource' | 'form'>,
  options: InformerOptions,
): string {
  const { group, version, plural, kind } = resource;
  return JSON.stringify([
    [group, version, plural, kind ?? ''],
    form ?? '',
    selectionKey(options),
    options.keepManagedFields ?? false,
  ]);
}

/** Functions are compared by identity. */
function idOf(value: object | undefined): number {
  if (value === undefined) return 0;
  const known = functionIds.get(value);
  if (known !== undefined) return known;
  lastId += 1;
  functionIds.set(value, lastId);
  return lastId;
}
