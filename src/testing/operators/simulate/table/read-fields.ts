/** The tree of fields that a program has read. */
import type { AnySelection } from '@kgen/runtime';

/** A field of an object, or the object itself. */
export class Field {
  readonly #members = new Map<string, Field>();
  /** Line that has read it first; `undefined` if only parts of it are known. */
  #site: string | undefined;
  #isWhole = false;
  #isObject = false;
  /** Names of the members that were read together. */
  readonly #names = new Set<string>();

  get members(): ReadonlyMap<string, Field> {
    return this.#members;
  }

  get site(): string {
    return this.#site ?? '';
  }

  /** Whether a read of it is recorded. */
  get isRead(): boolean {
    return this.#site !== undefined;
  }

  /** Whether all that it contains was read. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Whether it was an object or a list in one of the objects. */
  get isObject(): boolean {
    return this.#isObject;
  }

  /** Whether none of its parts is known to be read in addition. */
  get isLeaf(): boolean {
    return this.#isWhole || this.#members.size === 0;
  }

  member(name: string): Field {
    const known = this.#members.get(name) ?? new Field();
    this.#members.set(name, known);
    return known;
  }

  read(site: string, isObject: boolean): void {
    this.#site ??= site;
    this.#isObject ||= isObject;
  }

  /** All parts were read, which have these names in one of the objects. */
  readWhole(names: readonly string[]): void {
    this.#isWhole = true;
    for (const name of names) this.#names.add(name);
  }

  /** Names of its members in the objects that were read as a whole. */
  get names(): readonly string[] {
    return [...this.#names];
  }

  clear(): void {
    this.#members.clear();
    this.#names.clear();
    this.#isWhole = false;
  }
}

/** Returns the fields below a field with their paths, without those that every selection has. */
export function fieldsOf(
  field: Field,
  path: readonly string[] = [],
): readonly (readonly [path: readonly string[], field: Field])[] {
  return [...field.members].flatMap(([name, inner]) => {
    const own = [...path, name];
    if (isKept(own) || !inner.isRead) return [];
    return [[own, inner] as const, ...fieldsOf(inner, own)];
  });
}

/** Returns the smallest selection of an object with the fields that were read. */
export function selectionOf(root: Field): AnySelection {
  if (!root.isWhole) return membersOf(root, []);
  // A status is absent until a controller has written it.
  const names = [...root.names, ...root.members.keys(), ...(root.names.includes('spec') ? ['status'] : [])];
  return Object.fromEntries(names.filter((name) => !isKept([name])).map((name) => [name, true]));
}

function membersOf(field: Field, path: readonly string[]): AnySelection {
  const entries = [...field.members].flatMap(([name, inner]): [string, true | AnySelection][] => {
    const own = [...path, name];
    if (isKept(own) || !inner.isRead) return [];
    const below = inner.isWhole || !inner.isObject ? true : membersOf(inner, own);
    const isIdentity = own.length === 1 && name === 'metadata' && isEmpty(below);
    return isIdentity ? [] : [[name, below]];
  });
  return Object.fromEntries(entries);
}

function isEmpty(selection: true | AnySelection): boolean {
  return selection !== true && Object.keys(selection).length === 0;
}

/** Fields of every selected object. */
const kept: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.resourceVersion',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
]);

/** Returns whether a field is part of every selection. */
export function isKept(path: readonly string[]): boolean {
  return kept.has(path.join('.'));
}
