/**
 * Chapters of the contract: behaviours that tests depend on and that fakes often lack. Each request belongs
 * to the first chapter that matches it.
 */
import { at, isObject, type Json, text } from '../../schema/values/json.ts';
import type { Step } from './exchange.fixture.ts';

type Matches = (step: Step) => boolean;

const inPath = (pattern: RegExp): Matches => {
  return ({ path }) => pattern.test(path);
};
const ofType = (pattern: RegExp): Matches => {
  return ({ type = '' }) => pattern.test(type);
};
const inBody = (...path: readonly string[]): Matches => {
  return ({ body }) => at(body, ...path) !== undefined;
};
const isWrite: Matches = ({ method }) => method === 'PUT' || method === 'PATCH';
const both = (one: Matches, other: Matches): Matches => {
  return (step) => one(step) && other(step);
};
const either = (...all: readonly Matches[]): Matches => {
  return (step) => all.some((matches) => matches(step));
};

/** Returns whether a body contains a member at any depth. */
function mentions(...names: readonly string[]): Matches {
  const visit = (value: Json): boolean => {
    if (Array.isArray(value)) return value.some(visit);
    if (!isObject(value)) return false;
    return Object.entries(value).some(([name, item]) => names.includes(name) || visit(item));
  };
  return ({ body }) => body !== undefined && visit(body);
}

const kindIn = (...kinds: readonly string[]): Matches => {
  return ({ body }) => kinds.includes(text(body, 'kind'));
};

/** Chapters in the order in which they claim requests. */
const rules: Readonly<Record<string, Matches>> = {
  'eviction, disruption budgets and 429 with Retry-After': either(
    inPath(/\/eviction|\/poddisruptionbudgets/),
    kindIn('PodDisruptionBudget'),
  ),
  'tokens and bindings': inPath(/\/(token|binding)(\?|$)/),
  'admission and conversion webhooks, admission policies': either(
    inPath(/admission|\/bars|\/b\d/),
    ({ body }) => text(body, 'spec', 'conversion', 'strategy') !== '',
  ),
  'scale of definitions and built-in kinds': inPath(/\/scale(\?|$)/),
  'Table and PartialObjectMetadata': ({ accept = '' }) => /as=(Table|PartialObjectMetadata)/.test(accept),
  'strategic merge patches': ofType(/strategic-merge/),
  'server-side apply: owners, conflicts, force': either(
    ofType(/apply-patch/),
    inBody('metadata', 'managedFields'),
  ),
  'discovery and OpenAPI documents': either(
    inPath(/^\/(openapi\/.*|apis(\/[^/?]+){0,2}|api(\/v1)?)(\?|$)/),
    inPath(/^\/(version|healthz|readyz|livez|nope)/),
  ),
  watches: inPath(/[?&]watch=|\/watch\//),
  'field and label selectors': inPath(/[?&](field|label)Selector=/),
  'lists: versions, limits, continue tokens': either(
    inPath(/[?&](limit|continue|resourceVersion|resourceVersionMatch|sendInitialEvents)=/),
    both(
      ({ method }) => method === 'GET',
      ({ path }) => /\/(namespaces\/[^/]+|v\d\w*)\/[a-z]+$/.test(path),
    ),
  ),
  'unknown fields, strict errors and warnings': either(inPath(/fieldValidation=/), ({ body }) =>
    JSON.stringify(body ?? '').includes('bogus'),
  ),
  'CEL rules and their costs': either(
    inPath(/rules\.|\/(crs|rules)/),
    mentions('x-kubernetes-validations', 'validationExpression'),
  ),
  'namespaces and their end': inPath(/\/api\/v1\/namespaces(\/[^/]+)?(\/(status|finalize))?(\?|$)/),
  'deletion: propagation, grace periods, preconditions': ({ method }) => method === 'DELETE',
  finalizers: both(isWrite, mentions('finalizers')),
  'status in isolation from the rest': inPath(/\/status(\?|$)/),
  'resource versions, preconditions and conflicts of updates': either(
    inBody('metadata', 'resourceVersion'),
    inBody('metadata', 'uid'),
    ({ method }) => method === 'PUT',
  ),
  'JSON patches and merge patches': ({ method }) => method === 'PATCH',
  'defaults, pruning and validation of custom resources': both(
    ({ method }) => method === 'POST',
    inPath(/example\.com|customresourcedefinitions/),
  ),
  'authorization of the caller': inPath(/authorization\.k8s\.io|authentication\.k8s\.io/),
  'dry runs of built-in kinds: defaults and validation': inPath(/dryRun=/),
  'defaults and allocation of built-in kinds': ({ method }) => method === 'POST',
  reads: ({ method }) => method === 'GET',
};

/** Names of the chapters. */
export const chapters: readonly string[] = Object.keys(rules);

/** Returns the chapter of a request. */
export function chapterOf(step: Step): string {
  const found = Object.entries(rules).find(([, matches]) => matches(step));
  if (found === undefined) throw new Error(`${step.method} ${step.path} belongs to no chapter`);
  return found[0];
}

/** Returns the chapters of a table that compare at least one response. */
export function chaptersOf(steps: readonly Step[]): readonly string[] {
  return [...new Set(steps.filter(({ ignore }) => ignore !== true).map(chapterOf))];
}

/** Returns the number of compared responses by chapter. */
export function countByChapter(steps: readonly Step[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const step of steps.filter(({ ignore }) => ignore !== true)) {
    const chapter = chapterOf(step);
    counts.set(chapter, (counts.get(chapter) ?? 0) + 1);
  }
  return counts;
}
