/**
 * Properties of resources as listed by discovery, by kubectl, and by the descriptors of a generated output.
 */
import { execFileSync } from 'node:child_process';
import type { RESTClient } from '@kgen/runtime';
import type { ConnectFacts, ResourceFacts } from '@kgen/runtime/client';
import type { Modules } from './calls.ts';
import { itemsOf, type Json, membersOf, textOf } from './operations.ts';
import { groupVersionPaths, jsonOf } from './server-documents.ts';

/** Properties of a resource that kubectl prints. */
export interface KubectlResource {
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Sorted. */
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** Properties of a resource in discovery that descriptors also contain. */
export interface DiscoveredResource extends KubectlResource {
  readonly singular: string;
  /** Verbs by name, both sorted. */
  readonly subresources: Readonly<Record<string, readonly string[]>>;
}

function keyOf({ apiVersion, plural }: KubectlResource): string {
  return `${apiVersion} ${plural}`;
}

/** Sorts resources by name, to compare them as a whole. */
export function inOrder<T extends KubectlResource>(facts: readonly T[]): readonly T[] {
  return [...facts].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...texts].sort();
}

/** Reads the resource lists of each group version, the oldest form of discovery. */
export async function discovered(rest: RESTClient): Promise<readonly DiscoveredResource[]> {
  const paths = await groupVersionPaths(rest);
  const lists = await Promise.all(paths.map((path) => jsonOf(rest, path)));
  return inOrder(lists.flatMap(factsIn));
}

function factsIn(list: Json): readonly DiscoveredResource[] {
  const apiVersion = textOf(membersOf(list)['groupVersion']);
  const entries = itemsOf(membersOf(list)['resources']).map(membersOf);
  const texts = (value: Json | undefined): readonly string[] => itemsOf(value).map(textOf);
  return entries
    .filter(({ name }) => !textOf(name).includes('/'))
    .map((entry) => {
      const plural = textOf(entry['name']);
      const below = entries.filter(({ name }) => textOf(name).startsWith(`${plural}/`));
      return {
        apiVersion,
        plural,
        kind: textOf(entry['kind']),
        namespaced: entry['namespaced'] === true,
        verbs: sorted(texts(entry['verbs'])),
        shortNames: texts(entry['shortNames']),
        categories: texts(entry['categories']),
        singular: textOf(entry['singularName']),
        subresources: Object.fromEntries(
          below
            .map(({ name, verbs }): [string, readonly string[]] => [
              textOf(name).slice(plural.length + 1),
              sorted(texts(verbs)),
            ])
            .sort(),
        ),
      };
    });
}

/**
 * Returns the resources that `kubectl api-resources` prints: those in the preferred version of their group.
 */
export function printedByKubectl(
  kubectl: string,
  kubeconfig: string,
  cacheFolder: string,
): readonly KubectlResource[] {
  const args = ['api-resources', '-o', 'wide', '--kubeconfig', kubeconfig, '--cache-dir', cacheFolder];
  const [header = '', ...lines] = execFileSync(kubectl, args, { encoding: 'utf8' }).trimEnd().split('\n');
  const names = header.trim().split(/\s+/);
  const starts = names.map((name) => header.indexOf(name));
  return inOrder(
    lines.map((line) => {
      const cells = starts.map((start, index) => line.slice(start, starts[index + 1]).trim());
      const cell = (name: string): string => cells[names.indexOf(name)] ?? '';
      const list = (name: string): readonly string[] =>
        cell(name)
          .split(',')
          .filter((text) => text !== '');
      return {
        apiVersion: cell('APIVERSION'),
        plural: cell('NAME'),
        kind: cell('KIND'),
        namespaced: cell('NAMESPACED') === 'true',
        verbs: sorted(list('VERBS')),
        shortNames: list('SHORTNAMES'),
        categories: list('CATEGORIES'),
      };
    }),
  );
}

/** Returns the exports of all group versions of an output. */
async function exportsOf(modules: Modules, paths: Iterable<string>): Promise<readonly unknown[]> {
  const folders = [...paths].flatMap((path) => /^([^/]+\/[^/]+)\/index\.ts$/.exec(path)?.[1] ?? []);
  const found = await Promise.all(folders.map(modules));
  return found.flatMap((module) => Object.values(module));
}

function isResource(value: unknown): value is ResourceFacts {
  return typeof value === 'object' && value !== null && 'plural' in value && 'verbs' in value;
}

function isConnection(value: unknown): value is ConnectFacts {
  return typeof value === 'object' && value !== null && 'subresource' in value && 'methods' in value;
}

/** Returns the resources in the descriptors of an output whose files are at `paths`. */
export async function generated(
  modules: Modules,
  paths: Iterable<string>,
): Promise<readonly DiscoveredResource[]> {
  const exported = await exportsOf(modules, paths);
  const connections = exported.filter(isConnection);
  return inOrder(exported.filter(isResource).map((resource) => stated(resource, connections)));
}

function stated(resource: ResourceFacts, connections: readonly ConnectFacts[]): DiscoveredResource {
  const { group, version, plural, kind, scope, verbs, shortNames = [], categories = [], singular } = resource;
  const below = Object.entries(resource.subresources ?? {}).map(
    ([name, own]): [string, readonly string[]] => {
      const connection = connections.find(
        (one) =>
          one.group === group && one.version === version && one.plural === plural && one.subresource === name,
      );
      return [name, sorted(connection === undefined ? own : connection.methods.flatMap(verbOf))];
    },
  );
  return {
    apiVersion: group === '' ? version : `${group}/${version}`,
    plural,
    kind,
    namespaced: scope === 'Namespaced',
    verbs: sorted(verbs),
    shortNames,
    categories,
    singular,
    subresources: Object.fromEntries(below.sort()),
  };
}

/** Returns the verb of an HTTP method; discovery has no verbs for HEAD and OPTIONS. */
function verbOf(method: string): readonly string[] {
  const verbs: Readonly<Record<string, string>> = {
    GET: 'get',
    POST: 'create',
    PUT: 'update',
    PATCH: 'patch',
    DELETE: 'delete',
  };
  return Object.hasOwn(verbs, method) ? [verbs[method] ?? ''] : [];
}
