/** Types of built-in kinds and shared definitions in the IR. */
import { apiVersionOf, packageOf } from '../../common/names.ts';
import type { ApiParameter, ApiResource } from '../../openapi/types.ts';
import type { GroupVersionName, Property, ResourceNames } from '../ir.ts';
import { kindTypeName } from '../names/casing.ts';
import { isKubernetesOwn, shortNameOf } from '../names/full-names.ts';
import type { NamedGroupVersion, PlannedResource } from '../names/group-version-names.ts';
import { apiFactsOf, noFacts } from '../schema/facts.ts';
import type { TypeDraft } from '../schema/named-types.ts';
import { plain } from '../schema/schema.ts';
import type { References } from '../walk/walker.ts';
import { isStored, listKindOf } from './definitions.ts';
import type { ModelContext } from './group-version.ts';
import { type ObjectShape, type Reading, readDefinition, readKind, readList } from './kind.ts';

/**
 * Returns the types of all definitions of a group version, and of its resources that are not defined by CRDs.
 */
export function apiDrafts(
  named: NamedGroupVersion,
  references: References,
  context: ModelContext,
): readonly TypeDraft[] {
  const reader = new ApiReader(named, references, context);
  return [
    ...named.plan.definitions.map((name) => reader.definition(name)),
    ...named.resources.flatMap((planned) => (planned.from === 'api' ? reader.resource(planned) : [])),
  ];
}

type PlannedApiResource = Extract<PlannedResource, { readonly from: 'api' }> & {
  readonly names: ResourceNames;
};

/** Reads the types of one group version. */
class ApiReader {
  readonly #named: NamedGroupVersion;
  readonly #references: References;
  readonly #context: ModelContext;

  constructor(named: NamedGroupVersion, references: References, context: ModelContext) {
    this.#named = named;
    this.#references = references;
    this.#context = context;
  }

  /** Returns the type of a definition of this group version. */
  definition(path: string): TypeDraft {
    const { definitions } = this.#context;
    const found = definitions.useOf(path);
    const name = this.#named.definitions.get(path) ?? kindTypeName(shortNameOf(path));
    const page = referencePage(path, this.#named.plan, definitions.kubernetesVersion);
    const draft = { name, path, ...(page === undefined ? {} : { reference: page }) };
    const source = this.#source(path, name);
    const reading = this.#reading(path);
    if (found.use === 'kind') {
      const shape = readKind({ ...source, ...found.kind, apiVersion: apiVersionOf(found.kind) }, reading);
      return { ...draft, role: 'kind', shape: this.#withNulls(path, shape) };
    }
    if (found.use !== 'list') {
      const kind = found.use === 'definition' ? found.kind : undefined;
      const identity = kind && { identity: { apiVersion: apiVersionOf(kind), kind: kind.kind } };
      const shape = readDefinition({ ...source, ...identity }, reading);
      return { ...draft, role: 'definition', shape: this.#withNulls(path, shape) };
    }
    const { listKind, stored, itemDefinition } = found.list;
    const itemName = this.#named.definitions.get(itemDefinition) ?? '';
    const shape = readList({ ...source, listKind, itemName, apiVersion: apiVersionOf(found.list) }, reading);
    return { ...draft, role: stored ? 'list' : 'virtual-list', shape };
  }

  /** Returns the types of a resource that are not types of its definitions. */
  resource(planned: PlannedApiResource): readonly TypeDraft[] {
    const { resource, names, ownsKind, ownsList } = planned;
    const drafts: TypeDraft[] = [];
    if (!ownsKind) drafts.push(this.#kind(resource, names));
    if (!ownsList && resource.verbs.includes('list')) drafts.push(this.#list(resource, names));
    for (const subresource of resource.subresources) {
      const own = this.#named.subresources.get(subresource);
      if (own === undefined) continue;
      const path = `${resource.plural}/${subresource.name}`;
      const shape = parametersShape(subresource.parameters);
      drafts.push({ name: own.options, role: 'parameters', path, shape });
    }
    return drafts;
  }

  /** Returns the type of a kind whose definition belongs to another group version or is missing. */
  #kind({ kind, definition, scope, subresources }: ApiResource, names: ResourceNames): TypeDraft {
    const path = definition ?? kind.kind;
    const ownStatus = subresources.some(({ name }) => name === 'status');
    const source = { ...this.#source(path, names.type), kind: kind.kind, scope, ownStatus };
    const shape = readKind({ ...source, apiVersion: apiVersionOf(kind) }, this.#reading(path));
    return { name: names.type, role: 'kind', path, shape };
  }

  #list(resource: ApiResource, names: ResourceNames): TypeDraft {
    const listKind = listKindOf(resource, this.#context.definitions);
    const source = { path: listKind, typeName: names.list, listKind, itemName: names.type };
    const shape = readList({ ...source, apiVersion: apiVersionOf(resource.kind) }, this.#reading(listKind));
    return { name: names.list, role: isStored(resource) ? 'list' : 'virtual-list', path: listKind, shape };
  }

  /** Adds `null` to the members of a definition of Kubernetes for which servers may write it. */
  #withNulls(path: string, shape: ObjectShape): ObjectShape {
    if (!isKubernetesOwn(path)) return shape;
    const { group, version } = this.#named.plan;
    const message = `${group === '' ? 'core' : group}/${version}.${shortNameOf(path)}`;
    const properties = shape.properties.map((property): Property => {
      const { name, optional, schema } = property;
      if (!this.#context.mayBeNull(message, name, !optional)) return property;
      return { ...property, schema: { ...schema, nullable: true } };
    });
    return { ...shape, properties };
  }

  #source(
    path: string,
    typeName: string,
  ): Pick<Parameters<typeof readDefinition>[0], 'path' | 'schema' | 'typeName'> {
    const schema = this.#references.schemaOf(path);
    return schema === undefined ? { path, typeName } : { path, typeName, schema };
  }

  #reading(path: string): Reading {
    const report: Reading['report'] = (finding) => this.#context.reportOfDefinition(path, finding);
    return { report, references: this.#references };
  }
}

function parametersShape(parameters: readonly ApiParameter[]): ObjectShape {
  const properties = parameters.map(({ name, type, list, description }): Property => {
    const facts = description === undefined ? noFacts : apiFactsOf({ description });
    const items = plain({ shape: type });
    const schema = list ? plain({ shape: 'array', items, list: 'atomic', mapKeys: [] }) : items;
    return { name, schema: { ...schema, facts }, required: false, optional: true, defaulted: false };
  });
  return { properties, facts: noFacts, classes: [] };
}

/**
 * Returns the address of a definition in the API reference of a minor version of Kubernetes, or `undefined`
 * if it has no page.
 */
function referencePage(
  name: string,
  { group, version }: GroupVersionName,
  kubernetesVersion: string | undefined,
): string | undefined {
  if (kubernetesVersion === undefined || !/^\d+\.\d+$/.test(kubernetesVersion) || !isKubernetesOwn(name))
    return undefined;
  // Definitions without a version, such as that of the server's own version, have no page.
  if (!packageOf(name).endsWith(`.${version}`)) return undefined;
  const anchor = [shortNameOf(name), version, (group === '' ? 'core' : group).replaceAll('.', '-')].join('-');
  const page = `https://kubernetes.io/docs/reference/generated/kubernetes-api/v${kubernetesVersion}/`;
  return `${page}#${anchor.toLowerCase()}`;
}
