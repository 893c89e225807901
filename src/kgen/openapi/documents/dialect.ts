/** Conversion of OpenAPI v2 and v3 to one dialect. */
import type { SourcePlace } from '../../common/problems.ts';
import { error, type InputProblem, quote } from '../../common/problems.ts';
import type { JsonObject } from '../../input/crd/crd-input.ts';
import { isObject } from '../../input/json.ts';
import { definitionName, unwrapped } from './refs.ts';
import { mapParts } from './schema-parts.ts';

/** Maximum nesting depth of schemas. The deepest schema of Kubernetes has 9 levels. */
export const maxLevels = 200;

/** Result of normalising the schema of a definition. */
export interface Normalised {
  readonly schema: JsonObject;
  /** Names of the definitions that it refers to. */
  readonly refs: ReadonlySet<string>;
  /**
   * Names of referenced definitions that are inlined: through `allOf`, `anyOf`, `oneOf` or `not` at the root,
   * through `allOf` anywhere, and as a list or a map, which has no named type. A cycle of such references
   * would never end.
   */
  readonly parts: ReadonlySet<string>;
}

/** Context in which one definition is normalised. */
export interface Surroundings {
  /** Returns the definition that a name resolves to, or `undefined`. */
  readonly resolve: (name: string) => string | undefined;
  readonly report: (problem: InputProblem) => void;
}

const logic: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not']);

/**
 * Normalises the schema of a definition into the dialect of `ApiDefinition`. A dangling reference is an error
 * and leaves an untyped node. The input is not modified.
 */
export function normalise(
  name: string,
  schema: JsonObject,
  place: SourcePlace,
  around: Surroundings,
): Normalised {
  const reader = new Reader({ name, place, isCollection: isCollection(schema) }, around);
  return { schema: reader.read(schema), refs: reader.refs, parts: reader.parts };
}

/** Returns whether a definition is a list or a map, which is inlined wherever it is referred to. */
function isCollection({ properties, items, additionalProperties }: JsonObject): boolean {
  return !isObject(properties) && (isObject(items) || isObject(additionalProperties));
}

interface Reading {
  readonly name: string;
  readonly place: SourcePlace;
  readonly isCollection: boolean;
}

class Reader {
  readonly refs = new Set<string>();
  readonly parts = new Set<string>();
  readonly #at: Reading;
  readonly #around: Surroundings;
  readonly #path: string[] = [];
  /** Number of enclosing nodes that are not logical members of the root. */
  #inside = 0;
  /** Keyword of the node in its parent. */
  #keyword: string | undefined;

  constructor(at: Reading, around: Surroundings) {
    this.#at = at;
    this.#around = around;
  }

  read(node: JsonObject): JsonObject {
    const flat = unwrapped(node);
    const ref = flat['$ref'];
    const isPart = this.#inside === 0 || this.#keyword === 'allOf' || this.#at.isCollection;
    const whole = mapParts(flat, (part, keyword, name) => this.#step(part, keyword, name));
    return ref === undefined || ref === null ? whole : this.#refer(whole, ref, isPart);
  }

  #step(part: JsonObject, keyword: string, name: string | undefined): JsonObject {
    if (this.#path.length >= maxLevels) return this.#cut();
    const inside = logic.has(keyword) ? 0 : 1;
    this.#path.push(name === undefined || inside === 0 ? keyword : name);
    this.#inside += inside;
    this.#keyword = keyword;
    const made = this.read(part);
    this.#inside -= inside;
    this.#path.pop();
    return made;
  }

  #refer(node: JsonObject, ref: unknown, isPart: boolean): JsonObject {
    const name = typeof ref === 'string' ? definitionName(ref) : undefined;
    const target = name === undefined ? undefined : this.#around.resolve(name);
    if (target === undefined) {
      const what = `${this.#where()} refers to ${quote(String(name ?? ref))}, which no document defines: give the documents that do, or correct the reference`;
      this.#report(what);
      const { $ref: _nothing, ...rest } = node;
      return rest;
    }
    this.refs.add(target);
    if (isPart) this.parts.add(target);
    return { ...node, $ref: target };
  }

  #cut(): JsonObject {
    this.#report(`${quote(this.#at.name)} is nested more than ${maxLevels} levels deep: flatten it`);
    return {};
  }

  #report(what: string): void {
    this.#around.report(error(what, this.#at.place));
  }

  #where(): string {
    const shown = this.#path.slice(0, 20);
    return quote([this.#at.name, ...shown].join('.'), 200);
  }
}
