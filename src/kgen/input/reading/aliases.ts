/** Maximum number of nodes of a document with all aliases expanded. The API server uses the same limit. */
export const maxExpandedNodes: number = 400_000;

/** Maximum depth of a document with all aliases expanded. Later recursive walks may be this deep. */
export const maxExpandedDepth: number = 500;

/** Reasons to reject a document with aliases. */
export type AliasFault = 'cyclic' | 'too large' | 'too deep';

/** Fast check: returns false if the string contains no anchors, so that nothing can be shared. */
export function mayHaveAnchors(text: string): boolean {
  return text.includes('&') && /(?:^|[\s[{,:-])&[^\s,[\]{}&]/.test(text);
}

interface Extent {
  readonly nodes: number;
  readonly depth: number;
}

const leaf: Extent = { nodes: 1, depth: 0 };

/**
 * Checks a document as if all aliases were expanded. Takes time and memory linear in the number of distinct
 * nodes.
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
