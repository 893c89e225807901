/** Schedules: sequences of steps as plain data, derived from a seed. */
import { Chance } from './chance.ts';
import type { Traits } from './server/lists.ts';

/** Steps with their relative frequency. */
const weights = {
  write: 40,
  pass: 12,
  'other resources change': 3,
  'cut between events': 4,
  'cut within a line': 4,
  'ended within a line': 2,
  'ended regularly': 2,
  'silent hang': 3,
  'garbage line': 3,
  'undecodable event': 3,
  'error in the stream': 2,
  '410 in the stream': 3,
  'duplicate event': 3,
  'stale event': 3,
  'connection refused': 3,
  'server restart': 3,
  'compaction during a disconnect': 4,
  compaction: 3,
  '410 on list': 2,
  '410 in mid-list': 4,
  '410 on watch': 3,
  '429 with Retry-After': 2,
  '429 without Retry-After': 2,
  'burst of 500': 2,
  'burst of 503': 2,
  'burst of 504': 2,
  '403 responses': 1,
  'token expires': 2,
  'proxy ends each watch': 3,
  'bookmarks only': 3,
  'time leaps': 3,
  'computer sleeps': 2,
  'no response to a request': 2,
  'list is interrupted': 3,
  'list is not JSON': 2,
  'broken object': 3,
  'server behind': 3,
  'cache lags': 2,
  'one 404': 2,
  'resource is removed': 3,
  'same name, other uid': 4,
  'object leaves a selector': 4,
  'handler is added late': 3,
  'handler is removed': 2,
  'stop and start': 2,
} as const;

export type Act = keyof typeof weights;

export const acts: readonly Act[] = Object.keys(weights) as Act[];

/** Behaviour of a registration. */
export type Manner = 'prompt' | 'slow' | 'throwing' | 'resyncing';

export interface Schedule {
  readonly seed: number;
  readonly traits: Traits;
  readonly namespaces: readonly string[] | undefined;
  readonly selector: string | undefined;
  readonly streaming: boolean;
  readonly freeze: boolean;
  /** Whether the informer holds selected fields only. */
  readonly isSelected: boolean;
  readonly manners: readonly Manner[];
  readonly steps: readonly Act[];
}

const steps = 28;

export function scheduleOf(seed: number): Schedule {
  const chance = new Chance(seed, 1);
  const cache = chance.odds(0.7);
  const states: readonly Traits['state'][] = cache
    ? ['streamed', 'streamed', 'streamed', 400, 422, 'unknown parameter']
    : [400, 422, 'unknown parameter'];
  return {
    seed,
    traits: { cache, state: chance.pick(states), pageSize: chance.between(1, 5) },
    namespaces: chance.pick([undefined, undefined, undefined, ['shop'], ['shop', 'bank']]),
    selector: chance.odds(0.3) ? 'tier=web' : undefined,
    streaming: chance.odds(0.75),
    freeze: chance.odds(0.1),
    isSelected: new Chance(seed, 8).odds(0.5),
    manners: ['prompt', chance.pick(['slow', 'throwing', 'resyncing'] as const)],
    steps: drawSteps(chance),
  };
}

function drawSteps(chance: Chance): readonly Act[] {
  const lots = acts.flatMap((act) => Array.from({ length: weights[act] }, () => act));
  return Array.from({ length: steps }, () => chance.pick(lots));
}
