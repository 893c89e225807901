import type { ApiResource, ApiSubresource, GroupVersionKind } from '../openapi/types.ts';
import { type Definitions, isStored, listKindOf } from './definitions.ts';
import { isKubernetesOwn } from './full-names.ts';
import type { NamedGroupVersion } from './group-version-names.ts';
import type { Resource, ResourceNames, Shape, Subresource, SubresourceBody } from './ir.ts';
import { plain } from './schema.ts';
import { builtInSelectableFields } from './selectable-fields.ts';
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
  const { definition, answer } = subresource;
  const answered = answer === undefined ? {} : { answer: plain(objectShape(answer, references)) };
  if (isSame(stated, kind)) return { is: 'self', ...answered };
  if (isSame(stated, scale)) return { is: 'scale' };
  return { is: 'object', schema: plain(objectShape(definition, references)), ...answered };
}

/** The one that the runtime has; the `Scale` of any other group version is an object of its own. */
const scale: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

function isSame(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.group === b.group && a.version === b.version;
}

function objectShape(definition: string | undefined, references: References): Shape {
  const known = definition === undefined ? undefined : references.typeOf(definition);
  return known ?? { shape: 'map', values: plain({ shape: 'unknown', reason: 'untyped' }) };
}
