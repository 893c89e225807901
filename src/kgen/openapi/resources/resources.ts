/** Resources of discovery, completed by the data of their paths. */
import { byText } from '../../common/words.ts';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isList, isObject } from '../../input/json.ts';
import { apiVerbs } from '../discovery/discovery-names.ts';
import { resolved } from '../documents/refs.ts';
import type {
  ApiConnect,
  ApiParameter,
  ApiResource,
  ApiSubresource,
  ApiVerb,
  DiscoveredResource,
  DiscoveredSubresource,
  GroupVersionKind,
} from '../types.ts';
import type { FindDefinition } from './kind-index.ts';
import type { Operation } from './operations.ts';
import {
  bodiesOf,
  isText,
  type PathGroupVersion,
  type PathResource,
  type PathSubresource,
  verbOf,
} from './served.ts';

/** Parameters that every request accepts. */
const everywhere: ReadonlySet<string> = new Set(['pretty']);

/** Parameters that servers accept repeatedly although their documents declare a single value. */
const repeated: ReadonlySet<string> = new Set(['exec command', 'attach command', 'portforward ports']);

/** Lookup of definitions, by kind and by name. */
export interface Lookup {
  readonly find: FindDefinition;
  readonly resolve: (name: string) => string | undefined;
}

/**
 * Returns the resources of paths in the form of discovery. Resources whose kind is not named by any operation
 * are dropped.
 */
export function asDiscovered({ resources }: PathGroupVersion): readonly DiscoveredResource[] {
  return [...resources.values()].flatMap((resource) => {
    const { plural, kind, namespaced, verbs } = resource;
    if (kind === undefined) return [];
    const subresources = [...resource.subresources.values()].flatMap(asDiscoveredSubresource);
    return [
      {
        plural,
        singular: kind.kind.toLowerCase(),
        kind,
        scope: namespaced ? 'Namespaced' : 'Cluster',
        verbs: [...verbs],
        shortNames: [],
        categories: [],
        subresources,
      } as const,
    ];
  });
}

function asDiscoveredSubresource({ name, operations }: PathSubresource): readonly DiscoveredSubresource[] {
  const kind = kindOf(operations);
  const verbs = operations.map(({ action }) => verbOf(action)).filter((verb) => verb !== undefined);
  return kind === undefined ? [] : [{ name, kind, verbs: [...new Set(verbs)] }];
}

function kindOf(operations: PathSubresource['operations']): GroupVersionKind | undefined {
  return operations.find(({ kind }) => kind !== undefined)?.kind;
}

/** Combines a resource of discovery with the data of its paths. */
export function resourceOf(
  discovered: DiscoveredResource,
  paths: PathResource | undefined,
  lookup: Lookup,
): ApiResource {
  const { plural, singular, kind, scope, shortNames, categories } = discovered;
  const definition = lookup.find(kind, paths?.definition);
  const verbs = sorted(discovered.verbs);
  const list = paths?.listDefinition === undefined ? undefined : lookup.resolve(paths.listDefinition);
  const subresources = discovered.subresources.map((one) =>
    subresourceOf(one, paths?.subresources.get(one.name), lookup),
  );
  return {
    plural,
    singular,
    kind,
    scope,
    verbs,
    shortNames,
    categories,
    ...(definition === undefined ? {} : { definition }),
    ...(list === undefined || !verbs.includes('list') ? {} : { listDefinition: list }),
    strategicPatch: paths?.patch === 'strategic',
    subresources: subresources.sort((a, b) => byText(a.name, b.name)),
  };
}

function subresourceOf(
  { name, kind, verbs }: DiscoveredSubresource,
  paths: PathSubresource | undefined,
  lookup: Lookup,
): ApiSubresource {
  const operations = paths?.operations ?? [];
  const connect = connectOf(operations);
  if (connect !== undefined) {
    return { name, kind, verbs: [], text: false, connect, parameters: parametersOf(operations) };
  }
  const own = { name, kind, verbs: sorted(verbs) };
  if (isText(operations)) return { ...own, text: true, parameters: parametersOf(operations) };
  return { ...own, ...bodyDefinitions(kind, operations, lookup), text: false, parameters: [] };
}

function bodyDefinitions(
  kind: GroupVersionKind,
  operations: PathSubresource['operations'],
  { find, resolve }: Lookup,
): Pick<ApiSubresource, 'definition' | 'response'> {
  const { sent = '', responded = '' } = bodiesOf(operations);
  const response = resolve(responded);
  const definition = resolve(sent) ?? response ?? find(kind, undefined);
  if (definition === undefined) return {};
  return response === undefined || response === definition ? { definition } : { definition, response };
}

function connectOf(operations: PathSubresource['operations']): ApiConnect | undefined {
  const connections = operations.filter(({ action }) => action === 'connect');
  if (connections.length === 0) return undefined;
  const methods = [...new Set(connections.map(({ method }) => method))].sort(byText);
  return { methods, path: connections.some(({ path }) => path.open) };
}

function sorted(verbs: readonly ApiVerb[]): readonly ApiVerb[] {
  return apiVerbs.filter((verb) => verbs.includes(verb));
}

/**
 * Returns the query parameters of an operation and of its path item, sorted by name. Parameters of the
 * operation take precedence. Excludes parameters of every request, and `path` if it is part of the path.
 */
function parametersOf(operations: readonly Operation[]): readonly ApiParameter[] {
  const found = new Map<string, ApiParameter>();
  const hasPath = operations.some(({ path }) => path.open);
  for (const operation of operations) {
    for (const parameter of queryOf(operation)) {
      if (!found.has(parameter.name) && !(hasPath && parameter.name === 'path'))
        found.set(parameter.name, parameter);
    }
  }
  return [...found.values()].sort((a, b) => byText(a.name, b.name));
}

function queryOf({ value, item, document, path }: Operation): readonly ApiParameter[] {
  const all = [value['parameters'], item['parameters']].flatMap((list) => (isList(list) ? list : []));
  return all.flatMap((entry) => {
    const node = resolved(document.value, entry);
    return isObject(node) && node['in'] === 'query' ? (parameterOf(node, path.subresource) ?? []) : [];
  });
}

function parameterOf(node: JsonObject, subresource = ''): ApiParameter | undefined {
  const { name, description } = node;
  if (typeof name !== 'string' || everywhere.has(name)) return undefined;
  const schema = isObject(node['schema']) ? node['schema'] : node;
  const isList = schema['type'] === 'array';
  const value = isList && isObject(schema['items']) ? schema['items'] : schema;
  const found = {
    name,
    type: typeOf(value['type']),
    list: isList || repeated.has(`${subresource} ${name}`),
  };
  return typeof description === 'string' ? { ...found, description } : found;
}

function typeOf(type: JsonValue | undefined): ApiParameter['type'] {
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string';
}
