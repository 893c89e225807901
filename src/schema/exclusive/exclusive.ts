/** Members of an object of which a schema allows at most one, or requires exactly one. */
import { escapeName } from '../cel/syntax/reserved.ts';
import { own } from '../rules/members.ts';
import { listAt, objectAt, textAt } from '../rules/places.ts';
import { isArray, isObject, type Json, type JsonObject } from '../values/json.ts';
import { type Formula, Formulas, no, TooComplex, yes } from './formulas.ts';
import { ruleFormula } from './rule-formula.ts';

/** Members of an object that exclude each other. */
export interface ExclusiveMembers {
  /** Sorted as the members of the object. */
  readonly names: readonly string[];
  /** Whether one of them must be present. */
  readonly isRequired: boolean;
}

/**
 * Returns the members of which servers accept at most one or require exactly one: by `oneOf`, `anyOf`,
 * `allOf` and `not` of `required`, by `minProperties` and `maxProperties`, and by CEL rules that count
 * `has(self.…)`. Members that may occur together in any accepted object are never in one result. The object
 * must have no other properties than those of `schema`.
 * @param names the members to be considered, which may be absent and have no default
 */
export function exclusiveMembers(schema: JsonObject, names: readonly string[]): readonly ExclusiveMembers[] {
  if (!keywords.some((keyword) => own(schema, keyword) !== undefined)) return none;
  const formulas = new Formulas();
  try {
    const accepted = new Reader(schema, formulas).object();
    const used = new Set(formulas.members);
    const candidates = names.filter((name) => used.has(name));
    return accepted === no || candidates.length > maxMembers ? none : groups(accepted, candidates, formulas);
  } catch (error) {
    if (error instanceof TooComplex) return none;
    throw error;
  }
}

const none: readonly ExclusiveMembers[] = [];

const keywords = ['allOf', 'anyOf', 'oneOf', 'not', 'maxProperties', 'x-kubernetes-validations'] as const;

/** Maximum number of members whose pairs are compared. */
const maxMembers = 100;

/** Maximum depth of members of logical keywords. */
const maxDepth = 50;

/** Keywords that refuse no object. */
const neutral: ReadonlySet<string> = new Set(['description', 'title', 'example', 'nullable', 'default']);

/** Reads the conditions that a schema states about the members of an object. */
class Reader {
  readonly #schema: JsonObject;
  readonly #formulas: Formulas;
  readonly #known = new Map<JsonObject, Formula>();

  constructor(schema: JsonObject, formulas: Formulas) {
    this.#schema = schema;
    this.#formulas = formulas;
  }

  /** Returns a condition that holds for every object that servers accept. */
  object(): Formula {
    const names = Object.keys(objectAt(this.#schema, 'properties') ?? {});
    const known = new Map(names.map((name) => [escapeName(name), name] as const));
    const member = (name: string): Formula => this.#member(known.get(name) ?? name);
    const rules = listAt(this.#schema, 'x-kubernetes-validations').map((rule) =>
      isObject(rule) ? ruleFormula(textAt(rule, 'rule'), this.#formulas, member) : yes,
    );
    return this.#formulas.every([...rules, ...this.#stated(this.#schema, 0)]);
  }

  #member(name: string): Formula {
    const property = objectAt(objectAt(this.#schema, 'properties'), name);
    // The server adds it before it validates.
    return property !== undefined && own(property, 'default') !== undefined
      ? yes
      : this.#formulas.member(name);
  }

  #stated(schema: JsonObject, depth: number): readonly Formula[] {
    const members = (keyword: string): readonly Formula[] =>
      listAt(schema, keyword).map((member) => this.#branch(member, depth + 1));
    const [anyOf, oneOf] = [members('anyOf'), members('oneOf')];
    const not = objectAt(schema, 'not');
    return [
      ...listAt(schema, 'required').map((name) =>
        typeof name === 'string' ? this.#member(name) : this.#formulas.unknown(),
      ),
      ...members('allOf'),
      ...(anyOf.length === 0 ? [] : [this.#formulas.some(anyOf)]),
      ...(oneOf.length === 0 ? [] : [this.#formulas.count(oneOf, 1, 1)]),
      ...(not === undefined ? [] : [this.#formulas.not(this.#branch(not, depth + 1))]),
      ...this.#counted(schema),
    ];
  }

  #counted(schema: JsonObject): readonly Formula[] {
    const [least, most] = [own(schema, 'minProperties') ?? 0, own(schema, 'maxProperties')];
    if (least === 0 && most === undefined) return [];
    const names = Object.keys(objectAt(this.#schema, 'properties') ?? {});
    const limit = most ?? names.length;
    if (typeof least !== 'number' || typeof limit !== 'number') return [this.#formulas.unknown()];
    return [
      this.#formulas.count(
        names.map((name) => this.#member(name)),
        least,
        limit,
      ),
    ];
  }

  /** Returns the condition of a member of a logical keyword, exactly as far as it is about presence. */
  #branch(value: Json, depth: number): Formula {
    if (!isObject(value) || depth > maxDepth) return this.#formulas.unknown();
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const isWhole = Object.keys(value).every((keyword) => isPresence(keyword, value[keyword] ?? null));
    const rest = isWhole ? [] : [this.#formulas.unknown()];
    const formula = this.#formulas.every([...this.#stated(value, depth), ...rest]);
    this.#known.set(value, formula);
    return formula;
  }
}

/** Returns whether the condition of a keyword is only about the presence of members. */
function isPresence(keyword: string, value: Json): boolean {
  if (neutral.has(keyword) || value === null) return true;
  switch (keyword) {
    case 'type':
      return value === 'object';
    case 'properties':
      return isObject(value) && Object.values(value).every(isVoid);
    case 'required':
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return isArray(value);
    case 'not':
      return isObject(value);
    default:
      return keyword === 'minProperties' || keyword === 'maxProperties';
  }
}

/** Returns whether a schema refuses nothing. */
function isVoid(schema: Json): boolean {
  return isObject(schema) && Object.keys(schema).every((keyword) => neutral.has(keyword));
}

/** Covers the pairs that never occur together by groups, each as large as possible. */
function groups(
  accepted: Formula,
  names: readonly string[],
  formulas: Formulas,
): readonly ExclusiveMembers[] {
  const excluded = new Map(
    names.map((a) => [a, new Set(names.filter((b) => !formulas.isPossible(accepted, [a, b])))] as const),
  );
  const isRequired = (group: readonly string[]): boolean => !formulas.isPossible(accepted, [], group);
  const cliques = cliquesOf(names, (a, b) => excluded.get(a)?.has(b) === true);
  const single = names.filter((name) => !cliques.some((group) => group.includes(name)) && isRequired([name]));
  return [...cliques, ...single.map((name) => [name])].map((group) => ({
    names: group,
    isRequired: isRequired(group),
  }));
}

/** Returns groups of names that are all related, so that each related pair is in a group. */
function cliquesOf(
  names: readonly string[],
  isRelated: (a: string, b: string) => boolean,
): readonly (readonly string[])[] {
  const cliques: (readonly string[])[] = [];
  for (const [index, a] of names.entries()) {
    for (const b of names.slice(index + 1)) {
      if (!isRelated(a, b) || cliques.some((clique) => clique.includes(a) && clique.includes(b))) continue;
      const clique = new Set([a, b]);
      for (const name of names)
        if ([...clique].every((each) => each !== name && isRelated(each, name))) clique.add(name);
      cliques.push(names.filter((name) => clique.has(name)));
    }
  }
  return cliques;
}
