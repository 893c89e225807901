/** Limits of lists, maps and strings with which the estimated cost of a rule is low enough. */
import { CompileError } from '../cel/syntax/issues.ts';
import { escapeName } from '../cel/syntax/reserved.ts';
import type { JsonPath, Objection } from '../rules/places.ts';
import { array, isObject, type Json, type JsonObject, object, own, text } from '../values/json.ts';
import { ruleLimit } from './expressions.ts';
import { costBySizes, ruleCost } from './rules/compile.ts';
import { declare, sizesOf } from './rules/declarations.ts';
import { parseSchema } from './structural.ts';

/** A keyword that limits the cost of a rule. */
export interface HelpfulBound {
  /** Steps from the root of the schema to the schema that lacks the keyword, or whose limit is too high. */
  readonly keys: JsonPath;
  readonly keyword: 'maxItems' | 'maxLength' | 'maxProperties';
  /** The limit that is too high. Absent if the keyword is missing. */
  readonly present?: number;
}

/** Keywords with the largest value that is enough for all of them. */
export interface HelpfulBounds {
  readonly bounds: readonly HelpfulBound[];
  readonly value: number;
}

/** Largest value that is considered: more bytes than half of those of the largest request. */
const largest = 2 ** 21;

/**
 * Returns the keywords that would lower the estimated cost of a rule below its limit: missing ones, and
 * limits that are too high if the missing ones are not enough. `undefined` if the objection is to something
 * else, or no limit of sizes is enough.
 */
export function helpfulBounds(schema: JsonObject, { keys, detail }: Objection): HelpfulBounds | undefined {
  const end = keys.lastIndexOf('x-kubernetes-validations');
  if (end < 0 || keys.length !== end + 3 || !detail.includes('exceeds budget')) return undefined;
  try {
    return new Search(schema, keys, end).result();
  } catch (error) {
    if (error instanceof CompileError) return undefined;
    throw error;
  }
}

/** The value of each keyword by the steps to its schema; `undefined` leaves it out. */
type Values = (keys: JsonPath) => number | undefined;

class Search {
  readonly #root: JsonObject;
  readonly #node: JsonPath;
  readonly #cost: (values: Values) => number;
  /** The schemas on whose limits the cost depends, by their steps. */
  readonly #found = new Map<string, HelpfulBound>();

  /** @param end of the steps to the schema of the rule */
  constructor(root: JsonObject, keys: JsonPath, end: number) {
    this.#root = root;
    this.#node = keys.slice(0, end);
    const rule = array(this.#schemaAt(this.#node), 'x-kubernetes-validations')[Number(keys[end + 1])];
    this.#cost = this.#costOf(rule, keys[end + 2] === 'messageExpression');
  }

  result(): HelpfulBounds | undefined {
    // Adds the keywords that the estimation needs.
    this.#cost(() => 1);
    const all = [...this.#found.values()].sort((a, b) => a.keys.length - b.keys.length);
    return this.#fewest(all.filter(({ present }) => present === undefined)) ?? this.#fewest(all);
  }

  #fewest(all: readonly HelpfulBound[]): HelpfulBounds | undefined {
    const value = this.#most(all);
    if (value === undefined) return undefined;
    let bounds = all;
    // A keyword without which the others may still be half as large is left out.
    for (const each of all.toReversed()) {
      const others = bounds.filter((bound) => bound !== each);
      if ((this.#most(others) ?? 0) * 2 > value) bounds = others;
    }
    const most = this.#most(bounds) ?? value;
    return { bounds: bounds.filter(({ present }) => present === undefined || present > most), value: most };
  }

  #most(bounds: readonly HelpfulBound[]): number | undefined {
    const set = new Set(bounds.map(({ keys }) => keyOf(keys)));
    const isEnough = (value: number): boolean =>
      this.#cost((keys) => (set.has(keyOf(keys)) ? value : undefined)) <= ruleLimit;
    if (!isEnough(1)) return undefined;
    let [enough, tooMany] = [1, largest];
    while (tooMany - enough > 1) {
      const middle = Math.floor((enough + tooMany) / 2);
      if (isEnough(middle)) enough = middle;
      else tooMany = middle;
    }
    return enough;
  }

  #costOf(rule: Json | undefined, isMessage: boolean): (values: Values) => number {
    const parsed = parseSchema(this.#schemaAt(this.#node));
    const declaration = declare(parsed, this.#node.length === 0 || parsed.embeddedResource);
    if (declaration === undefined) return () => 0;
    const source = text(rule ?? null, isMessage ? 'messageExpression' : 'rule');
    const cost = costBySizes(source, declaration, own(rule, 'optionalOldSelf') === true);
    const declared = sizesOf(declaration);
    return (values) => {
      const one = cost((node) => {
        const size = declared(node);
        const keys = node.path === undefined ? undefined : this.#keysOf(node.path.slice(1));
        const value = keys && this.#valueAt(keys, values);
        return size === undefined || value === undefined ? size : { min: 0, max: Math.min(size.max, value) };
      });
      return isMessage ? one : ruleCost(one, this.#count(values), declaration);
    };
  }

  /** Returns the size by the keyword of a schema; records the keyword. */
  #valueAt(keys: JsonPath, values: Values): number | undefined {
    const schema = this.#schemaAt(keys);
    const keyword = sizeKeyword(schema);
    if (keyword === undefined) return undefined;
    const key = keyOf(keys);
    const present = own(schema, keyword);
    if (!this.#found.has(key))
      this.#found.set(key, { keys, keyword, ...(typeof present === 'number' && { present }) });
    const value = values(keys);
    const isText = keyword === 'maxLength' && text(schema, 'format') !== 'byte';
    return value === undefined ? undefined : value * (isText ? 4 : 1);
  }

  /** Number of the values of the rule's schema in an object; `undefined` if it is not limited. */
  #count(values: Values): number | undefined {
    let count: number | undefined = 1;
    for (let length = 0; length < this.#node.length; length += 1) {
      const step = this.#node[length];
      if (step !== 'items' && step !== 'additionalProperties') continue;
      const keys = this.#node.slice(0, length);
      // The name of a property.
      if (this.#node[length - 1] === 'properties' && isName(this.#node, length - 1)) continue;
      const schema = this.#schemaAt(keys);
      const keyword = sizeKeyword(schema);
      const given = keyword && own(schema, keyword);
      const proposed = keyword && this.#valueAt(keys, values);
      const limit = typeof given === 'number' ? Math.min(given, proposed ?? given) : proposed;
      count = count === undefined || limit === undefined ? undefined : count * Math.max(limit, 0);
    }
    return count;
  }

  /** Returns the steps to the schema of a path of an expression. */
  #keysOf(path: readonly string[]): JsonPath | undefined {
    let keys = this.#node;
    for (const step of path) {
      const schema = this.#schemaAt(keys);
      if (step === '@items' || step === '@values')
        keys = [...keys, step === '@items' ? 'items' : 'additionalProperties'];
      else {
        const name = Object.keys(object(schema, 'properties')).find((name) => escapeName(name) === step);
        if (name === undefined) return undefined;
        keys = [...keys, 'properties', name];
      }
    }
    return keys;
  }

  #schemaAt(keys: JsonPath): JsonObject {
    const schema = keys.reduce<Json | undefined>((node, key) => own(node, String(key)), this.#root);
    return isObject(schema) ? schema : {};
  }
}

function keyOf(keys: JsonPath): string {
  return JSON.stringify(keys);
}

/** Returns whether the step after `properties` is a name: `properties` may be a name itself. */
function isName(keys: JsonPath, index: number): boolean {
  return index === 0 || keys[index - 1] !== 'properties' || !isName(keys, index - 1);
}

/** Returns the keyword that limits the size of a schema's values. */
function sizeKeyword(schema: JsonObject): HelpfulBound['keyword'] | undefined {
  const type = text(schema, 'type');
  if (type === 'array') return 'maxItems';
  if (type === 'object') return isObject(own(schema, 'additionalProperties')) ? 'maxProperties' : undefined;
  const isSized =
    own(schema, 'enum') !== undefined || ['duration', 'date', 'date-time'].includes(text(schema, 'format'));
  return type === 'string' && !isSized ? 'maxLength' : undefined;
}
