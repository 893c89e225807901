import { apiVersionOf } from '../../common/names.ts';
import { error, type InputProblem, quoteAll } from '../../common/problems.ts';
import type { Definitions } from '../documents/definitions.ts';
import type { GroupVersionKind } from '../types.ts';
import { kindKey } from './kinds.ts';

/** Returns the definition of a kind. `named` is the definition that its operations name. */
export type FindDefinition = (kind: GroupVersionKind, named: string | undefined) => string | undefined;

/**
 * Indexes definitions by their single kind. Definitions of many kinds, such as `DeleteOptions`, are parts of
 * requests and are not indexed. Two definitions of one kind are an error, reported once per kind. Definitions
 * that a server numbers because some of its parts have different copies (`Scale`, `Scale_v2`) count as one,
 * and the first is used.
 */
export function kindIndex({ all, resolve }: Definitions, problems: InputProblem[]): FindDefinition {
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
  problems: InputProblem[],
): string {
  const [first = ''] = names;
  if (names.length === 1 || names.every((name) => unnumbered(name) === first)) return first;
  const chosen = names.find((name) => isOf(name, kind)) ?? first;
  const what = `the definitions ${quoteAll(names)} have the same kind, ${apiVersionOf(kind)} ${kind.kind}: remove one of them, or its x-kubernetes-group-version-kind`;
  problems.push(error(what, all.get(chosen)?.position([])));
  return chosen;
}

/** Returns `a.v1.Scale` for `a.v1.Scale_v2`. */
function unnumbered(name: string): string {
  return name.replace(/_v\d+$/, '');
}

/**
 * Returns whether the name of a definition is a conventional name for a kind:
 * `io.k8s.api.apps.v1.Deployment`, `com.example.v1.Foo`.
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
