/** Nested objects of one kind, of which equal ones share a type. */
import { omit } from '@kgen/schema/values/json';
import type { Schema, Shape } from '../ir.ts';
import { jsonText } from './json.ts';
import type { ObjectDraft } from './schema.ts';
import { isProperty, type Spot } from './schema-path.ts';
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
  /** Key of the keywords of the object if it is the same at all paths, none of which is a property. */
  readonly own?: string;
  /** Keywords of the properties of `draft` in which other paths may differ. */
  readonly variant: string;
  /** All paths, including that of `draft`. */
  readonly spots: readonly Spot[];
}

interface Entry {
  draft: ObjectDraft;
  description?: string;
  own?: string;
  variant: string;
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
  /** Types by their properties, with which an object is defined again at other places. */
  readonly #known = new Map<ObjectDraft['properties'], KnownType>();

  /** Adds an object type and returns a provisional reference, which `renameRefs` makes final. */
  define(draft: ObjectDraft): Shape {
    const known = this.#known.get(draft.properties);
    if (known === undefined) return this.#add(draft);
    const { entry, variant, ref } = known;
    if (isProperty(draft.spot)) delete entry.own;
    addSpot(entry, draft, variant);
    return ref;
  }

  #add(draft: ObjectDraft): Shape {
    this.#keys ??= new ShapeKeys();
    const key = this.#keys.keyOf(draft);
    const variant = this.#keys.variantOf(draft);
    const shared = sharedFacts(draft);
    const number = this.#numbers.get(key) ?? this.#entries.length;
    const before = this.#entries[number];
    const entry = before ?? { ...shared, draft, variant, spots: [draft.spot] };
    if (before === undefined) {
      this.#numbers.set(key, number);
      this.#entries.push(entry);
    } else {
      if (shared.description !== entry.description) delete entry.description;
      if (shared.own !== entry.own) delete entry.own;
      addSpot(entry, draft, variant);
    }
    const ref: Shape = { shape: 'ref', name: String(number), ...(variant !== '' && { variant }) };
    this.#known.set(draft.properties, { entry, variant, ref });
    return ref;
  }

  /** In the order of their provisional numbers. */
  get classes(): readonly ObjectClass[] {
    return this.#entries;
  }
}

interface KnownType {
  readonly entry: Entry;
  readonly variant: string;
  readonly ref: Shape;
}

function addSpot(entry: Entry, draft: ObjectDraft, variant: string): void {
  entry.spots.push(draft.spot);
  if (compareSpots(draft.spot, entry.draft.spot) >= 0) return;
  entry.draft = draft;
  entry.variant = variant;
}

/** Facts that a type may state for all of its paths: those of properties are stated by the properties. */
function sharedFacts({ facts, spot }: ObjectDraft): Pick<ObjectClass, 'description' | 'own'> {
  const { description, keywords } = facts;
  const own = omit(keywords, 'description', 'properties', 'additionalProperties');
  return {
    ...(description !== undefined && { description }),
    ...(!isProperty(spot) && { own: jsonText(own) }),
  };
}

/** Orders by depth, then by path. */
export function compareSpots(a: Spot, b: Spot): number {
  return a.depth - b.depth || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

/** A type with its final name. */
export interface FinalClass {
  readonly name: string;
  readonly variant: string;
}

/** Replaces provisional references, which are numbers, by final names. */
export function renameRefs(schema: Schema, classes: readonly FinalClass[]): Schema {
  switch (schema.shape) {
    case 'ref': {
      const final = schema.from === undefined ? classes[Number(schema.name)] : undefined;
      if (final === undefined) return schema;
      const { variant = '', ...ref } = schema;
      return { ...ref, name: final.name, ...(variant !== final.variant && { variant }) };
    }
    case 'array':
      return { ...schema, items: renameRefs(schema.items, classes) };
    case 'map':
      return { ...schema, values: renameRefs(schema.values, classes) };
    case 'union':
      return { ...schema, members: schema.members.map((member) => renameRefs(member, classes)) };
    default:
      return schema;
  }
}
