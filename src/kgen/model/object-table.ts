import type { Schema, Shape } from './ir.ts';
import type { ObjectDraft } from './schema.ts';
import { ShapeKeys } from './shape-keys.ts';
import type { Spot } from './spot.ts';

/** Objects of equal shape: one type in the end. */
export interface ObjectClass {
  /** The one at the shallowest path, then the alphabetically first: it gives the type its name. */
  readonly draft: ObjectDraft;
  /** What all places say of the object; absent where they differ or say nothing. */
  readonly description?: string;
  /** All of their places, the one of `draft` included. */
  readonly spots: readonly Spot[];
}

interface Entry {
  draft: ObjectDraft;
  description?: string;
  readonly spots: Spot[];
}

/**
 * Collects the object types of one version of one kind. Objects are defined from the inside out, so that
 * equal ones are found by comparing one level: what they refer to is known by number already.
 */
export class ObjectTable {
  readonly #entries: Entry[] = [];
  /** Made with the first object: most definitions of an API have none. */
  #keys: ShapeKeys | undefined;
  readonly #numbers = new Map<string, number>();

  /**
   * Takes an object type in; gives a provisional reference to it, which `renameRefs` turns into the final
   * one.
   */
  define(draft: ObjectDraft): Shape {
    this.#keys ??= new ShapeKeys();
    const key = this.#keys.keyOf(draft.properties, draft.rest);
    const number = this.#numbers.get(key) ?? this.#entries.length;
    const entry = this.#entries[number];
    if (entry === undefined) {
      this.#numbers.set(key, number);
      this.#entries.push({ ...described(draft), draft, spots: [draft.spot] });
    } else {
      entry.spots.push(draft.spot);
      if (described(draft).description !== entry.description) delete entry.description;
      if (compareSpots(draft.spot, entry.draft.spot) < 0) entry.draft = draft;
    }
    return { shape: 'ref', name: String(number) };
  }

  /** In the order of their provisional numbers. */
  get classes(): readonly ObjectClass[] {
    return this.#entries;
  }
}

function described({ node }: ObjectDraft): Pick<ObjectClass, 'description'> {
  const description = node['description'];
  return typeof description === 'string' && description !== '' ? { description } : {};
}

/** Shallow before deep, then by path. */
export function compareSpots(a: Spot, b: Spot): number {
  return a.depth - b.depth || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

/** The schema with the final names in place of provisional ones, which are numbers; no other name is one. */
export function renameRefs(schema: Schema, names: readonly string[]): Schema {
  switch (schema.shape) {
    case 'ref': {
      const name = schema.from === undefined ? names[Number(schema.name)] : undefined;
      return name === undefined ? schema : { ...schema, name };
    }
    case 'array':
      return { ...schema, items: renameRefs(schema.items, names) };
    case 'map':
      return { ...schema, values: renameRefs(schema.values, names) };
    case 'union':
      return { ...schema, members: schema.members.map((member) => renameRefs(member, names)) };
    default:
      return schema;
  }
}
