import { byText } from '../words.ts';
import { pathSuffix } from './spot.ts';

/** Who wins when several parts of a group version want the same name: the first of these. */
export type Rank = 'kind' | 'list' | 'definition' | 'parameters' | 'helper' | 'nested';

const ranks: Readonly<Record<Rank, number>> = {
  kind: 0,
  list: 1,
  definition: 2,
  parameters: 3,
  helper: 4,
  nested: 5,
};

/** A wish for a type name. */
export interface NameClaim {
  /** Names that would do, the dearest first; at least one. */
  readonly wants: readonly [string, ...string[]];
  readonly rank: Rank;
  /** Among claims of one rank the shallower wins, then the alphabetically first path. */
  readonly depth: number;
  /** Unique among the claims of one rank; what a suffix is made from. */
  readonly path: string;
}

/**
 * Gives every claim a name of its own, in the order of the claims. A name depends on the claim alone unless a
 * stronger claim wants the same; then it gets a suffix made from the claim's own path. The order of the
 * claims does not matter. None of the names is among those that were `given` before.
 */
export function assignNames(claims: readonly NameClaim[], given: Iterable<string> = []): readonly string[] {
  const taken = new Set(given);
  const names = new Map<NameClaim, string>();
  for (const claim of [...claims].sort(compareClaims)) {
    const name = freeName(claim, taken);
    taken.add(name);
    names.set(claim, name);
  }
  return claims.map((claim) => names.get(claim) ?? claim.wants[0]);
}

function compareClaims(a: NameClaim, b: NameClaim): number {
  return ranks[a.rank] - ranks[b.rank] || a.depth - b.depth || byText(a.path, b.path);
}

function freeName(claim: NameClaim, taken: ReadonlySet<string>): string {
  const free = claim.wants.find((name) => !taken.has(name));
  return free ?? suffixed(claim.wants[0], claim.path, (name) => taken.has(name));
}

/** The name with the shortest suffix made from `path` that makes it free. */
export function suffixed(name: string, path: string, isTaken: (name: string) => boolean): string {
  for (let digits = 6; digits < 64; digits += 2) {
    const candidate = name + pathSuffix(path, digits);
    if (!isTaken(candidate)) return candidate;
  }
  return name + pathSuffix(path, 64);
}
