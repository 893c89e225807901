/** Assignment of unique names, stable when other types are added. */
import { byText } from '../../common/words.ts';
import { pathSuffix } from '../schema/schema-path.ts';

/** Precedence of claims for the same name within a group version, highest first. */
export type Rank = 'kind' | 'list' | 'definition' | 'parameters' | 'helper' | 'nested';

const ranks: Readonly<Record<Rank, number>> = {
  kind: 0,
  list: 1,
  definition: 2,
  parameters: 3,
  helper: 4,
  nested: 5,
};

/** A request for a type name. */
export interface NameClaim {
  /** Acceptable names in order of preference; at least one. */
  readonly wants: readonly [string, ...string[]];
  readonly rank: Rank;
  /** Among claims of one rank the lower depth takes precedence, then the alphabetically first path. */
  readonly depth: number;
  /** Unique among the claims of one rank. A suffix is derived from it. */
  readonly path: string;
}

/**
 * Assigns a unique name to every claim, in the order of the claims. A name depends on its claim only, unless
 * a stronger claim requests the same name: then it has a suffix that is derived from the claim's path. The
 * order of the claims does not matter. Names in `given` are not used.
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

/** Returns the name with the shortest suffix derived from `path` that makes it unique. */
export function suffixed(name: string, path: string, isTaken: (name: string) => boolean): string {
  for (let digits = 6; digits < 64; digits += 2) {
    const candidate = name + pathSuffix(path, digits);
    if (!isTaken(candidate)) return candidate;
  }
  return name + pathSuffix(path, 64);
}
