/** Nested objects of one kind, of which equal ones share a type. */
import type { Schema, Shape } from '../ir.ts';
import type { ObjectDraft } from './schema.ts';
import type { Spot } from './schema-path.ts';
import { ShapeKeys } from './shape-keys.ts';

/** Objects of equal shape, which share one type. */
export interface ObjectClass {
  /**
   * The object at the shallowest path, then the alphabetically first one, which determines the name of the
   * type.
   */
  readonly draft: ObjectDraft;
  /** The description of the object if all paths have the same one. */
  readonly description?: string;
  /** All paths, including that of `draft`. */
  readonly spots: readonly Spot[];
}

interface Entry {
  draft: ObjectDraft;
  description?: string;
  readonly spots: Spot[];
}

/**
 * Collects the object types of one version of one kind. Objects are defined from the innermost outwards, so
 * that comparing one level finds equal ones: references are already numbers.
 */
export class ObjectTable {
  readonly #entries: Entry[] = [];
  /** Created with the first object, because most definitions of an API have none. */
  #keys: ShapeKeys | undefined;
  readonly #numbers = new Map<string, number>();

  /** Adds an object type and returns a provisional reference, which `renameRefs` makes final. */
  define(draft: ObjectDraft): Shape {
    this.#keys ??= new ShapeKeys();
    const key = this.#keys.keyOf(draft);
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

/** Orders by depth, then by path. */
export function compareSpots(a: Spot, b: Spot): number {
  return a.depth - b.depth || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

/** Replaces provisional references, which are numbers, by final names. */
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
