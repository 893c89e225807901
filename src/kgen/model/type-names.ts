import type { ResourceNames } from './ir.ts';
import { assignNames, type NameClaim } from './names.ts';
import type { Spot } from './spot.ts';
import { kindTypeName } from './words.ts';

/** What needs names: a kind and the places of its object types. */
export interface NamedParts {
  readonly kind: string;
  readonly listKind: string;
  readonly spots: readonly Spot[];
}

/** Names of the types that belong to a kind. */
export interface KindTypeNames {
  readonly names: Omit<ResourceNames, 'accessor' | 'constant'>;
  /** By place; every place of an object type has one. */
  readonly nested: ReadonlyMap<Spot, string>;
}

/** Names for all types of one group version, in the order of its kinds, whose order does not matter. */
export function typeNamesOf(kinds: readonly NamedParts[]): readonly KindTypeNames[] {
  const claims = kinds.map((parts) => [...ownClaims(parts), ...parts.spots.map(nestedClaim)]);
  const names = assignNames(claims.flat());
  let from = 0;
  return kinds.map(({ spots }, index) => {
    const own = names.slice(from, from + (claims[index]?.length ?? 0));
    from += own.length;
    const [type = '', list = '', client = '', lister = '', informer = '', ...nested] = own;
    const bySpot = new Map(spots.map((spot, at) => [spot, nested[at] ?? spot.name]));
    return { names: { type, list, client, lister, informer }, nested: bySpot };
  });
}

/** In the order of `KindTypeNames.names`. */
function ownClaims({ kind, listKind }: NamedParts): readonly NameClaim[] {
  const type = kindTypeName(kind);
  const helper = (role: string): NameClaim => ({
    wants: [type + role, `${type}Resource${role}`],
    rank: 'helper',
    depth: 0,
    path: `${kind} ${role}`,
  });
  return [
    { wants: [type], rank: 'kind', depth: 0, path: kind },
    { wants: [kindTypeName(listKind)], rank: 'list', depth: 0, path: `${kind} ${listKind}` },
    helper('Client'),
    helper('Lister'),
    helper('Informer'),
  ];
}

function nestedClaim(spot: Spot): NameClaim {
  return { wants: [spot.name], rank: 'nested', depth: spot.depth, path: spot.path };
}
