/** Anchors (`&name`), aliases (`*name`) and merged mappings (`<<`) of a text that is changed. */
import type { Document, Pair, YAMLMap } from 'yaml';

type Yaml = typeof import('yaml');

/** A key `<<` without quotes is read as a symbol. */
function isMerge({ isScalar }: Yaml, { key }: Pair): boolean {
  return isScalar(key) && typeof key.value === 'symbol';
}

function isShared(yaml: Yaml, node: unknown): boolean {
  if (yaml.isAlias(node)) return true;
  if (!yaml.isNode(node)) return false;
  return node.anchor !== undefined || (yaml.isMap(node) && node.items.some((pair) => isMerge(yaml, pair)));
}

/**
 * Whether a change at a path may be seen through an alias, or takes away the anchor of one: something on the way to it,
 * or in what is there, is an alias, has an anchor or merges another mapping.
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

/** The mappings that a mapping merges; of two with one key the first holds, and before them the mapping itself. */
function mergedPairs(yaml: Yaml, map: YAMLMap): readonly Pair[] {
  const sources = map.items.flatMap((pair) => {
    if (!isMerge(yaml, pair)) return [];
    return yaml.isSeq(pair.value) ? pair.value.items : [pair.value];
  });
  return sources.flatMap((source) => (yaml.isMap(source) ? source.items : []));
}

function withoutMerges(yaml: Yaml, map: YAMLMap): void {
  const merged = mergedPairs(yaml, map);
  map.items = map.items.filter((pair) => !isMerge(yaml, pair));
  for (const pair of merged) {
    if (!map.has(pair.key)) map.items.push(pair);
  }
}

/**
 * Aliases become copies, and merged mappings members: then a change of one place is none of another, and an anchor may
 * go.
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
  // The inner ones first, so that what is merged has no merges left.
  for (const map of maps.reverse()) withoutMerges(yaml, map);
}
