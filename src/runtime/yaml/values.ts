/** Values of parsed documents, with their aliases expanded. */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Fault } from './faults.ts';

/** Nodes that count as aliased before their share is limited. */
const freeAliased = 100;
const freeDecoded = 1_000;
/** Numbers of decoded nodes from which on, and up to which, the permitted share of aliased nodes falls. */
const fewDecoded = 400_000;
const manyDecoded = 4_000_000;

/** Error of a document without a value: its cause and position. */
export class Unreadable extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.why);
    this.fault = fault;
  }
}

/**
 * Returns the value of a document without faults. Each alias results in a copy. Their expansion has the
 * limits of kubectl's decoder, which are shares of the whole: nearly all of a document may be expanded
 * aliases, unless it becomes very large.
 * @throws {Unreadable} if aliases expand beyond the limits, or a merge (`<<`) is not of mappings
 */
export function documentValue(document: Document): unknown {
  return isNode(document.contents) ? new Expansion(targetsOf(document)).value(document.contents) : null;
}

/** Returns the nodes of aliases: of several nodes with one anchor, the last one before the alias. */
function targetsOf(document: Document): ReadonlyMap<Alias, unknown> {
  const anchored = new Map<string, unknown>();
  const targets = new Map<Alias, unknown>();
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) targets.set(node, anchored.get(node.source));
      else if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return targets;
}

type Members = Record<string, unknown>;

class Expansion {
  readonly #targets: ReadonlyMap<Alias, unknown>;
  #decoded = 0;
  #aliased = 0;
  /** The outermost alias that is being expanded. */
  #outermost: Alias | undefined;

  constructor(targets: ReadonlyMap<Alias, unknown>) {
    this.#targets = targets;
  }

  value(node: unknown): unknown {
    this.#count();
    if (isAlias(node)) return this.#within(node, () => this.value(this.#targets.get(node)));
    if (isScalar(node)) return node.value;
    if (isSeq(node)) return node.items.map((item) => this.value(item));
    if (!isMap(node)) return null;
    const members: Members = {};
    this.#addTo(members, node);
    return members;
  }

  #addTo(members: Members, map: YAMLMap): void {
    for (const { key, value } of map.items) {
      this.#count();
      if (isMerge(key)) this.#merge(members, value, key);
      else define(members, String(isScalar(key) ? key.value : key), this.value(value));
    }
  }

  /** Own members take precedence over merged ones, and earlier merged ones over later ones. */
  #merge(members: Members, source: unknown, key: unknown): void {
    if (isAlias(source)) this.#within(source, () => this.#merge(members, this.#targets.get(source), key));
    else if (isSeq(source)) for (const item of source.items) this.#mergeMap(members, item, key);
    else this.#mergeMap(members, source, key);
  }

  #mergeMap(members: Members, source: unknown, key: unknown): void {
    if (isAlias(source)) {
      this.#within(source, () => this.#mergeMap(members, this.#targets.get(source), key));
      return;
    }
    if (!isMap(source)) {
      throw new Unreadable({ why: 'a merge (<<) of a value that is not a map', offset: offsetOf(key) });
    }
    const merged: Members = {};
    this.#addTo(merged, source);
    for (const [name, value] of Object.entries(merged)) {
      if (!Object.hasOwn(members, name)) define(members, name, value);
    }
  }

  #within<T>(alias: Alias, expand: () => T): T {
    const outer = this.#outermost;
    this.#outermost ??= alias;
    const expanded = expand();
    this.#outermost = outer;
    return expanded;
  }

  #count(): void {
    this.#decoded += 1;
    if (this.#outermost === undefined) return;
    this.#aliased += 1;
    if (this.#aliased <= freeAliased || this.#decoded <= freeDecoded) return;
    if (this.#aliased <= permittedShare(this.#decoded) * this.#decoded) return;
    const why = `the aliases (*name) expand to too many values, more than ${this.#aliased}`;
    throw new Unreadable({ why, offset: offsetOf(this.#outermost) });
  }
}

function permittedShare(decoded: number): number {
  const over = Math.min(Math.max((decoded - fewDecoded) / (manyDecoded - fewDecoded), 0), 1);
  return 0.99 - 0.89 * over;
}

/** The parser returns an unquoted key `<<` as a symbol. */
function isMerge(key: unknown): boolean {
  return isScalar(key) && typeof key.value === 'symbol';
}

/** Defines a member: an assignment to `__proto__` would have another effect. */
function define(members: Members, name: string, value: unknown): void {
  if (name !== '__proto__') members[name] = value;
  else Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
}

function offsetOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
