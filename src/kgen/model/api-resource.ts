import type { ApiResource, ApiSubresource } from '../openapi/types.ts';
import { type Definitions, isStored, listKindOf } from './definitions.ts';
import { isKubernetesOwn } from './full-names.ts';
import type { NamedGroupVersion } from './group-version-names.ts';
import type { Resource, ResourceNames, Shape, Subresource, SubresourceBody } from './ir.ts';
import { plain } from './schema.ts';
import type { References } from './walker.ts';

/** What a resource is made with. */
export interface ResourceContext {
  readonly named: NamedGroupVersion;
  readonly references: References;
  readonly definitions: Definitions;
  readonly builtInGroups: ReadonlySet<string>;
}

/** A resource that no CRD defines, with the names that its parts have been given. */
export function apiResourceOf(
  resource: ApiResource,
  names: ResourceNames,
  context: ResourceContext,
): Resource {
  const { kind, plural, singular, shortNames, categories, scope, verbs } = resource;
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
    selectableFields: [],
    builtIn: isBuiltIn(resource, context),
    printerColumns: [],
  };
}

/** A resource that takes no patches is as the others of its group; where none does, as its definition says. */
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
  const isSelf = stated.kind === kind.kind && stated.group === kind.group && stated.version === kind.version;
  if (isSelf) return { is: 'self' };
  const isScale = stated.kind === 'Scale' && ['autoscaling', 'extensions'].includes(stated.group);
  return isScale ? { is: 'scale' } : { is: 'object', schema: plain(objectShape(subresource, references)) };
}

function objectShape({ definition }: ApiSubresource, references: References): Shape {
  const known = definition === undefined ? undefined : references.typeOf(definition);
  return known ?? { shape: 'map', values: plain({ shape: 'unknown', reason: 'untyped' }) };
}
