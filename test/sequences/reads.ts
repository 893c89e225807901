/** Random gets and lists. */
import type { Random } from '../support/random.ts';
import type { Step } from './step.ts';
import type { Target } from './target.ts';

type Query = Readonly<Record<string, string>>;

const representations = [
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json',
  '*/*',
  'text/plain',
] as const;

/** Returns a get or a list. */
export function reads(target: Target, random: Random, _index: number): Step {
  const accept = random.chance(0.35) ? { accept: random.pick([...representations]) } : {};
  if (random.chance(0.3)) return { method: 'GET', path: target.object(), query: getQuery(random), ...accept };
  const query = { ...selectors(target, random), ...pages(random) };
  return { method: 'GET', path: target.collection, query: target.scoped(query), ...accept };
}

function getQuery(random: Random): Query {
  return random.pick<Query>([
    {},
    {},
    {},
    { resourceVersion: '0' },
    { resourceVersion: '{rv}' },
    { resourceVersion: 'x' },
    { pretty: 'true' },
    { timeout: '10s' },
    { timeout: 'x' },
    { includeObject: 'Object' },
  ]);
}

const labelSelectors = [
  'app=a',
  'app!=a',
  'app',
  '!app',
  'app in (a,b)',
  'app notin (a)',
  'app=a,tier=web',
  'app==b',
  'tier>1',
  'app in ()',
  'app in',
  'a b',
  ',',
  '=x',
  'app=a,app=b',
  'app=',
] as const;

const fieldSelectors = [
  'metadata.name=a',
  'metadata.name!=a',
  'metadata.namespace={ns}',
  'metadata.name=a,metadata.namespace={ns}',
  'metadata.name',
  'status.unknown=x',
  'metadata.labels=x',
  'metadata.name=a,metadata.name=b',
  '',
] as const;

function selectors(target: Target, random: Random): Query {
  const { fields = [] } = target.kind;
  const own = fields[random.int(fields.length)];
  const fieldSelector = own !== undefined && random.chance(0.6) ? own : random.pick([...fieldSelectors]);
  return {
    ...(random.chance(0.35) ? { labelSelector: random.pick([...labelSelectors]) } : {}),
    ...(random.chance(0.3) ? { fieldSelector } : {}),
  };
}

function pages(random: Random): Query {
  if (random.chance(0.4)) return {};
  return random.pick<Query>([
    { limit: '1' },
    { limit: '2' },
    { limit: '1', continue: '{continue}' },
    { continue: '{continue}' },
    { limit: '500' },
    { limit: '-1' },
    { limit: 'x' },
    { continue: 'wrong' },
    { resourceVersion: '0' },
    { resourceVersion: '{rv}' },
    { resourceVersion: '{rv:1}', resourceVersionMatch: 'Exact' },
    { resourceVersion: '{rv:2}', resourceVersionMatch: 'Exact', limit: '1' },
    { resourceVersion: '{rv:0}', resourceVersionMatch: 'NotOlderThan' },
    { resourceVersion: '0', resourceVersionMatch: 'Exact' },
    { resourceVersionMatch: 'Exact' },
    { resourceVersion: '{rv}', resourceVersionMatch: 'Wrong' },
    { resourceVersion: '{rv:1}', limit: '1' },
    { resourceVersion: 'x' },
    { resourceVersion: '{rv}', continue: '{continue}' },
    { sendInitialEvents: 'true' },
    { timeoutSeconds: '5' },
    { timeoutSeconds: 'x' },
    { timeout: 'x' },
    { watch: 'false' },
  ]);
}
