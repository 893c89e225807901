/** Objects that break exactly one rule each. */
import type { FieldError } from '@kgen/runtime/objects';
import { isArray, isObject, type JsonObject } from '@kgen/schema/values/json';
import type { Documents } from './documents.ts';
import {
  fieldOf,
  isOptional,
  memberOf,
  type Path,
  pathOfField,
  placeOf,
  valueAt,
  walkValues,
  withValue,
} from './paths.ts';
import { type Break, breaksAt } from './schema/breaks.ts';
import { type Focus, rulesAt, type Verdict } from './search.ts';
import type { InvalidSample, SampleSet, Unmet } from './types.ts';
import type { Validate } from './violations.ts';

/** Parts of the search for invalid samples. */
export interface NearMissContext {
  /** Valid objects, which together have every place of the schema. */
  readonly samples: readonly JsonObject[];
  readonly documents: Documents;
  readonly validate: Validate;
  readonly fixed: ReadonlySet<string>;
  /** Whether the budget is exhausted: rules that are not broken yet are reported. */
  readonly isExhausted: () => boolean;
  readonly search: (
    start: JsonObject,
    evaluate: (object: JsonObject) => Verdict,
    seed: number,
    focus: Focus,
  ) => { readonly object: JsonObject; readonly verdict: Verdict };
}

/** Returns objects that break one rule each, for every rule of every place that a sample has. */
export function nearMisses(context: NearMissContext): SampleSet<InvalidSample<JsonObject>> {
  const misses = new Misses(context);
  const bySize = context.samples.map((base) => [JSON.stringify(base).length, base] as const);
  const bases = bySize.sort(([a], [b]) => a - b).map(([, base]) => base);
  // Searches for violations of CEL rules take most of the work.
  for (const base of bases) misses.visit(base, false);
  for (const base of bases) misses.visit(base, true);
  return misses.found;
}

/** Searches for a rule in this many samples at most. */
const maxTries = 3;

class Misses {
  readonly #context: NearMissContext;
  readonly #samples: InvalidSample<JsonObject>[] = [];
  readonly #done = new Set<string>();
  readonly #tries = new Map<string, { readonly unmet: Unmet; readonly count: number }>();

  constructor(context: NearMissContext) {
    this.#context = context;
  }

  get found(): SampleSet<InvalidSample<JsonObject>> {
    return { samples: this.#samples, unmet: [...this.#tries.values()].map(({ unmet }) => unmet) };
  }

  /** Breaks the CEL rules, or the others, of all places of a valid object that were not broken before. */
  visit(base: JsonObject, hasRules: boolean): void {
    const { documents, fixed } = this.#context;
    const slim = new Map<string, Slim>();
    walkValues(base, (path, value) => {
      if (path.length > 0 && fixed.has(String(path[0]))) return;
      const breaks = hasRules ? [] : breaksAt(path, value, documents);
      const open = breaks.filter((each) => !this.#done.has(this.#keyOf(each)));
      const rules = hasRules ? rulesAt(path, documents).filter(({ rule }) => this.#isOpen(path, rule)) : [];
      if (open.length + rules.length === 0) return;
      if (this.#context.isExhausted()) {
        for (const { rule } of [...open, ...rules]) this.#missed(path, rule, 'the budget is exhausted');
        return;
      }
      const small = this.#slimmed(base, path, slim);
      const own = hasRules ? [] : breaksAt(small.path, valueAt(small.object, small.path) ?? value, documents);
      for (const each of own) if (!this.#done.has(this.#keyOf(each))) this.#break(small.object, each);
      for (const rule of rules) this.#violate(small.object, small.path, rule);
    });
  }

  #keyOf({ path, rule }: Pick<Break, 'path' | 'rule'>): string {
    return `${placeOf(path, this.#context.documents)}|${rule}`;
  }

  /** Rules about changes of a value cannot fail for a new object. */
  #isOpen(path: Path, rule: string): boolean {
    const key = this.#keyOf({ path, rule });
    return !this.#done.has(key) && !/\boldSelf\b/.test(rule) && (this.#tries.get(key)?.count ?? 0) < maxTries;
  }

  #break(base: JsonObject, each: Break): void {
    const broken = broke(base, each, this.#context);
    if (broken === undefined) return;
    this.#done.add(this.#keyOf(each));
    this.#tries.delete(this.#keyOf(each));
    this.#samples.push(broken);
  }

  #violate(base: JsonObject, path: Path, rule: ReturnType<typeof rulesAt>[number]): void {
    const key = this.#keyOf({ path, rule: rule.rule });
    const found = violate(base, path, rule, this.#context);
    if (found === undefined) {
      this.#missed(path, rule.rule, 'no object was found that breaks only this rule');
      return;
    }
    this.#done.add(key);
    this.#tries.delete(key);
    this.#samples.push(found);
  }

  #missed(path: Path, rule: string, reason: string): void {
    const key = this.#keyOf({ path, rule });
    const unmet = { path: placeOf(path, this.#context.documents), goal: rule, reason };
    this.#tries.set(key, { unmet, count: (this.#tries.get(key)?.count ?? 0) + 1 });
  }

  /** Returns the object with as few members and items beside the path as are valid. */
  #slimmed(base: JsonObject, path: Path, cache: Map<string, Slim>): Slim {
    const last = path.at(-1);
    if (last === undefined) return { object: base, path };
    const key = JSON.stringify(path);
    const known = cache.get(key);
    if (known !== undefined) return known;
    const above = this.#slimmed(base, path.slice(0, -1), cache);
    const narrow = this.#narrowed(above, last);
    const isValid = narrow.object !== above.object && this.#context.validate(narrow.object).length === 0;
    const slim = isValid ? narrow : { object: above.object, path: [...above.path, last] };
    cache.set(key, slim);
    return slim;
  }

  /** Returns the object without the other items of a list, or without the other optional members. */
  #narrowed({ object, path }: Slim, step: string | number): Slim {
    const { documents, fixed } = this.#context;
    const value = valueAt(object, path);
    const below = [...path, step];
    if (isArray(value)) {
      const item = typeof step === 'number' ? value[step] : undefined;
      const single = item === undefined || value.length === 1 ? object : withValue(object, path, [item]);
      return isObject(single) && single !== object
        ? { object: single, path: [...path, 0] }
        : { object, path };
    }
    if (!isObject(value) || (path.length === 0 && fixed.has(String(step)))) return { object, path: below };
    const others = Object.keys(value).filter((name) => name !== step);
    const slim = others.reduce<JsonObject>((all, name) => {
      const sibling = [...path, name];
      if (path.length === 0 && fixed.has(name)) return all;
      const without = isOptional(sibling, documents) ? withValue(all, sibling, undefined) : all;
      return isObject(without) ? without : all;
    }, object);
    return { object: slim, path: below };
  }
}

/** A valid object without the values beside a path. Its indices may differ from the whole object's. */
interface Slim {
  readonly object: JsonObject;
  readonly path: Path;
}

/** Invalid sample of a built-in kind, with its rule in the terms of limits. */
export interface AssumedBreak extends InvalidSample<JsonObject> {
  readonly limit: string;
}

/** Rules of the schemas of built-in kinds that servers enforce at the path of the schema, with exceptions. */
const enforced: ReadonlySet<string> = new Set(['required', 'enum']);

/** Returns objects that break a rule of a built-in kind each, once for each member. */
export function assumedBreaks(
  objects: readonly JsonObject[],
  documents: Documents,
  fixed: ReadonlySet<string>,
): readonly AssumedBreak[] {
  const found = new Map<string, AssumedBreak>();
  for (const base of objects) {
    walkValues(base, (path, value) => {
      if (path.length > 0 && fixed.has(String(path[0]))) return;
      for (const { rule, path: at, value: broken } of breaksAt(path, value, documents)) {
        const limit = `${memberOf(at, documents)}!${rule}`;
        if (!enforced.has(rule) || found.has(limit)) continue;
        const object = withValue(base, at, broken);
        if (isObject(object)) found.set(limit, { object, path: fieldOf(at), rule, message: '', limit });
      }
    });
  }
  return [...found.values()];
}

/** Returns the object with the change, if all errors are those of the broken rule. */
function broke(
  base: JsonObject,
  { rule, path, value }: Break,
  { validate }: NearMissContext,
): InvalidSample<JsonObject> | undefined {
  const changed = withValue(base, path, value);
  if (!isObject(changed)) return undefined;
  const errors = validate(changed);
  const [first] = errors;
  if (first === undefined || !errors.every(({ field }) => field === first.field || field === '<nil>'))
    return undefined;
  const error = errors.find(({ field }) => field !== '<nil>') ?? first;
  return { object: changed, path: error.field, rule, message: error.detail ?? '' };
}

/** Searches an object in which a CEL rule fails and nothing else. */
function violate(
  base: JsonObject,
  path: Path,
  rule: { readonly rule: string; readonly message: string; readonly fieldPath: string },
  context: NearMissContext,
): InvalidSample<JsonObject> | undefined {
  const place = placeOf(path, context.documents);
  const isTarget = ({ field, detail = '', reason }: FieldError, object: JsonObject): boolean => {
    if (rule.message !== '' && detail !== rule.message && reason !== 'FieldValueDuplicate') return false;
    if (rule.message === '' && !/^failed rule|^[^:]*$/.test(detail) && detail !== '') return false;
    const at = pathOfField(field, object);
    const own = rule.fieldPath === '' ? at : at.slice(0, path.length);
    return placeOf(own, context.documents) === place;
  };
  const evaluate = (object: JsonObject): Verdict => {
    const errors = context.validate(object);
    const hits = errors.filter((error) => isTarget(error, object)).length;
    return { cost: (hits > 0 ? 0 : 1) + (errors.length - hits) + Math.max(0, hits - 1), errors };
  };
  const focus = { path, rules: [rule.rule] };
  const { object, verdict } = context.search(base, evaluate, path.length + rule.rule.length, focus);
  const [error] = verdict.errors;
  if (verdict.cost > 0 || error === undefined) return undefined;
  return { object, path: error.field, rule: 'x-kubernetes-validations', message: error.detail ?? '' };
}
