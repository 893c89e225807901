/** Anchors (`&name`), aliases (`*name`) and merged mappings (`<<`) of an edited document. */
import type { Document, Pair, YAMLMap } from 'yaml';

type Yaml = typeof import('yaml');

/**
 * Returns whether a change at a path may be visible through an alias, or remove the anchor of one: a node on
 * the path, or inside the present value, is an alias, has an anchor or merges another mapping.
 */
export function meetsAliases(
  yaml: Yaml,
  { contents }: Document,
  path: readonly (string | number)[],
): boolean {
  let node: unknown = contents;
  for (const key of path) {
    if (isShared(yaml, node)) return true;
    node = yaml.isCollection(node) ? node.get(key, true) : undefined;
  }
  if (!yaml.isNode(node)) return false;
  let found = false;
  yaml.visit(node, {
    Node: (_, inner) => {
      found = isShared(yaml, inner);
      return found ? yaml.visit.BREAK : undefined;
    },
  });
  return found;
}

function isShared(yaml: Yaml, node: unknown): boolean {
  if (yaml.isAlias(node)) return true;
  if (!yaml.isNode(node)) return false;
  return node.anchor !== undefined || (yaml.isMap(node) && node.items.some((pair) => isMerge(yaml, pair)));
}

/** The parser returns an unquoted key `<<` as a symbol. */
function isMerge({ isScalar }: Yaml, { key }: Pair): boolean {
  return isScalar(key) && typeof key.value === 'symbol';
}

/**
 * Replaces aliases by copies and merged mappings by members, so that a change of one node affects no other.
 */
export function withoutAliases(yaml: Yaml, document: Document): void {
  const { isAlias, isNode, visit } = yaml;
  visit(document, {
    Alias: (_, alias) => {
      const copy: unknown = alias.resolve(document)?.clone();
      if (!isNode(copy)) return undefined;
      if (!isAlias(copy)) delete copy.anchor;
      return copy;
    },
  });
  const maps: YAMLMap[] = [];
  visit(document, {
    Map: (_, map) => {
      maps.push(map);
    },
  });
  // Inner mappings first, so that merged mappings contain no merges.
  for (const map of maps.reverse()) withoutMerges(yaml, map);
}

function withoutMerges(yaml: Yaml, map: YAMLMap): void {
  const merged = mergedPairs(yaml, map);
  map.items = map.items.filter((pair) => !isMerge(yaml, pair));
  for (const pair of merged) {
    if (!map.has(pair.key)) map.items.push(pair);
  }
}

/**
 * Returns the members that a mapping merges. Its own members take precedence over merged ones, and earlier
 * merged ones over later ones.
 */
function mergedPairs(yaml: Yaml, map: YAMLMap): readonly Pair[] {
  const sources = map.items.flatMap((pair) => {
    if (!isMerge(yaml, pair)) return [];
    return yaml.isSeq(pair.value) ? pair.value.items : [pair.value];
  });
  return sources.flatMap((source) => (yaml.isMap(source) ? source.items : []));
}
