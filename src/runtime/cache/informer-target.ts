/** What an informer is of, and how that is named. */
import type { Form } from '../client/forms.ts';
import type { ResourceIdentity } from '../client/paths.ts';
import { asMetadata, identityOf, type MappedResource } from '../dynamic/target.ts';
import type { GroupVersionResource } from '../group-version.ts';
import type { ResourceFacts, Scope } from '../resource.ts';
import type { ProtobufCodecs } from '../rest/types.ts';
import { fieldSelectorText } from '../selectors/fields.ts';
import { labelSelectorText } from '../selectors/labels.ts';
import { labelRequirements } from '../selectors/match-labels.ts';
import type { InformerOptions } from './informer.ts';

/** A resource that is named at run time, and whose objects live in namespaces as far as is known. */
export interface NamespacedResourceName extends GroupVersionResource {
  /**
   * What objects are that do not say it. Default: what the server says. With it, the informer is the one that generated
   * code has for the resource.
   */
  readonly kind?: string | undefined;
  readonly scope?: 'Namespaced' | undefined;
}

/** A resource that is named at run time, and whose objects belong to the whole cluster. */
export interface ClusterResourceName extends GroupVersionResource {
  /** What objects are that do not say it. Default: what the server says. */
  readonly kind?: string | undefined;
  readonly scope: 'Cluster';
}

/** What names a resource for an informer. */
export type InformerResource = ResourceFacts | NamespacedResourceName | ClusterResourceName | MappedResource;

/** What an informer keeps. */
export interface InformerTarget {
  readonly resource: ResourceIdentity;
  /** By what its lister finds an object: its namespace and name, or its name alone. */
  readonly lister: Scope;
  /** In which form objects are kept. Default: whole. */
  readonly form?: Extract<Form, 'PartialObjectMetadata'> | undefined;
  /** What reads that form in protobuf. */
  readonly codecs?: ProtobufCodecs;
}

/**
 * What an informer of a resource is of.
 * @throws {TypeError} no resource is named
 */
export function informerTarget(name: InformerResource): InformerTarget {
  if (isStated(name)) {
    const { group, version, resource: plural, kind, scope } = name;
    const identity = identityOf({ group, version, resource: plural });
    const stated = { ...(kind !== undefined && { kind }), ...(scope !== undefined && { scope }) };
    return { resource: { ...identity, ...stated }, lister: scope ?? 'Namespaced' };
  }
  // The types do not tell the scope of what a mapper found: its lister is for both.
  return { resource: identityOf(name), lister: 'plural' in name ? name.scope : 'Namespaced' };
}

/** The metadata of the same. */
export function metadataTarget({ resource, lister }: InformerTarget): InformerTarget {
  return { ...asMetadata({ resource }), lister, form: 'PartialObjectMetadata' };
}

function isStated(name: InformerResource): name is NamespacedResourceName | ClusterResourceName {
  if (typeof name !== 'object' || name === null || 'plural' in name) return false;
  return typeof name.resource !== 'object';
}

/**
 * What JavaScript may give, and what the types let pass: a text that is no label selector.
 * @throws {TypeError}
 */
export function checkInformerOptions({ resource }: InformerTarget, options: InformerOptions): void {
  const { transform, labelSelector } = options;
  labelRequirements(labelSelector);
  if (transform === undefined || typeof transform === 'function') return;
  throw new TypeError(`informer for ${resource.plural}: transform is no function`);
}

/**
 * The namespaces to follow; `undefined` for all.
 * @throws {TypeError} for namespaces that cannot be
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
  if (scope === 'Cluster') return 'objects of this kind live in no namespace: leave the namespace out';
  if (options.namespace !== undefined && options.namespaces !== undefined) {
    return 'give either namespace or namespaces';
  }
  // As JavaScript may give them.
  if (!Array.isArray(namespaces)) return 'namespaces is a list; for one there is namespace';
  if (namespaces.length === 0) return 'namespaces is empty: name at least one, or leave it out to follow all';
  return namespaces.includes('') ? 'a namespace is empty: leave it out to follow all' : undefined;
}

/** Names an informer in messages and metrics: `metadata of deployments.apps in shop with app=web`. */
export function informerName(
  { resource, form }: InformerTarget,
  options: InformerOptions,
  namespaces: readonly string[] | undefined,
): string {
  const { group, plural } = resource;
  const selectors = [
    labelSelectorText(options.labelSelector),
    fieldSelectorText(options.fieldSelector),
  ].filter(Boolean);
  return [
    form === undefined ? '' : 'metadata of ',
    group === '' ? plural : `${plural}.${group}`,
    namespaces === undefined ? '' : ` in ${namespaces.join(', ')}`,
    selectors.length === 0 ? '' : ` with ${selectors.join(' and ')}`,
  ].join('');
}
