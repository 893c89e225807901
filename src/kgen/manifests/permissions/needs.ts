/** Permissions that a program needs. */
import { formatPlace, type SourcePlace } from '../../common/problems.ts';
import { byText } from '../../common/words.ts';

/**
 * Place of a permission.
 * - `cluster`: all namespaces, or a cluster-scoped resource
 * - `own`: the namespace of the operator, which its configuration contains
 * - `namespace`: a namespace that the program names
 * - `watched`: the namespaces of its caches, which are known at run time only
 */
export type NeedScope =
  | { readonly type: 'cluster' | 'own' | 'watched'; readonly name?: never }
  | { readonly type: 'namespace'; readonly name: string };

/** Permission that a place of a program needs. */
export interface Need {
  /** API group; `''` is the core group. */
  readonly group: string;
  /** Plural of the resource, with its subresource: `deployments/scale`. */
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly scope: NeedScope;
  /** Names of the objects. Empty: all. */
  readonly names: readonly string[];
  readonly place: SourcePlace;
  /** Call or option that needs it, such as `apply of deployments`. */
  readonly reason: string;
}

/** Returns the needs in the order of groups, resources and places, each once. */
export function sortedNeeds(needs: readonly Need[]): readonly Need[] {
  const known = new Map(needs.map((need) => [JSON.stringify(need), need]));
  return [...known.values()].sort(
    (a, b) =>
      byText(a.group, b.group) ||
      byText(a.resource, b.resource) ||
      byText(scopeText(a.scope), scopeText(b.scope)) ||
      byText(a.place.file, b.place.file) ||
      (a.place.line ?? 0) - (b.place.line ?? 0) ||
      (a.place.column ?? 0) - (b.place.column ?? 0) ||
      byText(a.verbs.join(), b.verbs.join()) ||
      byText(a.reason, b.reason),
  );
}

/** Returns a resource as kubectl prints it: `deployments.apps/scale`. */
export function resourceText({ group, resource }: Pick<Need, 'group' | 'resource'>): string {
  const [plural = '', ...subresource] = resource.split('/');
  return [group === '' ? plural : `${plural}.${group}`, ...subresource].join('/');
}

/** Returns the place of a permission in words. */
export function scopeText(scope: NeedScope): string {
  if (scope.type === 'cluster') return 'in the whole cluster';
  if (scope.type === 'own') return 'in the namespace of the operator';
  return scope.type === 'watched' ? 'in the watched namespaces' : `in namespace ${scope.name}`;
}

/** Returns `file:line` of a need. */
export function needPlace({ place: { file, line } }: Pick<Need, 'place'>): string {
  return formatPlace(line === undefined ? { file } : { file, line });
}
