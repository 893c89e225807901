import type { JsonObject } from '../input/crd-input.ts';
import type { Place } from '../problems.ts';
import { error, type Problem, quote } from '../problems.ts';
import { definitionName, unwrapped } from './refs.ts';
import { mapParts } from './schema-parts.ts';

/** Schemas inside each other that are followed; the deepest of Kubernetes has 9. */
export const maxLevels = 200;

/** What the schema of a definition has become. */
export interface Normalised {
  readonly schema: JsonObject;
  /** Names of the definitions that it refers to. */
  readonly refs: ReadonlySet<string>;
  /** Those of them that it consists of, through `allOf`, `anyOf`, `oneOf` or `not` at its root. */
  readonly parts: ReadonlySet<string>;
}

/** What one definition is normalised with. */
export interface Surroundings {
  /** The definition that a name stands for in the end; undefined where there is none. */
  readonly resolve: (name: string) => string | undefined;
  readonly tell: (problem: Problem) => void;
}

const logic: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not']);

/**
 * Brings the schema of a definition into the dialect of `ApiDefinition`. A reference to nothing is an error and leaves an
 * untyped node. The input stays as it is.
 */
export function normalise(name: string, schema: JsonObject, place: Place, around: Surroundings): Normalised {
  const reader = new Reader(name, place, around);
  return { schema: reader.read(schema), refs: reader.refs, parts: reader.parts };
}

class Reader {
  readonly refs = new Set<string>();
  readonly parts = new Set<string>();
  readonly #name: string;
  readonly #place: Place;
  readonly #around: Surroundings;
  readonly #path: string[] = [];
  /** Nodes on the way that are more than a logical member of the root. */
  #inside = 0;

  constructor(name: string, place: Place, around: Surroundings) {
    this.#name = name;
    this.#place = place;
    this.#around = around;
  }

  read(node: JsonObject): JsonObject {
    const flat = unwrapped(node);
    const ref = flat['$ref'];
    const whole = mapParts(flat, (part, keyword, name) => this.#step(part, keyword, name));
    return ref === undefined || ref === null ? whole : this.#refer(whole, ref);
  }

  #step(part: JsonObject, keyword: string, name: string | undefined): JsonObject {
    if (this.#path.length >= maxLevels) return this.#cut();
    const inside = logic.has(keyword) ? 0 : 1;
    this.#path.push(name === undefined || inside === 0 ? keyword : name);
    this.#inside += inside;
    const made = this.read(part);
    this.#inside -= inside;
    this.#path.pop();
    return made;
  }

  #refer(node: JsonObject, ref: unknown): JsonObject {
    const name = typeof ref === 'string' ? definitionName(ref) : undefined;
    const target = name === undefined ? undefined : this.#around.resolve(name);
    if (target === undefined) {
      const what = `${this.#where()} refers to ${quote(String(name ?? ref))}, which no document defines: give the documents that do, or correct the reference`;
      this.#tell(what);
      const { $ref: _nothing, ...rest } = node;
      return rest;
    }
    this.refs.add(target);
    if (this.#inside === 0) this.parts.add(target);
    return { ...node, $ref: target };
  }

  #cut(): JsonObject {
    this.#tell(`${quote(this.#name)} is nested more than ${maxLevels} levels deep: flatten it`);
    return {};
  }

  #tell(what: string): void {
    this.#around.tell(error(what, this.#place));
  }

  #where(): string {
    const shown = this.#path.slice(0, 20);
    return quote([this.#name, ...shown].join('.'), 200);
  }
}
