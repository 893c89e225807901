/** Names of types: those of kinds take precedence over those of nested objects. */
import { capitalise } from '../../common/words.ts';
import type { GroupVersionNames, ResourceNames } from '../ir.ts';
import type { Spot } from '../schema/schema-path.ts';
import { assignNames, type NameClaim } from './assign-names.ts';
import { kindTypeName } from './casing.ts';

/** A kind and its accessor, for which names are assigned. */
export interface NamedParts {
  readonly kind: string;
  /** Absent if the resource has no list verb. */
  readonly listKind?: string;
  /** Unique among the kinds: the kind itself if it is unique. */
  readonly id: string;
  /** Unique among the kinds. */
  readonly accessor: string;
  /** Final name of the descriptor, unique among the kinds. */
  readonly constant: string;
}

/** Names of all exports of a group version, except nested types. */
export interface ExportedNames {
  readonly own: GroupVersionNames;
  /** In the order of the kinds. */
  readonly kinds: readonly ResourceNames[];
  /** In the order of the other claims. */
  readonly others: readonly string[];
  /** All of them. */
  readonly taken: ReadonlySet<string>;
}

/**
 * Returns the names of the exports of one group version. The order of its kinds and of the other claims does
 * not matter. `accessor` is that of the group version.
 */
export function exportedNames(
  accessor: string,
  kinds: readonly NamedParts[],
  others: readonly NameClaim[] = [],
): ExportedNames {
  const claims = kinds.map(kindClaims);
  const all = assignNames([...ownClaims(accessor), ...others, ...claims.flat()]);
  const [clients = '', informers = '', ...names] = all;
  let from = others.length;
  const named = kinds.map((parts, index) => {
    const own = names.slice(from, from + (claims[index]?.length ?? 0));
    from += own.length;
    return kindNames(parts, own);
  });
  return {
    own: { clients, informers },
    kinds: named,
    others: names.slice(0, others.length),
    taken: new Set(all),
  };
}

/**
 * Returns the names of the object types at these paths, none of which is in `taken`. The order of the paths
 * does not matter.
 */
export function nestedNames(spots: readonly Spot[], taken: ReadonlySet<string>): ReadonlyMap<Spot, string> {
  const names = assignNames(spots.map(nestedClaim), taken);
  return new Map(spots.map((spot, at) => [spot, names[at] ?? spot.name]));
}

/** In the order of `kindClaims`. */
function kindNames({ accessor, listKind }: NamedParts, names: readonly string[]): ResourceNames {
  const [constant = '', type = '', client = '', lister = '', informer = '', ...more] = names;
  const [event = '', field = '', watch = '', list = type] = more;
  return {
    accessor,
    constant,
    type,
    list: listKind === undefined ? type : list,
    client,
    lister,
    informer,
    event,
    field,
    watch,
  };
}

/** Names of kinds come first, because they do not depend on other groups, while the accessor may. */
function ownClaims(accessor: string): readonly NameClaim[] {
  const stem = capitalise(accessor);
  return ['Client', 'Informers'].map((role) => ({
    wants: [stem + role, `${stem}GroupVersion${role}`],
    rank: 'helper',
    depth: 1,
    path: ` ${role}`,
  }));
}

function kindClaims({ kind, id, listKind, accessor, constant }: NamedParts): readonly NameClaim[] {
  const type = kindTypeName(kind);
  const helper = (role: string, ...wants: NameClaim['wants']): NameClaim => {
    return { wants, rank: 'helper', depth: 0, path: `${id} ${role}` };
  };
  const helperType = (role: string): NameClaim => helper(role, type + role, `${type}Resource${role}`);
  const watch = `watch${capitalise(accessor)}`;
  const claims: readonly NameClaim[] = [
    { wants: [constant], rank: 'kind', depth: 0, path: `${id} descriptor` },
    { wants: [type], rank: 'kind', depth: 0, path: id },
    helperType('Client'),
    helperType('Lister'),
    helperType('Informer'),
    helperType('WatchEvent'),
    helperType('SelectableField'),
    helper('watch', watch, `${watch}Resource`),
  ];
  if (listKind === undefined) return claims;
  return [...claims, { wants: [kindTypeName(listKind)], rank: 'list', depth: 0, path: `${id} ${listKind}` }];
}

function nestedClaim(spot: Spot): NameClaim {
  const { name, plural, depth, path } = spot;
  return { wants: plural === undefined ? [name] : [name, plural], rank: 'nested', depth, path };
}
