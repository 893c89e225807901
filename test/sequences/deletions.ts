/** Random deletes. */
import type { Json } from '../../src/schema/values/json.ts';
import type { Random } from '../support/random.ts';
import type { Step } from './step.ts';
import type { Target } from './target.ts';

type Query = Readonly<Record<string, string>>;

/** Returns a delete of an object or of a collection. */
export function deletions(target: Target, random: Random, _index: number): Step {
  const path = random.chance(0.2) ? target.collection : target.object();
  const isCollection = path === target.collection;
  const query: Query = {
    ...(random.chance(0.4) ? optionsQuery(random) : {}),
    ...(isCollection ? selectors(random) : {}),
  };
  const body = random.chance(0.5) ? { body: optionsBody(random) } : {};
  return { method: 'DELETE', path, query: isCollection ? target.scoped(query) : query, ...body };
}

function selectors(random: Random): Query {
  return random.pick<Query>([
    {},
    {},
    { labelSelector: 'app=a' },
    { fieldSelector: 'metadata.name=a' },
    { labelSelector: 'a b' },
    { fieldSelector: 'x=y' },
    { limit: '1' },
    { resourceVersion: '0' },
  ]);
}

function optionsQuery(random: Random): Query {
  return random.pick<Query>([
    { gracePeriodSeconds: '0' },
    { gracePeriodSeconds: '10' },
    { propagationPolicy: 'Background' },
    { propagationPolicy: 'Foreground' },
    { propagationPolicy: 'Orphan' },
    { propagationPolicy: 'Wrong' },
    { dryRun: 'All' },
    { dryRun: 'Wrong' },
    { orphanDependents: 'true' },
    { gracePeriodSeconds: 'x' },
  ]);
}

function optionsBody(random: Random): Json {
  const type = { apiVersion: 'v1', kind: 'DeleteOptions' };
  return random.pick<Json>([
    type,
    { ...type, gracePeriodSeconds: 0 },
    { ...type, gracePeriodSeconds: 5 },
    { ...type, gracePeriodSeconds: -1 },
    { ...type, preconditions: { uid: '{uid}' } },
    { ...type, preconditions: { uid: 'wrong' } },
    { ...type, preconditions: { resourceVersion: '{rv:0}' } },
    { ...type, preconditions: { resourceVersion: '{rv}' } },
    { ...type, propagationPolicy: 'Foreground' },
    { ...type, propagationPolicy: 'Orphan' },
    { ...type, propagationPolicy: 'Background', orphanDependents: false },
    { ...type, propagationPolicy: 'Wrong' },
    { ...type, dryRun: ['All'] },
    { ...type, unknown: 1 },
    { apiVersion: 'v1', kind: 'Wrong' },
    {},
    { gracePeriodSeconds: 'x' },
    'x',
  ]);
}
