/** Resources of built-in kinds in the IR. */
import type { ApiResource, ApiSubresource, GroupVersionKind } from '../../openapi/types.ts';
import type { Resource, ResourceNames, Shape, Subresource, SubresourceBody } from '../ir.ts';
import { isKubernetesOwn } from '../names/full-names.ts';
import type { NamedGroupVersion } from '../names/group-version-names.ts';
import { plain } from '../schema/schema.ts';
import type { References } from '../walk/walker.ts';
import { type Definitions, isStored, listKindOf } from './definitions.ts';
import { builtInSelectableFields } from './selectable-fields.ts';

/** Context in which a resource is built. */
export interface ResourceContext {
  readonly named: NamedGroupVersion;
  readonly references: References;
  readonly definitions: Definitions;
  readonly builtInGroups: ReadonlySet<string>;
}

/** Builds a resource that is not defined by a CRD, with the names of its parts. */
export function apiResourceOf(
  resource: ApiResource,
  names: ResourceNames,
  context: ResourceContext,
): Resource {
  const { kind, plural, singular, shortNames, categories, scope, verbs } = resource;
  const builtIn = isBuiltIn(resource, context);
  return {
    kind: kind.kind,
    listKind: listKindOf(resource, context.definitions),
    plural,
    singular,
    shortNames,
    categories,
    scope,
    verbs,
    stored: isStored(resource),
    subresources: resource.subresources.map((each) => subresourceOf(resource, each, context)),
    names,
    selectableFields: builtIn ? builtInSelectableFields(context.named.plan.group, plural) : [],
    builtIn,
    printerColumns: [],
  };
}

/**
 * A resource without patch is built-in if others of its group are. If none has patch, its definition decides.
 */
function isBuiltIn(resource: ApiResource, { named, builtInGroups }: ResourceContext): boolean {
  if (resource.verbs.includes('patch')) return resource.strategicPatch;
  return builtInGroups.has(named.plan.group) || isKubernetesOwn(resource.definition ?? '');
}

function subresourceOf(
  resource: ApiResource,
  subresource: ApiSubresource,
  context: ResourceContext,
): Subresource {
  const { name, verbs, connect } = subresource;
  return { name, verbs: connect === undefined ? verbs : [], body: bodyOf(resource, subresource, context) };
}

function bodyOf(
  { kind }: ApiResource,
  subresource: ApiSubresource,
  { named, references }: ResourceContext,
): SubresourceBody {
  const { connect, text } = subresource;
  const { options, constant } = named.subresources.get(subresource) ?? { options: '', constant: '' };
  if (connect !== undefined)
    return { is: 'connect', connect: { ...connect, constant, options: { type: options } } };
  if (text) return { is: 'text', options: { type: options } };
  const stated = subresource.kind;
  const { definition, response } = subresource;
  const responded = response === undefined ? {} : { response: plain(objectShape(response, references)) };
  if (isSame(stated, kind)) return { is: 'self', ...responded };
  if (isSame(stated, scale)) return { is: 'scale' };
  return { is: 'object', schema: plain(objectShape(definition, references)), ...responded };
}

/** The runtime has a type for this Scale. The `Scale` of any other group version is a type of its own. */
const scale: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

function isSame(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.group === b.group && a.version === b.version;
}

function objectShape(definition: string | undefined, references: References): Shape {
  const known = definition === undefined ? undefined : references.typeOf(definition);
  return known ?? { shape: 'map', values: plain({ shape: 'unknown', reason: 'untyped' }) };
}
