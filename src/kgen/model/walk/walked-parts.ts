/** Objects that were walked: equal parts of a schema are one node, which is walked once. */
import type { JsonValue } from '../../input/crd/crd-input.ts';
import type { Schema } from '../ir.ts';
import type { ObjectDraft } from '../schema/schema.ts';
import { moved, type Spot } from '../schema/schema-path.ts';
import type { Walker } from './walker.ts';

/** The walk of a node with an object type of its own. */
export interface WalkedPart {
  readonly spot: Spot;
  readonly schema: Schema;
  /** Number of schemas in it. */
  readonly schemas: number;
  /** Range of its object types, the own one last, among all that were defined. */
  readonly from: number;
  readonly to: number;
  /** Level of the deepest object type, relative to the node. */
  readonly levels: number;
}

/** The objects of one schema that were walked without findings. */
export class WalkedParts {
  readonly #parts = new Map<JsonValue | undefined, WalkedPart>();
  readonly #drafts: ObjectDraft[] = [];
  readonly #define: Walker['define'];

  constructor(define: Walker['define']) {
    this.#define = define;
  }

  /** Number of object types so far. */
  get size(): number {
    return this.#drafts.length;
  }

  define(draft: ObjectDraft): ReturnType<Walker['define']> {
    this.#drafts.push(draft);
    return this.#define(draft);
  }

  get(node: JsonValue | undefined): WalkedPart | undefined {
    return this.#parts.get(node);
  }

  /** Records the walk of a node, unless names below it contain more of its path than its name. */
  add(node: JsonValue | undefined, walked: Pick<WalkedPart, 'spot' | 'schema' | 'schemas' | 'from'>): void {
    const { spot, schema, from } = walked;
    const to = this.#drafts.length;
    if (schema.shape !== 'ref' || this.#drafts[to - 1]?.spot !== spot) return;
    let levels = 0;
    for (let index = from; index < to; index += 1) {
      const below = this.#drafts[index]?.spot ?? spot;
      if (!below.name.startsWith(spot.name) || below.name.includes('_', spot.name.length)) return;
      levels = Math.max(levels, below.level - spot.level);
    }
    this.#parts.set(node, { ...walked, to, levels });
  }

  /** Defines the object types of a node at another place, and returns its schema. */
  repeat({ spot: before, schema, from, to }: WalkedPart, spot: Spot): Schema {
    for (const draft of this.#drafts.slice(from, to))
      this.define({ ...draft, spot: draft.spot === before ? spot : moved(draft.spot, before, spot) });
    return schema;
  }
}
