/** Group versions of @kgen/kubernetes by the names that @kubernetes/client-node has for them. */
import { factLines } from './facts.ts';

/** A group version with its kinds and types. */
export interface GroupVersion {
  /** Member of the clientset, such as `coreV1`. */
  readonly accessor: string;
  /** Entry point of its types, such as `core/v1`. */
  readonly entry: string;
  /** Class of client-node, such as `CoreV1Api`. */
  readonly className: string;
  /** Path of the API, such as `/api/v1`. */
  readonly path: string;
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly types: ReadonlySet<string>;
}

/** A kind of a group version. */
export interface Kind {
  readonly kind: string;
  /** Method of the client of the group version, such as `pods`. */
  readonly accessor: string;
  readonly isNamespaced: boolean;
}

/** A type of @kgen/kubernetes. */
export interface TypePlace {
  readonly entry: string;
  readonly name: string;
}

/** A resource in a path of the API. */
export interface ResourcePlace {
  readonly group: GroupVersion;
  readonly kind: Kind;
  /** Namespace of the path; `undefined` for all namespaces and for cluster-scoped kinds. */
  readonly namespace: string | undefined;
}

interface FactLine {
  readonly accessor: string;
  readonly entry: string;
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: string;
}

const groups: readonly GroupVersion[] = factLines
  .trim()
  .split('\n')
  // seam: lines of a module of this package
  .map((line) => groupOf(JSON.parse(line) as FactLine));

function groupOf({ accessor, entry, kinds, types }: FactLine): GroupVersion {
  const [group = '', version = ''] = entry.split('/');
  const words = group.replace(/\.k8s\.io$/, '').split('.');
  const capital = [...words, version].map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const known = Object.entries(kinds).map(([kind, name]) => {
    const isNamespaced = !name.endsWith('/');
    return [kind, { kind, accessor: isNamespaced ? name : name.slice(0, -1), isNamespaced }] as const;
  });
  return {
    accessor,
    entry,
    className: `${capital.join('')}Api`,
    path: group === 'core' ? `/api/${version}` : `/apis/${group}/${version}`,
    kinds: new Map(known),
    types: new Set(types.split(' ')),
  };
}

/** Returns the group version of a class of client-node, such as `AppsV1Api`. */
export function groupOfClass(name: string): GroupVersion | undefined {
  return groups.find(({ className }) => className === name);
}

/** Returns the resource of a path, such as `/api/v1/namespaces/shop/pods`. */
export function resourceOfPath(path: string): ResourcePlace | undefined {
  const group = groups.find((each) => path.startsWith(`${each.path}/`));
  if (group === undefined) return undefined;
  const [first = '', namespace, plural] = path.slice(group.path.length + 1).split('/');
  const named = (name: string) =>
    [...group.kinds.values()].find(({ accessor }) => accessor.toLowerCase() === name);
  const kind = named(plural ?? first);
  if (kind === undefined || (plural !== undefined && first !== 'namespaces')) return undefined;
  return { group, kind, namespace: plural === undefined ? undefined : namespace };
}

/** Returns the type of a model of client-node, such as `V1Pod` or `CoreV1Event`. */
export function typeOfModel(model: string): TypePlace | undefined {
  const parts = /^([A-Z][a-z]+)?(V\d+(?:(?:alpha|beta)\d+)?)([A-Z]\w*)$/.exec(model);
  if (parts === null) return undefined;
  const [, prefix = '', version = '', name = ''] = parts;
  const found = groups.find(
    ({ className, entry, types }) =>
      entry.endsWith(`/${version.toLowerCase()}`) && className.startsWith(prefix) && types.has(name),
  );
  return found === undefined ? undefined : { entry: `@kgen/kubernetes/${found.entry}`, name };
}
