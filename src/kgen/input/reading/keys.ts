/**
 * Keys of mappings that have no JSON form: mappings, lists and null. js-yaml converts them to strings such as
 * `[object Object]`, and kubectl rejects them.
 */

/** Whether a document has keys without a JSON form. */
export interface KeyWatcher {
  /** The option `listener` of js-yaml. */
  readonly listener: (event: 'open' | 'close', state: ParserState) => void;
  /** Starts a new document. */
  readonly reset: () => void;
  /** Whether the document since `reset` has such a key. */
  readonly found: () => boolean;
}

/** The part of the parser's state that is read when a node is complete. */
export interface ParserState {
  readonly result: unknown;
  /** Absent from the published declarations of js-yaml. */
  readonly tag?: string | null;
}

/**
 * Returns a listener of js-yaml that compares the nodes below each mapping and list with its content: a node
 * that is not part of the content is a key. This takes a tenth of the time of parsing.
 */
export function createKeyWatcher(): KeyWatcher {
  const levels: Level[] = [];
  let depth = 0;
  let isFound = false;
  const level = (at: number): Level => {
    levels[at] ??= { parts: [], nodes: 0, merges: 0, nullStrings: 0 };
    return levels[at];
  };
  const open = (): void => {
    depth += 1;
    level(depth).nodes = 0;
  };
  return {
    listener: (event, { result, tag }) => {
      if (event === 'open') return open();
      const own = level(depth);
      depth -= 1;
      const above = level(depth);
      if (above.nodes === 0) restart(above);
      above.nodes += 1;
      if (result === 'null') above.nullStrings += 1;
      if (tag === mergeTag) above.merges += 1;
      if (typeof result !== 'object' || result === null) return;
      above.parts.push(result);
      isFound ||= own.nodes > 0 && !isWrapped(own, result) && hasLostNode(own, result);
    },
    reset: () => {
      levels.length = 0;
      depth = 0;
      isFound = false;
    },
    found: () => isFound,
  };
}

const mergeTag = 'tag:yaml.org,2002:merge';

/** The nodes directly below an open node. */
interface Level {
  /** Mappings and lists. */
  readonly parts: object[];
  /** Number of all nodes. */
  nodes: number;
  /** Number of merge keys. */
  merges: number;
  /** Number of strings `null`. */
  nullStrings: number;
}

/** Clears a level before the first node below a new one. Most nodes are scalars, and have none. */
function restart(level: Level): void {
  level.parts.length = 0;
  level.merges = 0;
  level.nullStrings = 0;
}

/** js-yaml emits the events of some nodes twice, as if the node were the only one below itself. */
function isWrapped({ parts, nodes }: Level, result: object): boolean {
  return nodes === 1 && parts[0] === result;
}

function hasLostNode(level: Level, result: object): boolean {
  const { parts, nodes, merges, nullStrings } = level;
  if (Array.isArray(result)) return result.length !== nodes && lost(parts, pairsOpened(result, parts)) > 0;
  const values = Object.values(result);
  if (Object.hasOwn(result, 'null') && !isMerged(parts, merges)) {
    const isString = nullStrings > values.filter((value) => value === 'null').length;
    if (!isString) return true;
  }
  if (merges > 0) return lost(parts, values.filter(isPart)) > merges;
  let count = 0;
  for (const value of values) if (isPart(value)) count += 1;
  return count !== parts.length;
}

/** Returns whether a mapping that is merged into another one may have the key `null`. */
function isMerged(parts: readonly object[], merges: number): boolean {
  return merges > 0 && parts.flat().some((part) => Object.hasOwn(Object(part), 'null'));
}

function isPart(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function lost(parts: readonly object[], kept: readonly unknown[]): number {
  const known = new Set(kept);
  return parts.filter((part) => !known.has(part)).length;
}

/** `[a: b]` is a list of one mapping, for which js-yaml emits no event. */
function pairsOpened(list: readonly unknown[], parts: readonly object[]): readonly unknown[] {
  const known: ReadonlySet<unknown> = new Set(parts);
  return list.flatMap((item) => (isPart(item) && !known.has(item) ? Object.values(Object(item)) : [item]));
}
