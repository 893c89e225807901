/** Samples of one resource whose schema is loaded. */
import type { Resource } from '@kgen/runtime/client';
import { type JsonObject, object, put } from '@kgen/schema/values/json';
import { builtInHints, isAllowed, isEnforced, type Limits } from './built-in/hints.ts';
import { builtInLimits } from './built-in/limits.ts';
import { namelessKinds, objectNames } from './built-in/rules.ts';
import {
  type Choices,
  type Goal,
  goalChoices,
  goalKey,
  listedChoices,
  seededChoices,
  seededRandom,
} from './choices.ts';
import { type Documents, loadDocuments } from './documents.ts';
import { Generator, type Hints, noHints } from './generator.ts';
import { goalsOf, reachedGoals } from './goals.ts';
import { type AssumedBreak, assumedBreaks, nearMisses } from './near-misses.ts';
import { definitionAt } from './paths.ts';
import { isValidString, stringOf, stringRules } from './scalars/strings.ts';
import { type Focus, type SearchContext, search, type Verdict } from './search.ts';
import type { InvalidSample, Sample, SampleOptions, SampleSet, Unmet } from './types.ts';
import { type Validate, validatorOf, Work } from './violations.ts';

/** Evaluations of rules until a valid object is expected. */
const defaultBudget = 400;

/** Number of searches with a whole budget that one call may make. */
const searches = 50;

/** Largest share of the remaining work that one search may take. */
const shareOfSearch = 0.1;

/** Objects that are created, each with other random values, until one is valid. */
const attempts = 12;

/** Loads the schema of a resource, and the rules of a built-in kind, and returns its sampler. */
export async function loadSampler(resource: Resource, options: SamplerOptions): Promise<Sampler> {
  const documents = await loadDocuments(resource);
  const work = new Work();
  const validate = validatorOf(documents, work);
  if (resource.builtIn !== true) return new Sampler(resource, { documents, validate, work }, options);
  const { builtInValidatorOf } = await import('./built-in/validation.ts');
  const validateKind = builtInValidatorOf(resource);
  const validateAll: Validate = (object) => [...validate(object), ...validateKind(object)];
  return new Sampler(resource, { documents, validate: validateAll, work }, options);
}

/** Schema and validation of a resource. */
interface SamplerSource {
  readonly documents: Documents;
  readonly validate: Validate;
  readonly work: Work;
}

/** Options of a sampler. */
export interface SamplerOptions extends SampleOptions {
  /** Limits of built-in kinds. Default: those of API servers. */
  readonly limits?: Limits;
}

export class Sampler {
  readonly documents: Documents;
  readonly #resource: Resource;
  readonly #isBuiltIn: boolean;
  readonly #hints: Hints;
  readonly #limits: Limits;
  #goals: readonly Goal[] | undefined;
  readonly #validate: Validate;
  readonly #work: Work;
  readonly #seed: number;
  readonly #budget: number;
  /** Members of the root that are not taken from the schema. */
  readonly #fixed: ReadonlySet<string>;
  readonly #namespace: string | undefined;
  /** Evaluations that are left for all searches of one call. */
  #left = 0;

  constructor(resource: Resource, { documents, validate, work }: SamplerSource, options: SamplerOptions) {
    const {
      seed = 1,
      budget = defaultBudget,
      namespace,
      status = resource.subresources?.['status'] === undefined,
    } = options;
    this.documents = documents;
    this.#isBuiltIn = resource.builtIn === true;
    this.#limits = this.#isBuiltIn ? (options.limits ?? builtInLimits) : {};
    this.#hints = this.#isBuiltIn ? builtInHints(resource.kind, namespace) : noHints;
    this.#resource = resource;
    this.#work = work;
    this.#validate = (object) => {
      work.visit(object);
      return validate(object);
    };
    this.#seed = seed;
    this.#budget = budget;
    this.#namespace = namespace;
    this.#fixed = new Set(['apiVersion', 'kind', 'metadata', ...(status ? [] : ['status'])]);
  }

  /** Returns a valid object, the same one for the same seed. */
  sample(): JsonObject {
    this.#left = attempts * this.#budget;
    return this.#isBuiltIn ? this.#variation(this.#seed - 1) : this.#valid();
  }

  /** Returns the usual object of a built-in kind, or one that has one option besides. */
  #variation(number: number): JsonObject {
    const { goals } = this;
    const goal = goals[(number % (goals.length + 1)) - 1];
    if (goal === undefined) return this.#valid();
    const { object, verdict } = this.forGoal(goal);
    return verdict.cost === 0 ? object : this.#valid();
  }

  #valid(): JsonObject {
    let best: Found | undefined;
    for (let attempt = 0; attempt < attempts && best?.verdict.cost !== 0; attempt += 1) {
      const seed = this.#seed * attempts + attempt;
      // The last attempt has only what is required.
      const choices = attempt === attempts - 1 ? listedChoices([]) : seededChoices(seed);
      const found = this.#repaired(this.#create(choices, this.#seed), seed, this.#cost);
      if (best === undefined || found.verdict.cost < best.verdict.cost) best = found;
    }
    if (best?.verdict.cost === 0) return best.object;
    const { kind } = this.#resource;
    const reasons = best?.verdict.errors.slice(0, 3).map(({ field, detail }) => `${field}: ${detail ?? ''}`);
    throw new Error(
      `sample ${kind}: no valid object within ${attempts * this.#budget} attempts: ${reasons?.join('; ')}`,
    );
  }

  #restart(share: number): void {
    this.#left = searches * this.#budget;
    this.#work.restart(share);
  }

  /** Whether one of the limits of a call is reached. */
  get #isExhausted(): boolean {
    return this.#left <= 0 || this.#work.isDone;
  }

  /** Goals that the samples reach together. */
  get goals(): readonly Goal[] {
    this.#goals ??= goalsOf(this.documents, this.#fixed, (member, label) =>
      isAllowed(this.#limits, member, label),
    );
    return this.#goals;
  }

  /** Returns a valid object for a list of numbers from 0 up to 1, or `undefined` if none is found. */
  fromNumbers(numbers: readonly number[]): JsonObject | undefined {
    this.#left = this.#budget;
    if (this.#isBuiltIn) return this.#variation(Math.floor((numbers[0] ?? 0) * (this.goals.length + 1)));
    const { object, verdict } = this.#repaired(
      this.#create(listedChoices(numbers), 1),
      this.#seed,
      this.#cost,
    );
    return verdict.cost === 0 ? object : undefined;
  }

  /** Returns valid objects that reach every goal together, and the goals that none was found for. */
  samples(): SampleSet<Sample<JsonObject>> {
    this.#restart(1);
    return this.#collected();
  }

  #collected(): SampleSet<Sample<JsonObject>> {
    const open = new Map(this.goals.map((goal) => [goalKey(goal), goal]));
    const samples: Sample<JsonObject>[] = [];
    const take = (object: JsonObject): void => {
      const covers = this.#reached(object, open);
      if (covers.length === 0) return;
      for (const goal of covers) open.delete(goalKey(goal));
      samples.push({ object, covers: covers.map(goalText) });
    };
    take(this.#valid());
    // Only the rules of custom resources are all known, so that others have one goal at a time.
    if (!this.#isBuiltIn) this.#takeRounds(open, take);
    const unmet = [...open.values()].flatMap((goal): Unmet[] => {
      if (!open.has(goalKey(goal))) return [];
      if (this.#isExhausted)
        return [{ path: goal.place, goal: goal.label, reason: 'the budget is exhausted' }];
      const found = this.forGoal(goal);
      if (found.verdict.cost === 0) take(found.object);
      else return [{ path: goal.place, goal: goal.label, reason: reasonOf(found.verdict) }];
      return [];
    });
    return { samples, unmet };
  }

  /** Returns objects that break one rule each. */
  invalidSamples(): SampleSet<InvalidSample<JsonObject>> {
    this.#restart(0.5);
    const { samples } = this.#collected();
    if (this.#isBuiltIn) {
      const broken = this.breaksOf(samples.map(({ object }) => object));
      return { samples: broken.map(({ limit: _limit, ...sample }) => sample), unmet: [] };
    }
    this.#restart(0.5);
    return nearMisses({
      isExhausted: () => this.#isExhausted,
      samples: samples.map(({ object }) => object),
      documents: this.documents,
      validate: this.#validate,
      fixed: this.#fixed,
      search: (start, evaluate, seed, focus) =>
        this.#search(start, evaluate, seed, Math.min(this.#budget, 150), { focus }),
    });
  }

  /** Returns built-in objects that break a rule of the schema which API servers enforce. */
  breaksOf(objects: readonly JsonObject[]): readonly AssumedBreak[] {
    return assumedBreaks(objects, this.documents, this.#fixed).filter(({ limit }) => {
      const [member = '', rule = ''] = limit.split('!');
      return isEnforced(this.#limits, member, rule);
    });
  }

  /** Creates objects that reach many goals each, until a few in a row reach none. */
  #takeRounds(open: ReadonlyMap<string, Goal>, take: (object: JsonObject) => void): void {
    let idle = 0;
    for (let round = 0; idle < 3 && open.size > 0 && round < 200 && !this.#work.isDone; round += 1) {
      const before = open.size;
      const seed = this.#seed * 1_000 + round;
      const choices = goalChoices(open.values(), seed, [0.9, 0.6, 0.35][round % 3] ?? 0.6);
      const found = this.#repaired(this.#create(choices, round + 2), seed, this.#cost);
      if (found.verdict.cost === 0) take(found.object);
      idle = open.size < before ? 0 : idle + 1;
    }
  }

  /** Searches an object for a single goal. */
  forGoal(goal: Goal): Found {
    const key = goalKey(goal);
    const cost = (object: JsonObject): Verdict => {
      const { cost, errors } = this.#cost(object);
      const isReached = this.#reached(object, new Map([[key, goal]])).length > 0;
      return { cost: cost + (isReached ? 0 : 1), errors };
    };
    let best: Found | undefined;
    for (let attempt = 0; attempt < 3 && best?.verdict.cost !== 0; attempt += 1) {
      const seed = this.#seed * 77 + attempt;
      const start = this.#create(goalChoices([goal], seed, 1), 1);
      const { object, verdict } = this.#repaired(start, seed, cost, 60, goal);
      // The search may end with a valid object that does not reach the goal.
      const isExplained = verdict.cost === 0 || verdict.errors.length > 0;
      const errors = isExplained ? verdict.errors : this.#cost(start).errors;
      const found = { object, verdict: { cost: verdict.cost, errors } };
      if (best === undefined || found.verdict.cost < best.verdict.cost) best = found;
    }
    return best ?? { object: {}, verdict: { cost: 1, errors: [] } };
  }

  #reached(object: JsonObject, goals: ReadonlyMap<string, Goal>): readonly Goal[] {
    const found = new Map<string, Goal>();
    reachedGoals(object, this.documents, (place, aspect, option) => {
      const key = goalKey({ place, aspect, option });
      const goal = goals.get(key);
      if (goal !== undefined) found.set(key, goal);
    });
    return [...found.values()];
  }

  readonly #cost = (object: JsonObject): Verdict => {
    const errors = this.#validate(object);
    return { cost: errors.length, errors };
  };

  #repaired(
    start: JsonObject,
    seed: number,
    cost: (object: JsonObject) => Verdict,
    budget = this.#budget,
    goal?: Goal,
  ): Found {
    return this.#search(start, cost, seed, budget, goal && { goal });
  }

  #search(
    start: JsonObject,
    evaluate: (object: JsonObject) => Verdict,
    seed: number,
    budget: number,
    { focus, goal }: { readonly focus?: Focus; readonly goal?: Goal } = {},
  ): Found {
    const context = this.#context(seed, goal);
    const found = search(start, evaluate, context, Math.min(budget, this.#left), focus);
    this.#left -= found.evaluations;
    return found;
  }

  #context(seed: number, goal?: Goal): SearchContext {
    const random = seededRandom(seed);
    return {
      documents: this.documents,
      random,
      fixed: this.#fixed.has('status')
        ? new Set(['apiVersion', 'kind', 'status'])
        : new Set(['apiVersion', 'kind']),
      isCautious: this.#isBuiltIn,
      isDone: this.#work.part(shareOfSearch),
      isRequested: (place) => goal !== undefined && isWithin(goal.place, place),
      usual: (path) => {
        const owner = definitionAt(path.slice(0, -1), this.documents);
        return owner === undefined ? undefined : this.#hints.property(owner, String(path.at(-1)));
      },
      create: (node, place) => {
        const choices: Choices = {
          random,
          wish: () => undefined,
          presence: () => undefined,
          wantsValue: () => false,
        };
        const value = new Generator(this.documents, choices, this.#hints).value(node, { place, depth: 4 });
        this.#work.visit(value);
        return value;
      },
    };
  }

  #create(choices: Choices, number: number): JsonObject {
    const { group, version, kind, singular, scope } = this.#resource;
    const members = new Generator(this.documents, choices, this.#hints).members(
      this.documents.root,
      { place: '', depth: 0 },
      this.#fixed,
      this.documents.name,
    );
    const named = object(object(this.documents.root, 'properties'), 'metadata', 'properties', 'name');
    const rules = stringRules(named);
    const plain = objectNames[kind] ?? `${singular.toLowerCase()}-${number}`;
    const name = isValidString(plain, rules) ? plain : stringOf(rules, choices.random);
    const metadata: JsonObject = this.#isBuiltIn && namelessKinds.has(kind) ? {} : { name };
    const namespace = scope === 'Namespaced' ? this.#namespace : undefined;
    const identity: JsonObject = {
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind,
      metadata: namespace === undefined ? metadata : put(metadata, 'namespace', namespace),
    };
    const whole = { ...identity, ...members };
    this.#work.visit(whole);
    return whole;
  }
}

interface Found {
  readonly object: JsonObject;
  readonly verdict: Verdict;
}

/** Returns whether a place is another one or a part of it. */
function isWithin(place: string, outer: string): boolean {
  return place === outer || (place.startsWith(outer) && /^[.[{]/.test(place.slice(outer.length)));
}

function goalText({ place, label }: Goal): string {
  return `${place}: ${label}`;
}

function reasonOf({ errors }: Verdict): string {
  const [first] = errors;
  if (first === undefined) return 'no value was found that reaches it';
  return `${first.field}: ${first.detail ?? first.reason}`;
}
