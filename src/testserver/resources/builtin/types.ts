/** Types of built-in resources, read from a generated file with one line per resource. */
import type { ResourceFacts } from '@kgen/runtime/gen/v1';
import { compareVersions } from '@kgen/schema/definitions/version-order';
import { compare } from '../../store/collection.ts';
import { apiVersionOf, type ResourceType, type ScalePaths, type Subresource } from '../type.ts';
import {
  connectVerbs,
  deprecationOf,
  groupOrder,
  scaleKind,
  storageVersions,
  subresourceKinds,
} from './facts.ts';
import { goStruct, homeOf } from './go-type.ts';
import { resourceLines } from './resources.ts';
import { loadCodecs, SchemaSource } from './schemas.ts';

const scalePaths: ScalePaths = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  labelSelector: ['spec', 'selector'],
};

/** The types of all built-in resources except CustomResourceDefinitions, in the order of discovery. */
export const builtInTypes: readonly ResourceType[] = sortedFacts().map(typeOf);

function sortedFacts(): readonly ResourceFacts[] {
  const order = (fact: ResourceFacts): number => groupOrder.indexOf(fact.group);
  return resourceLines
    .trim()
    .split('\n')
    .map(factsOf)
    .filter((fact) => !isDefinition(fact))
    .toSorted(
      (a, b) => order(a) - order(b) || compareVersions(a.version, b.version) || compare(a.plural, b.plural),
    );
}

/** Members that most resources have with these values, and that their lines leave out. */
type DerivedFacts = Pick<ResourceFacts, 'listKind' | 'singular' | 'scope' | 'verbs'>;

function factsOf(line: string): ResourceFacts {
  // seam: a line of the generated file.
  const facts = JSON.parse(line) as Omit<ResourceFacts, keyof DerivedFacts> & Partial<DerivedFacts>;
  return {
    listKind: `${facts.kind}List`,
    singular: facts.kind.toLowerCase(),
    scope: 'Namespaced',
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    ...facts,
  };
}

/** CustomResourceDefinitions have a schema and rules of their own. */
function isDefinition({ group, plural }: ResourceFacts): boolean {
  return group === 'apiextensions.k8s.io' && plural === 'customresourcedefinitions';
}

function typeOf(fact: ResourceFacts, _index: number, all: readonly ResourceFacts[]): ResourceType {
  const { group, version, kind, plural } = fact;
  const apiVersion = apiVersionOf(group, version);
  const storageApiVersion = storageVersionOf(fact, all);
  const subresources = Object.entries(fact.subresources ?? {});
  const schemas = new SchemaSource(apiVersion, kind);
  return {
    group,
    version,
    apiVersion,
    plural,
    singular: fact.singular,
    kind,
    listKind: fact.listKind,
    shortNames: fact.shortNames ?? [],
    categories: fact.categories ?? [],
    namespaced: fact.scope === 'Namespaced',
    storage: storageOf(group, plural),
    storageApiVersion,
    get schema() {
      return schemas.schema;
    },
    storageSchema: undefined,
    load: () => schemas.load(),
    protobuf: () => loadCodecs(`${apiVersion}/${kind}`),
    goStruct: goStruct(homeOf(group, version), kind),
    status: subresources.some(([name]) => name === 'status'),
    scale: subresources.some(([name]) => name === 'scale') ? scalePaths : undefined,
    subresources: subresources.map(([name, verbs]) => subresourceOf(plural, kind, name, verbs)),
    selectable: fact.selectableFields ?? [],
    deprecation: deprecationOf(apiVersion, kind),
    strategy: group === '' && plural === 'namespaces' ? 'namespace' : 'builtin',
    verbs: fact.verbs.toSorted(),
  };
}

/** Events of both groups are the same objects. */
function storageOf(group: string, plural: string): string {
  if (group === 'events.k8s.io') return 'events';
  return group === '' ? plural : `${plural}.${group}`;
}

function storageVersionOf({ group, plural }: ResourceFacts, all: readonly ResourceFacts[]): string {
  const special = storageVersions[`${plural}.${group}`];
  if (special !== undefined) return special;
  const first = all.find((other) => other.group === group && other.plural === plural);
  return apiVersionOf(group, first?.version ?? 'v1');
}

function subresourceOf(plural: string, kind: string, name: string, verbs: readonly string[]): Subresource {
  const own = subresourceKinds[`${plural}/${name}`];
  return {
    name,
    verbs: (verbs.length === 0 ? (connectVerbs[name] ?? []) : verbs).toSorted(),
    kind: name === 'scale' ? scaleKind : (own ?? { group: '', version: '', kind }),
    connects: verbs.length === 0,
  };
}
