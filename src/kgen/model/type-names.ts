import { capitalise } from '../words.ts';
import type { GroupVersionNames, ResourceNames } from './ir.ts';
import { assignNames, type NameClaim } from './names.ts';
import type { Spot } from './spot.ts';
import { kindTypeName } from './words.ts';

/** What needs names: a kind, its accessor and the places of its object types. */
export interface NamedParts {
  readonly kind: string;
  readonly listKind: string;
  /** Unique among the kinds. */
  readonly accessor: string;
  /** Of the descriptor: unique among the kinds, and settled. */
  readonly constant: string;
  readonly spots: readonly Spot[];
}

/** Names of what belongs to a kind. */
export interface KindTypeNames {
  readonly names: ResourceNames;
  /** By place; every place of an object type has one. */
  readonly nested: ReadonlyMap<Spot, string>;
}

/** Names of everything that the modules of a group version export. */
export interface ExportedNames {
  readonly own: GroupVersionNames;
  /** In the order of the kinds. */
  readonly kinds: readonly KindTypeNames[];
}

/**
 * Names for everything that one group version exports; the order of its kinds does not matter. `accessor` is
 * that of the group version.
 */
export function exportedNames(accessor: string, kinds: readonly NamedParts[]): ExportedNames {
  const claims = kinds.map((parts) => [...kindClaims(parts), ...parts.spots.map(nestedClaim)]);
  const [clients = '', informers = '', ...names] = assignNames([...ownClaims(accessor), ...claims.flat()]);
  let from = 0;
  const named = kinds.map((parts, index) => {
    const own = names.slice(from, from + (claims[index]?.length ?? 0));
    from += own.length;
    return kindNames(parts, own);
  });
  return { own: { clients, informers }, kinds: named };
}

/** In the order of `kindClaims`, then of the places. */
function kindNames({ accessor, spots }: NamedParts, names: readonly string[]): KindTypeNames {
  const [constant = '', type = '', list = '', client = '', lister = '', informer = '', ...more] = names;
  const [event = '', watch = '', ...nested] = more;
  return {
    names: { accessor, constant, type, list, client, lister, informer, event, watch },
    nested: new Map(spots.map((spot, at) => [spot, nested[at] ?? spot.name])),
  };
}

/** What each kind has comes first: it does not depend on other groups, as the accessor may. */
function ownClaims(accessor: string): readonly NameClaim[] {
  const stem = capitalise(accessor);
  return ['Client', 'Informers'].map((role) => ({
    wants: [stem + role, `${stem}GroupVersion${role}`],
    rank: 'helper',
    depth: 1,
    path: ` ${role}`,
  }));
}

function kindClaims({ kind, listKind, accessor, constant }: NamedParts): readonly NameClaim[] {
  const type = kindTypeName(kind);
  const helper = (role: string, ...wants: NameClaim['wants']): NameClaim => {
    return { wants, rank: 'helper', depth: 0, path: `${kind} ${role}` };
  };
  const helperType = (role: string): NameClaim => helper(role, type + role, `${type}Resource${role}`);
  const watch = `watch${capitalise(accessor)}`;
  return [
    { wants: [constant], rank: 'kind', depth: 0, path: `${kind} descriptor` },
    { wants: [type], rank: 'kind', depth: 0, path: kind },
    { wants: [kindTypeName(listKind)], rank: 'list', depth: 0, path: `${kind} ${listKind}` },
    helperType('Client'),
    helperType('Lister'),
    helperType('Informer'),
    helperType('WatchEvent'),
    helper('watch', watch, `${watch}Resource`),
  ];
}

function nestedClaim(spot: Spot): NameClaim {
  return { wants: [spot.name], rank: 'nested', depth: spot.depth, path: spot.path };
}
