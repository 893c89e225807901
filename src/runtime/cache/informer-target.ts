/** What an informer is of, and how that is named. */
import type { Form } from '../client/forms.ts';
import type { ResourceIdentity } from '../client/paths.ts';
import { asMetadata, identityOf, isMapped, type ResourceName } from '../dynamic/target.ts';
import type { Scope } from '../resource.ts';
import type { ProtobufCodecs } from '../rest/types.ts';
import { fieldSelectorText } from '../selectors/fields.ts';
import { labelSelectorText } from '../selectors/labels.ts';
import { labelRequirements } from '../selectors/match-labels.ts';
import type { InformerOptions } from './informer.ts';

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
 * The target of an informer.
 * @throws {TypeError} the name is not that of a resource
 */
export function informerTarget(name: ResourceName): InformerTarget {
  const resource = identityOf(name);
  // The types do not tell the scope of what a mapper found: its lister is for both.
  return { resource, lister: isMapped(name) ? 'Namespaced' : (resource.scope ?? 'Namespaced') };
}

/** The metadata of the same. */
export function metadataTarget({ resource, lister }: InformerTarget): InformerTarget {
  return { ...asMetadata({ resource }), lister, form: 'PartialObjectMetadata' };
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
