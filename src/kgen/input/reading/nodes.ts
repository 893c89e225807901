/** Positions and peculiarities of YAML nodes, for messages. */
import type { Document, Node, Pair, Scalar, YAMLMap } from 'yaml';
import type { JsonPath } from '../crd/crd-input.ts';

/** The `yaml` package, passed as a parameter because it is loaded on demand. */
export type Yaml = typeof import('yaml');

/** A part of a document with its offset. */
export interface Spot {
  readonly text: string;
  readonly offset: number;
}

/**
 * Returns the offset of the node at `path` (a mapping entry starts with its key), or of its nearest existing
 * ancestor.
 */
export function locate(yaml: Yaml, document: Document.Parsed, path: JsonPath): number {
  let node: unknown = document.contents;
  let offset = startOf(yaml, node) ?? 0;
  for (const step of path) {
    const target = yaml.isAlias(node) ? node.resolve(document) : node;
    const next = stepInto(yaml, document, target, step);
    if (next === undefined) return offset;
    offset = startOf(yaml, next.anchor) ?? offset;
    node = next.value;
  }
  return offset;
}

/** Returns keys that occur several times in one mapping: each repetition after the first. */
export function duplicateKeys(yaml: Yaml, document: Document.Parsed): readonly Spot[] {
  const found: Spot[] = [];
  yaml.visit(document, {
    Map(_, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!yaml.isScalar(key) || isMergeKey(key)) continue;
        const text = String(key.value);
        if (seen.has(text)) found.push({ text, offset: startOf(yaml, key) ?? 0 });
        seen.add(text);
      }
    },
  });
  return found;
}

/** A key that has no JSON form, with the offset of its mapping for keys that are absent from the source. */
export interface InvalidKey {
  readonly sort: 'a mapping' | 'a list' | 'null';
  readonly offset: number;
}

/** Returns keys that are mappings, lists or null. */
export function invalidKeys(yaml: Yaml, document: Document.Parsed): readonly InvalidKey[] {
  const found: InvalidKey[] = [];
  yaml.visit(document, {
    Pair(_, { key, value }) {
      const sort = keySort(yaml, yaml.isAlias(key) ? key.resolve(document) : key);
      if (sort !== undefined) found.push({ sort, offset: startOf(yaml, key) ?? startOf(yaml, value) ?? 0 });
    },
  });
  return found;
}

function keySort(yaml: Yaml, key: unknown): InvalidKey['sort'] | undefined {
  if (yaml.isMap(key)) return 'a mapping';
  if (yaml.isSeq(key)) return 'a list';
  return yaml.isScalar(key) && key.value !== null ? undefined : 'null';
}

/** Returns unquoted scalars, keys included, whose source passes the test. */
export function plainScalars(
  yaml: Yaml,
  document: Document.Parsed,
  test: (text: string) => boolean,
): readonly Spot[] {
  const found: Spot[] = [];
  yaml.visit(document, {
    Scalar(_, scalar) {
      const text = scalar.type === 'PLAIN' ? (scalar.source ?? '') : '';
      if (text !== '' && test(text)) found.push({ text, offset: startOf(yaml, scalar) ?? 0 });
    },
  });
  return found;
}

/** Returns the offset of the first alias of a document. */
export function firstAlias(yaml: Yaml, document: Document.Parsed): number | undefined {
  let offset: number | undefined;
  yaml.visit(document, {
    Alias(_, alias) {
      offset = startOf(yaml, alias);
      return yaml.visit.BREAK;
    },
  });
  return offset;
}

interface Step {
  /** The node whose position is reported. */
  readonly anchor: unknown;
  /** The node at which the path continues. */
  readonly value: unknown;
}

function stepInto(
  yaml: Yaml,
  document: Document.Parsed,
  node: unknown,
  step: string | number,
): Step | undefined {
  if (yaml.isSeq(node) && typeof step === 'number') {
    const item = node.items[step];
    return item === undefined ? undefined : { anchor: item, value: item };
  }
  if (!yaml.isMap(node)) return undefined;
  const own = pairsOf(yaml, node).get(String(step));
  if (own !== undefined) return { anchor: own.key, value: own.value };
  for (const pair of node.items) {
    if (!isMergeKey(pair.key)) continue;
    const merged = mergeSources(yaml, document, pair.value);
    for (const source of merged) {
      const found = stepInto(yaml, document, source, step);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Index of each mapping by key, because some documents have a problem at every key. */
const knownPairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

function pairsOf(yaml: Yaml, map: YAMLMap): ReadonlyMap<string, Pair> {
  const known = knownPairs.get(map);
  if (known !== undefined) return known;
  const pairs = new Map<string, Pair>();
  for (const pair of map.items) {
    const text = yaml.isScalar(pair.key) ? String(pair.key.value) : undefined;
    if (text !== undefined && !pairs.has(text)) pairs.set(text, pair);
  }
  knownPairs.set(map, pairs);
  return pairs;
}

function mergeSources(yaml: Yaml, document: Document.Parsed, value: unknown): readonly unknown[] {
  const target = yaml.isAlias(value) ? value.resolve(document) : value;
  if (!yaml.isSeq(target)) return [target];
  return target.items.map((item) => (yaml.isAlias(item) ? item.resolve(document) : item));
}

function isMergeKey(key: unknown): boolean {
  const scalar = key as Partial<Scalar> | null; // seam: keys of a parsed document are nodes or null
  return scalar?.type === 'PLAIN' && scalar.source === '<<';
}

function startOf(yaml: Yaml, node: unknown): number | undefined {
  // The cast is needed because isNode narrows to an interface without `range`.
  return yaml.isNode(node) ? (node as Node).range?.[0] : undefined;
}
