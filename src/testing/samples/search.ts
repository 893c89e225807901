/** Local search for objects that satisfy, or break, the rules of a schema. */

import type { FieldError } from '@kgen/runtime/objects';
import { escapeName } from '@kgen/schema/cel/syntax/reserved';
import { array, isArray, isObject, type Json, type JsonObject, text } from '@kgen/schema/values/json';
import { type Documents, schemaAt } from './documents.ts';
import {
  definitionAt,
  isOptional,
  nodeAt,
  type Path,
  pathOfField,
  placeOf,
  typeOf,
  valueAt,
  walkValues,
  withValue,
} from './paths.ts';
import { suggestedValues } from './scalars/literals.ts';

/** Result of the validation of one candidate. */
export interface Verdict {
  /** 0 for an object that the search may return. */
  readonly cost: number;
  readonly errors: readonly FieldError[];
}

/** Parts of a search. */
export interface SearchContext {
  readonly documents: Documents;
  readonly random: () => number;
  /** Creates a new value for a node of the schema. */
  readonly create: (node: JsonObject, place: string) => Json;
  /** Returns the usual value of a member, or `undefined` if there is none. */
  readonly usual: (path: Path) => Json | undefined;
  /** Returns whether the work of the call is done, so that a search ends. */
  readonly isDone: () => boolean;
  /** Returns whether a place, or one below it, has a goal of the search. */
  readonly isRequested: (place: string) => boolean;
  /** Names of members of the root that stay as they are. */
  readonly fixed: ReadonlySet<string>;
  /**
   * Whether there may be rules that the evaluation does not know, so that a search ends without errors: other
   * changes than repairs are likely to break them.
   */
  readonly isCautious: boolean;
}

/** Position with rules on which a search concentrates. */
export interface Focus {
  readonly path: Path;
  /** CEL expressions. */
  readonly rules: readonly string[];
}

/**
 * Returns the cheapest object that random changes lead to, within a number of evaluations. Each change is
 * made near one of the errors, or near `focus`. The evaluation of a large object counts several times.
 */
export function search(
  start: JsonObject,
  evaluate: (object: JsonObject) => Verdict,
  context: SearchContext,
  budget: number,
  focus?: Focus,
): { readonly object: JsonObject; readonly verdict: Verdict; readonly evaluations: number } {
  let object = start;
  let verdict = evaluate(start);
  let evaluations = weightOf(start);
  while (verdict.cost > 0 && evaluations < budget && !context.isDone()) {
    if (context.isCautious && verdict.errors.length === 0) break;
    const near = focus !== undefined && (verdict.errors.length === 0 || context.random() < 0.7);
    const at = near ? focus : focusOf(pick(verdict.errors, context.random), object, context);
    const changed = change(object, at, context);
    evaluations += changed === undefined ? 1 : weightOf(changed);
    if (changed === undefined) continue;
    const next = evaluate(changed);
    // Equally good objects are accepted, so that a search leaves plateaus.
    if (next.cost <= verdict.cost) [object, verdict] = [changed, next];
  }
  return { object, verdict, evaluations };
}

/** Returns the number of evaluations that one of this object counts for: one for each 100 values. */
function weightOf(object: JsonObject): number {
  let values = 0;
  walkValues(object, () => {
    values += 1;
  });
  return Math.max(1, values / 100);
}

function pick<T>(items: readonly T[], random: () => number): T | undefined {
  return items[Math.floor(random() * items.length)];
}

/** Returns the place of an error with the rules of its node and of the nodes around it. */
function focusOf(error: FieldError | undefined, object: JsonObject, { documents }: SearchContext): Focus {
  const path = error === undefined ? [] : pathOfField(error.field, object);
  for (let length = path.length; length >= 0; length -= 1) {
    const rules = rulesAt(path.slice(0, length), documents);
    const own = rules.filter(({ message }) => message !== '' && message === error?.detail);
    const chosen = own.length > 0 ? own : rules;
    if (chosen.length > 0) return { path: path.slice(0, length), rules: chosen.map(({ rule }) => rule) };
    if (error?.reason !== 'FieldValueInvalid' || length < path.length - 2) break;
  }
  return { path, rules: [] };
}

/** Returns the CEL rules of the node at a path. */
export function rulesAt(
  path: Path,
  documents: Documents,
): readonly { readonly rule: string; readonly message: string; readonly fieldPath: string }[] {
  const node = nodeAt(path, documents);
  return array(node, 'x-kubernetes-validations').map((each) => ({
    rule: text(each, 'rule'),
    message: text(each, 'message').trim(),
    fieldPath: text(each, 'fieldPath'),
  }));
}

/** Makes one random change near the focus. Returns `undefined` if nothing changed. */
function change(object: JsonObject, focus: Focus, context: SearchContext): JsonObject | undefined {
  const tested = testedNames(focus.rules);
  if (tested.size > 1 && context.random() < 0.5) return withOne(object, focus, tested, context);
  const target = pick(targetsOf(object, focus, context), context.random);
  if (target === undefined) return undefined;
  const made = changeAt(object, target, focus, context);
  return isObject(made) && made !== object ? made : undefined;
}

/** Returns the names of the members whose existence rules test: `has(self.store.name)`. */
function testedNames(rules: readonly string[]): ReadonlySet<string> {
  const tests = rules.flatMap((rule) => [
    ...rule.matchAll(/\bhas\(\s*[\w.]+\.(\w+)\s*\)|\.\?(\w+)\.hasValue\(/g),
  ]);
  return new Set(tests.map(([, tested = '', optional = '']) => tested || optional));
}

/** Returns the object with exactly one of the tested members in one object below the focus. */
function withOne(
  object: JsonObject,
  { path }: Focus,
  tested: ReadonlySet<string>,
  context: SearchContext,
): JsonObject | undefined {
  const { documents, random } = context;
  const unions: { readonly at: Path; readonly names: readonly string[] }[] = [];
  walkValues(
    valueAt(object, path) ?? null,
    (at, value) => {
      if (!isObject(value) || at.length > path.length + 6 || context.fixed.has(String(at[0]))) return;
      const properties = Object.keys(schemaAt(nodeAt(at, documents) ?? {}, 'properties') ?? {});
      const names = properties.filter((name) => tested.has(escapeName(name) ?? name));
      if (names.length > 1) unions.push({ at, names });
    },
    path,
  );
  const union = pick(unions, random);
  if (union === undefined) return undefined;
  const members = union.names.map((name): Path => [...union.at, name]);
  const selected = members.filter((member) => context.isRequested(placeOf(member, documents)));
  const chosen = pick(selected.length > 0 ? selected : members, random) ?? [];
  const value = valueAt(object, chosen) ?? newValue(nodeAt(chosen, documents), chosen, context);
  const changed = members.reduce<Json>(
    (all, member) => withValue(all, member, member === chosen ? value : undefined),
    object,
  );
  return isObject(changed) ? changed : undefined;
}

/** Returns the paths below the focus that its rules name, or all of its members, present or not. */
function targetsOf(object: JsonObject, { path, rules }: Focus, context: SearchContext): readonly Path[] {
  const names = new Set(rules.flatMap((rule) => rule.match(/[A-Za-z_]\w*/g) ?? []));
  const found: Path[] = [];
  const add = (at: Path): void => {
    const isFixed = at.length === 0 || context.fixed.has(String(at[0])) || isMetadata(at);
    if (!isFixed && found.length < 200) found.push(at);
  };
  const isNamed = (name: string): boolean => names.size === 0 || names.has(name);
  walkValues(
    valueAt(object, path) ?? null,
    (at, value) => {
      const node = nodeAt(at, context.documents);
      const last = at.at(-1);
      if (typeof last === 'string' ? isNamed(last) : at.length > path.length) add(at);
      if (!isObject(value) || at.length > path.length + 6) return;
      const properties = node === undefined ? undefined : schemaAt(node, 'properties');
      for (const name of Object.keys(properties ?? {}))
        if (!Object.hasOwn(value, name) && names.has(name)) add([...at, name]);
    },
    path,
  );
  add(path);
  return found;
}

/** Only the name of an object's own metadata may change. */
function isMetadata(path: Path): boolean {
  return path[0] === 'metadata' && path[1] !== 'name';
}

function changeAt(
  object: JsonObject,
  path: Path,
  { rules, path: base }: Focus,
  context: SearchContext,
): Json {
  const { documents, random } = context;
  const value = valueAt(object, path);
  const node = nodeAt(path, documents);
  // Servers refuse an object without a name, whatever its schema requires.
  const isRemovable = value !== undefined && path[0] !== 'metadata' && isOptional(path, documents);
  switch (Math.floor(random() * 5)) {
    case 0:
      return isRemovable ? withValue(object, path, undefined) : object;
    case 1:
      return withValue(object, path, pick(suggestedValues(rules, node, random), random) ?? value);
    case 2:
      return withValue(object, path, copyOf(object, base, node, random) ?? value);
    case 3:
      if (isArray(value)) return withValue(object, path, resized(value, path, context));
      return typeof value === 'number' ? withValue(object, path, value + (random() < 0.5 ? 1 : -1)) : object;
    default:
      return withValue(object, path, newValue(node, path, context) ?? value);
  }
}

/** Returns the usual value of a member more often than a random one. */
function newValue(node: JsonObject | undefined, path: Path, context: SearchContext): Json | undefined {
  const usual = context.usual(path);
  if (usual !== undefined && context.random() < 0.7) return usual;
  if (node === undefined) return undefined;
  // Hints belong to the name of a definition.
  const owner = definitionAt(path, context.documents);
  return context.create(owner === undefined ? node : { $ref: owner }, placeOf(path, context.documents));
}

/** Returns the scalar value of another member near the rule that has the type of the node. */
function copyOf(
  object: JsonObject,
  base: Path,
  node: JsonObject | undefined,
  random: () => number,
): Json | undefined {
  const type = typeOf(node);
  const found: Json[] = [];
  walkValues(valueAt(object, base) ?? null, (_path, value) => {
    const name = typeof value === 'number' ? (type === 'number' ? 'number' : 'integer') : typeof value;
    if (name === type && typeof value !== 'object' && found.length < 50) found.push(value);
  });
  return pick(found, random);
}

/** Returns a list with one item more, one less, or a single one. */
function resized(list: readonly Json[], path: Path, { documents, random, create }: SearchContext): Json {
  const items = schemaAt(nodeAt(path, documents) ?? {}, 'items');
  const way = random();
  if (way < 0.3) return list.slice(0, 1);
  if (way < 0.6 || items === undefined)
    return list.filter((_, index) => index !== Math.floor(random() * list.length));
  return [...list, create(items, `${placeOf(path, documents)}[]`)];
}
