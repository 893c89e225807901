/** Creates values that a schema accepts. */
import {
  array,
  equal,
  fromEntries,
  isObject,
  type Json,
  type JsonObject,
  own,
  strings,
  text,
} from '@kgen/schema/values/json';
import type { Choices } from './choices.ts';
import { type Documents, schemaAt } from './documents.ts';
import { pathTo } from './paths.ts';
import { numberOf } from './scalars/numbers.ts';
import { stringOf, stringRules } from './scalars/strings.ts';
import { combined, countBounds, exclude, membersOf, merge, structureOf } from './schema/merge.ts';
import { presenceRules, settledMembers } from './schema/presence.ts';

/** Position of a value: its place in the sense of goals, and its depth. */
interface Position {
  readonly place: string;
  readonly depth: number;
}

/** Values that replace those of the schema, and members that are left out. */
export interface Hints {
  /** Returns the value of a definition, by full name, such as a quantity. */
  readonly definition: (name: string, random: () => number) => Json | undefined;
  /** Returns the value of a property of a definition, by its full name. */
  readonly property: (owner: string, name: string) => Json | undefined;
  /** Returns whether a property that the schema does not require always exists. */
  readonly always: (owner: string, name: string) => boolean;
  /** Returns the members of a definition of which exactly one exists. */
  readonly union: (owner: string) => readonly string[] | undefined;
  /** Probability that an optional member exists. Default: derived from their number. */
  readonly share?: number;
  /**
   * Whether lists whose items have no keys have one item, as no schema states which items exclude each other.
   * Default: false.
   */
  readonly hasSingleItems?: boolean;
}

/** No hints: those of custom resources, whose rules are all in their schema. */
export const noHints: Hints = {
  definition: () => undefined,
  property: () => undefined,
  always: () => false,
  union: () => undefined,
};

/** Depth below which optional members are left out. */
const maxDepth = 14;

/** Characters of a string that take as long as one value. */
export const charactersOfValue = 30;

/** Number of values of a sample after which optional members are left out. */
const maxValues = 2_000;

/** Items of a long list. */
const manyItems = 4;

/** Largest list and map that is created to reach a bound. */
export const maxCreatedItems = 128;

export class Generator {
  readonly #documents: Documents;
  readonly #choices: Choices;
  readonly #hints: Hints;
  #values = 0;
  /** Whether the value is in a long list: its lists and strings are not as long as possible, too. */
  #isWithinMany = false;

  constructor(documents: Documents, choices: Choices, hints: Hints = noHints) {
    this.#documents = documents;
    this.#choices = choices;
    this.#hints = hints;
  }

  /** Returns a value for a node of the schema. */
  value(node: JsonObject, position: Position): Json {
    this.#values += 1;
    const { place } = position;
    const ref = text(node, '$ref');
    const hinted = ref === '' ? undefined : this.#hints.definition(ref, this.#random);
    if (hinted !== undefined) return hinted;
    const flat = this.#flatten(node, place);
    const members = array(flat, 'enum');
    if (members.length === 0 && own(flat, 'nullable') === true && this.#choices.wish(place, 'null', 1) === 0)
      return null;
    if (members.length > 0) return this.#member(flat, members, place);
    if (own(flat, 'x-kubernetes-int-or-string') === true) return this.#intOrString(flat, place);
    switch (text(flat, 'type')) {
      case 'string':
        return this.#string(flat, place);
      case 'boolean':
        return (this.#choices.wish(place, 'boolean', 2) ?? Math.floor(this.#random() * 2)) === 1;
      case 'integer':
      case 'number':
        return numberOf(flat, this.#random, this.#choices.wish(place, 'number', 2));
      case 'array':
        return this.#list(flat, position);
      case 'object':
        return this.#object(flat, position, ref);
      default:
        return own(flat, 'properties') === undefined ? this.#free(flat) : this.#object(flat, position, ref);
    }
  }

  get #random(): () => number {
    return this.#choices.random;
  }

  #index(count: number): number {
    return Math.min(count - 1, Math.floor(this.#choices.random() * count));
  }

  /** Returns the schema with one of its alternatives. */
  #flatten(node: JsonObject, place: string): JsonObject {
    let flat = structureOf(node, this.#documents);
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const branches = array(flat, keyword).filter(isObject);
      if (branches.length === 0) continue;
      const { [keyword]: _branches, ...rest } = flat;
      const chosen =
        this.#choices.wish(place, keyword, branches.length) ??
        this.#chosenBranch(branches, place) ??
        this.#index(branches.length);
      flat = merge(rest, this.#flatten(branches[chosen] ?? {}, place));
      const others = keyword === 'oneOf' ? branches.filter((_, index) => index !== chosen) : [];
      for (const other of others) flat = this.#without(flat, other);
    }
    const not = schemaAt(flat, 'not');
    return not === undefined ? flat : exclude(flat, not, this.#random);
  }

  /** Returns the index of an alternative that requires a requested member, if there is one. */
  #chosenBranch(branches: readonly JsonObject[], place: string): number | undefined {
    const selected = branches.flatMap((branch, index) =>
      strings(branch, 'required').some((name) => this.#choices.presence(pathTo(place, name)) === true)
        ? [index]
        : [],
    );
    return selected[selected.length > 1 ? this.#index(selected.length) : 0];
  }

  /** Forbids the properties that another alternative requires and this one does not. */
  #without(flat: JsonObject, other: JsonObject): JsonObject {
    const own = new Set(strings(flat, 'required'));
    const required = strings(other, 'required').filter((name) => !own.has(name));
    return required.length === 0 ? flat : exclude(flat, { required }, this.#random);
  }

  #member(flat: JsonObject, members: readonly Json[], place: string): Json {
    const excluded = array(flat, combined.excluded);
    const allowed = members.filter(
      (member) => member !== null && !excluded.some((other) => equal(member, other)),
    );
    const wished = this.#choices.wish(place, 'enum', members.length);
    const value = wished === undefined ? undefined : members[wished];
    return value ?? allowed[this.#index(allowed.length)] ?? members[0] ?? null;
  }

  #intOrString(flat: JsonObject, place: string): Json {
    const form = this.#choices.wish(place, 'form', 2) ?? this.#index(2);
    if (form === 0) return numberOf({ minimum: 0, ...flat, type: 'integer' }, this.#random);
    return stringRules(flat).patterns.length === 0 ? '25%' : this.#string(flat, place);
  }

  #string(flat: JsonObject, place: string): string {
    const rules = stringRules(flat);
    const { min, max } = countBounds(flat, 'Length');
    const isLimited = this.#isWithinMany || this.#values > maxValues;
    const wish = isLimited ? undefined : this.#choices.wish(place, 'length', 2);
    const value = stringOf(rules, this.#random, wish === undefined ? undefined : wish === 0 ? min : max);
    this.#values += value.length / charactersOfValue;
    return value;
  }

  #list(flat: JsonObject, { place, depth }: Position): Json {
    const items = schemaAt(flat, 'items');
    if (items === undefined) return [];
    const below = { place: `${place}[]`, depth: depth + 1 };
    const size = this.#listSize(flat, place, below.place, depth);
    const isWithinMany = this.#isWithinMany;
    this.#isWithinMany ||= size > manyItems;
    const list: Json[] = [];
    for (let tries = 0; list.length < size && tries < 4 * size + 8; tries += 1) {
      const item = this.value(items, below);
      if (!list.some((other) => isSameItem(flat, other, item))) list.push(item);
    }
    this.#isWithinMany = isWithinMany;
    return list;
  }

  #listSize(flat: JsonObject, place: string, below: string, depth: number): number {
    const size = this.#size(flat, 'Items', place, below, depth);
    const isKeyed = ['set', 'map'].includes(text(flat, 'x-kubernetes-list-type'));
    if (this.#hints.hasSingleItems !== true || isKeyed) return size;
    return Math.min(size, Math.max(1, countBounds(flat, 'Items').min));
  }

  /** Returns the number of items of a list or of members of a map. */
  #size(flat: JsonObject, what: 'Items' | 'Properties', place: string, below: string, depth: number): number {
    const { min, max } = countBounds(flat, what);
    const wish = this.#choices.wish(place, what === 'Items' ? 'items' : 'members', 2);
    if (wish === 0) return min;
    if (wish === 1) return Math.min(max, maxCreatedItems);
    if (wish === 2) return Math.max(min, 1);
    const isWished = this.#choices.presence(below) === true && this.#values <= 2 * maxValues;
    if (!isWished && (depth > maxDepth || this.#values > maxValues)) return min;
    const more = isWished ? 1 + this.#index(2) : this.#index(3);
    return Math.min(max, Math.max(min, more));
  }

  #object(flat: JsonObject, position: Position, owner: string): Json {
    const { properties } = membersOf(flat);
    if (properties.length === 0) return this.#map(flat, position);
    return this.members(flat, position, new Set(), owner);
  }

  /** Returns an object with required members, and with those optional ones that the choices want. */
  members(node: JsonObject, position: Position, without: ReadonlySet<string>, owner: string): JsonObject {
    const flat = this.#flatten(node, position.place);
    const { properties, required } = membersOf(flat);
    const names = new Set(properties.map(([name]) => name));
    const union = (this.#hints.union(owner) ?? []).filter((name) => names.has(name));
    const chosen = this.#chosen(union, position.place);
    const present = properties.filter(
      ([name]) => !without.has(name) && (name === chosen || !union.includes(name)),
    );
    const optional = present.filter(([name]) => !required.has(name)).length;
    const settled = this.#settled(flat, position, present);
    const entries = present.flatMap(([name, property]): [string, Json][] => {
      const place = pathTo(position.place, name);
      const isUsual = this.#hints.always(owner, name) && this.#choices.presence(place) !== false;
      const isChosen = required.has(name) || name === chosen || isUsual;
      const isPresent = (): boolean =>
        settled === undefined ? this.#isPresent(place, optional, position.depth) : settled.has(name);
      if (!isChosen && !isPresent()) return [];
      // A goal below the member takes precedence over its usual value.
      const hint = this.#choices.wantsValue(place) ? undefined : this.#hints.property(owner, name);
      return [[name, hint ?? this.value(property, { place, depth: position.depth + 1 })]];
    });
    return own(flat, 'x-kubernetes-embedded-resource') === true
      ? { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'embedded' }, ...fromEntries(entries) }
      : fromEntries(entries);
  }

  /** Returns the members that exist, or `undefined` if no rule of the schema is about their existence. */
  #settled(
    flat: JsonObject,
    { place, depth }: Position,
    present: readonly (readonly [string, JsonObject])[],
  ): ReadonlySet<string> | undefined {
    const violations = presenceRules(flat, present.length);
    if (violations === undefined) return undefined;
    const isRequired = membersOf(flat).required;
    const names = present.map(([name]) => name);
    const optional = this.#shuffled(names.filter((name) => !isRequired.has(name)));
    const wishes = new Map(optional.map((name) => [name, this.#choices.presence(pathTo(place, name))]));
    const wished = optional.filter((name) => wishes.get(name) === true);
    const free = optional.filter((name) => wishes.get(name) === undefined);
    const size = this.#choices.wish(place, 'members', 2);
    const more =
      size === undefined
        ? free.filter((name) => this.#isPresent(pathTo(place, name), optional.length, depth))
        : free.slice(0, size * free.length);
    return settledMembers(violations, {
      required: names.filter((name) => isRequired.has(name)),
      chosen: [...wished, ...more],
      isFirstFixed: wished.length > 0,
      others: [...free, ...optional.filter((name) => wishes.get(name) === false)],
    });
  }

  #shuffled<T>(items: readonly T[]): readonly T[] {
    const keyed = items.map((item) => [this.#random(), item] as const);
    return keyed.sort(([a], [b]) => a - b).map(([, item]) => item);
  }

  /** Returns the member of a union that exists. */
  #chosen(union: readonly string[], place: string): string | undefined {
    const presence = (name: string): boolean | undefined => this.#choices.presence(`${place}.${name}`);
    return union.find((name) => presence(name) === true) ?? union.find((name) => presence(name) !== false);
  }

  #isPresent(place: string, optional: number, depth: number): boolean {
    const wished = this.#choices.presence(place);
    const isTooLarge = depth > 2 * maxDepth || this.#values > 2 * maxValues;
    if (wished !== undefined && !isTooLarge) return wished;
    if (depth > maxDepth || this.#values > maxValues) return false;
    const usual = depth === 0 ? 0.9 : Math.min(0.5, 4 / Math.max(1, optional)) * (depth > 6 ? 0.4 : 1);
    const share = this.#hints.share ?? usual;
    return this.#random() >= 1 - share;
  }

  #map(flat: JsonObject, { place, depth }: Position): Json {
    const values = own(flat, 'additionalProperties');
    if (own(flat, 'x-kubernetes-embedded-resource') === true)
      return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'embedded' } };
    if (values === undefined || values === false) return this.#free(flat);
    const below = { place: `${place}{}`, depth: depth + 1 };
    const size = this.#size(flat, 'Properties', place, below.place, depth);
    return fromEntries(
      Array.from({ length: size }, (_, index): [string, Json] => [
        `key-${index + 1}`,
        isObject(values) ? this.value(values, below) : 'any',
      ]),
    );
  }

  /** Returns a value that no schema describes: an object with strings if unknown fields are preserved. */
  #free(flat: JsonObject): Json {
    if (own(flat, 'x-kubernetes-preserve-unknown-fields') !== true) return {};
    return this.#index(2) === 0 ? {} : { any: 'value' };
  }
}

/** Returns whether a list may not have both items: equal ones of a set, or ones with the keys of a map. */
function isSameItem(list: JsonObject, a: Json, b: Json): boolean {
  const type = text(list, 'x-kubernetes-list-type');
  if (type === 'set') return equal(a, b);
  if (type !== 'map') return false;
  return strings(list, 'x-kubernetes-list-map-keys').every((key) => equal(own(a, key), own(b, key)));
}
