/**
 * Nodes that a document may have with every alias written out. The reader of the API server starts to refuse
 * at the same number.
 */
export const maxExpandedNodes: number = 400_000;

/** Levels that a document may have with every alias written out; what walks it later may recurse this deep. */
export const maxExpandedDepth: number = 500;

/** Why a document with aliases is refused. */
export type AliasFault = 'cyclic' | 'too large' | 'too deep';

/** Cheap test of a text: false means that there are no anchors in it, so nothing can be shared. */
export function mayHaveAnchors(text: string): boolean {
  return text.includes('&') && /(?:^|[\s[{,:-])&[^\s,[\]{}&]/.test(text);
}

interface Extent {
  readonly nodes: number;
  readonly depth: number;
}

const leaf: Extent = { nodes: 1, depth: 0 };

/**
 * Judges a document as a walker would meet it, every alias written out. Costs time and memory by the nodes that
 * exist, however many times they are referred to.
 */
export function aliasFault(root: unknown): AliasFault | undefined {
  const known = new Map<object, Extent | 'open'>();
  let cyclic = false;
  const measure = (value: unknown): Extent => {
    if (typeof value !== 'object' || value === null) return leaf;
    const seen = known.get(value);
    if (seen === 'open') cyclic = true;
    if (seen !== undefined) return seen === 'open' ? leaf : seen;
    known.set(value, 'open');
    let nodes = 1;
    let depth = 0;
    for (const child of Object.values(value)) {
      const extent = measure(child);
      nodes += extent.nodes;
      depth = Math.max(depth, extent.depth);
    }
    const extent = { nodes, depth: depth + 1 };
    known.set(value, extent);
    return extent;
  };
  const { nodes, depth } = measure(root);
  if (cyclic) return 'cyclic';
  if (depth > maxExpandedDepth) return 'too deep';
  return nodes > maxExpandedNodes ? 'too large' : undefined;
}
