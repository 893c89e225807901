/** YAML that has no JSON form. */
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  type Node,
  type ParsedNode,
  visit,
  type YAMLMap,
} from 'yaml';

/** An error with its position. */
export interface Fault {
  readonly why: string;
  readonly offset: number;
}

/**
 * Returns the first construct of a document that has no JSON form: lists, maps and null as keys, keys that
 * are equal as strings, dangling and cyclic aliases.
 */
export function faultOf(document: Document.Parsed): Fault | undefined {
  const anchors = new Map<string, Node>();
  let fault: Fault | undefined;
  visit(document, (_, node, path) => {
    if (!isNode(node)) return undefined;
    // A parsed document has parsed nodes.
    const part = node as ParsedNode;
    const why = isAlias(part) ? aliasProblem(anchors.get(part.source), path) : undefined;
    if (why !== undefined) fault = { why, offset: part.range[0] };
    else if (isMap(part)) fault = keyFault(part);
    if ('anchor' in part && part.anchor !== undefined) anchors.set(part.anchor, part);
    return fault === undefined ? undefined : visit.BREAK;
  });
  return fault;
}

function aliasProblem(anchored: Node | undefined, path: readonly unknown[]): string | undefined {
  if (anchored === undefined) return 'an alias (*name) without an anchor (&name) before it';
  return path.includes(anchored) ? 'an alias (*name) of a node that contains it' : undefined;
}

/** Uses sets, because the parser's own check takes quadratic time. */
function keyFault(map: YAMLMap.Parsed): Fault | undefined {
  const keys = new Set<string>();
  for (const { key, value } of map.items) {
    const why = keyProblem(key, keys);
    if (why !== undefined) return { why, offset: key?.range[0] ?? value?.range[0] ?? map.range[0] };
  }
  return undefined;
}

function keyProblem(key: ParsedNode | null, keys: Set<string>): string | undefined {
  if (key === null) return 'a key is empty or null';
  if (isCollection(key) || isAlias(key)) return 'a key is not a string';
  if (key.value === null) return 'a key is empty or null';
  // The key of a merge; several merges are valid.
  if (typeof key.value === 'symbol') return undefined;
  const text = String(key.value);
  if (keys.has(text)) return 'duplicate key';
  keys.add(text);
  return undefined;
}
