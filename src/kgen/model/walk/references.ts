/** `$ref` in schemas of an API. CRDs have none. */
import { quote } from '../../common/problems.ts';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import type { Facts, Schema } from '../ir.ts';
import { objectsIn } from '../schema/json.ts';
import { unknownSchema } from '../schema/schema.ts';
import type { Spot } from '../schema/schema-path.ts';
import type { References, Walker } from './walker.ts';

/** Returns the name that a node refers to. */
export function refOf(node: JsonObject | undefined): string | undefined {
  const ref = node?.['$ref'];
  return typeof ref === 'string' ? ref : undefined;
}

/**
 * Returns the schema of a node that refers to a definition, or `undefined` if it has no reference or
 * references are not followed. Siblings of the reference become facts of the reference.
 */
export function referred(node: JsonObject, spot: Spot, walker: Walker): Schema | undefined {
  const name = refOf(node);
  const { references } = walker;
  if (name === undefined || references === undefined) return undefined;
  const shape = references.typeOf(name);
  if (shape === undefined) return inlined(node, name, spot, walker, references);
  return { ...shape, nullable: node['nullable'] === true, facts: walker.facts(node) };
}

/** Inlines the definition: a string, a list, a map, or another reference. */
function inlined(node: JsonObject, name: string, spot: Spot, walker: Walker, references: References): Schema {
  const target = references.schemaOf(name);
  if (target === undefined || isWithin(spot, name)) {
    walker.fail(spot, target === undefined ? missingText(spot, name) : cycleText(spot, name));
    return unknownSchema('untyped');
  }
  const schema = walker.walk(target, {
    ...spot,
    level: spot.level + 1,
    inlined: name,
    parent: spot,
    keys: [],
  });
  return {
    ...schema,
    nullable: schema.nullable || node['nullable'] === true,
    facts: together(schema.facts, walker.facts(node)),
  };
}

/** Returns whether the definition is already being inlined. */
function isWithin(spot: Spot, name: string): boolean {
  for (let at: Spot | undefined = spot; at !== undefined; at = at.parent)
    if (at.inlined === name) return true;
  return false;
}

/** Facts of the reference take precedence over those of the definition. */
function together(target: Facts, place: Facts): Facts {
  return { ...target, ...place, keywords: { ...target.keywords, ...place.keywords } };
}

/** Maximum number of inlined members of one `allOf`, nested ones included. Real schemas have a few. */
const maxMembers = 1_000;

/** Returns the node with its `allOf` members inlined if they refer to definitions. */
export function withReferredMembers(node: JsonObject, spot: Spot, walker: Walker): JsonObject {
  const { references } = walker;
  return references === undefined || node['allOf'] === undefined
    ? node
    : new Members(spot, walker, references).writtenOut(node, []);
}

class Members {
  readonly #spot: Spot;
  readonly #walker: Walker;
  readonly #references: References;
  #left = maxMembers;

  constructor(spot: Spot, walker: Walker, references: References) {
    this.#spot = spot;
    this.#walker = walker;
    this.#references = references;
  }

  /** `within` contains the names of the enclosing definitions. */
  writtenOut(node: JsonObject, within: readonly string[]): JsonObject {
    const members = objectsIn(node['allOf']);
    if (!members.some(needsWriting)) return node;
    return { ...node, allOf: members.map((member): JsonValue => this.#member(member, within)) };
  }

  #member(member: JsonObject, within: readonly string[]): JsonObject {
    const name = refOf(member);
    this.#left -= 1;
    if (this.#left < 0 || (name !== undefined && within.includes(name)))
      return this.#fail(allOfText(this.#spot));
    if (name === undefined) return this.writtenOut(member, within);
    const target = this.#references.schemaOf(name);
    if (target === undefined) return this.#fail(missingText(this.#spot, name));
    const { $ref: _ref, ...beside } = member;
    const inner = this.writtenOut(target, [...within, name]);
    return refOf(inner) === undefined
      ? { ...inner, ...beside }
      : this.#member({ ...inner, ...beside }, [...within, name]);
  }

  #fail(what: string): JsonObject {
    this.#walker.fail(this.#spot, what);
    return {};
  }
}

/** Returns whether a member refers to a definition, or may contain such members. */
function needsWriting(member: JsonObject): boolean {
  return refOf(member) !== undefined || member['allOf'] !== undefined;
}

function missingText(spot: Spot, name: string): string {
  return `${quote(spot.path)} refers to ${quote(name, 120)}, which the document does not define, so its values are typed as unknown: add the definition`;
}

function cycleText(spot: Spot, name: string): string {
  return `${quote(spot.path)} holds ${quote(name, 120)}, which contains itself without an object in between, so it has no type: give one of them properties`;
}

function allOfText(spot: Spot): string {
  return `${quote(spot.path)} has an allOf that refers to itself, or has more than ${maxMembers} members, so a part of it is left out: remove the cycle`;
}
