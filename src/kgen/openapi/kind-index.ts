import { apiVersionOf } from '../names.ts';
import { error, type Problem, quoteAll } from '../problems.ts';
import type { Definitions } from './definitions.ts';
import { kindKey } from './kinds.ts';
import type { GroupVersionKind } from './types.ts';

/** Finds the definition of a kind; `named` is what its operations name. */
export type FindDefinition = (kind: GroupVersionKind, named: string | undefined) => string | undefined;

/**
 * Looks definitions up by the one kind that they say they are. Definitions of many kinds, such as `DeleteOptions`, are
 * parts of requests and no kinds. Two that claim a kind are an error, once for each kind; those that a server tells
 * apart by numbers because parts of it have different copies (`Scale`, `Scale_v2`) are one, and the first is taken.
 */
export function kindIndex({ all, resolve }: Definitions, problems: Problem[]): FindDefinition {
  const claims = new Map<string, string[]>();
  for (const { name, kinds } of all.values()) {
    const [kind, ...others] = kinds;
    if (kind === undefined || others.length > 0) continue;
    const known = claims.get(kindKey(kind));
    if (known === undefined) claims.set(kindKey(kind), [name]);
    else known.push(name);
  }
  const settled = new Map<string, string>();
  return (kind, named) => {
    const key = kindKey(kind);
    const names = claims.get(key) ?? [];
    if (names.length === 0) return named === undefined ? undefined : resolve(named);
    const found = settled.get(key) ?? settle(kind, names, all, problems);
    settled.set(key, found);
    return found;
  };
}

function settle(
  kind: GroupVersionKind,
  names: readonly string[],
  all: Definitions['all'],
  problems: Problem[],
): string {
  const [first = ''] = names;
  if (names.length === 1 || names.every((name) => unnumbered(name) === first)) return first;
  const chosen = names.find((name) => isOf(name, kind)) ?? first;
  const what = `the definitions ${quoteAll(names)} claim to be one kind, ${apiVersionOf(kind)} ${kind.kind}: remove one of them, or its x-kubernetes-group-version-kind`;
  problems.push(error(what, all.get(chosen)?.position([])));
  return chosen;
}

/** Such as `a.v1.Scale` of `a.v1.Scale_v2`. */
function unnumbered(name: string): string {
  return name.replace(/_v\d+$/, '');
}

/**
 * Whether a definition's name is one that servers give to a kind: `io.k8s.api.apps.v1.Deployment`,
 * `com.example.v1.Foo`.
 */
function isOf(name: string, { group, version, kind }: GroupVersionKind): boolean {
  const end = `.${version}.${kind}`;
  if (!name.endsWith(end)) return false;
  const prefix = name.slice(0, -end.length);
  const [stem = ''] = group.split('.');
  return (
    prefix === group.split('.').reverse().join('.') ||
    prefix.split('.').at(-1) === (stem === '' ? 'core' : stem)
  );
}
