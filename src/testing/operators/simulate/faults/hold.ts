/** Delay of watches, and of lists that a cache of the API server serves. */
import type { LoggedRequest } from '@kgen/testserver/internal/http/request-log';
import type { WatchHold } from '@kgen/testserver/internal/http/watches';
import type { ActionOf } from '../schedule/actions.ts';
import type { DisturbedRun, Draw, Fault, FaultEffect } from './fault.ts';

const lateMs = 5_000;

/** The watches of a resource are late by some time; with `withLists`, its lists too. */
export const hold: Fault<ActionOf<'hold'>> = {
  classes: ['late watch', 'stale list'],
  singles: ['late watch', 'stale list'],
  singleOf: ({ withLists }) => (withLists ? 'stale list' : 'late watch'),
  needs: 'watch',
  plan: (draw) => {
    const resource = drawnResource(draw);
    const ms = draw.dice.pick([50, 500, 5_000]) ?? 0;
    const withLists = draw.dice.chance(0.5);
    return resource === undefined ? undefined : { do: 'hold', resource, ms, withLists };
  },
  target: ({ fault: selected, watched, replica, write, nth, round }) => {
    const withLists = selected === 'stale list';
    const held = { do: 'hold', resource: watched, ms: lateMs, withLists } as const;
    if (!withLists) return { before: [held], after: [] };
    // A process reads lists when it starts: without the change, and with it also without the write.
    if (round % 2 === 1) return { before: [held], after: [{ do: 'restart', replica, downMs: 100 }] };
    const crash = { do: 'crash', replica, request: nth, when: 'after', downMs: 100, at: write } as const;
    return { before: [held, crash], after: [] };
  },
  text: ({ resource, ms, withLists }) =>
    `the watches${withLists ? ' and lists' : ''} of ${resource} are late by ${ms} ms`,
  begin: lagsOf,
};

/** Draws one of the resources that the operator watches. */
export function drawnResource({ dice, scope }: Draw): string | undefined {
  return dice.pick(scope.accesses.filter(({ verb }) => verb === 'watch'))?.resource;
}

/** Watches of a resource that are late. */
interface Lag {
  readonly hold: WatchHold;
  readonly resource: string;
  /** The state that lists return; `undefined` for the latest one. */
  readonly revision: number | undefined;
  /** Whether the resource has changed since. */
  isBehind: boolean;
  /** Processes that have received such a list. */
  readonly readers: Set<string>;
}

function lagsOf({ cluster }: DisturbedRun): FaultEffect<ActionOf<'hold'>> {
  const { time, state, watches, faults } = cluster;
  const lags = new Set<Lag>();
  const catchUp = (lag: Lag): void => {
    if (lags.delete(lag)) lag.hold.release();
  };
  return {
    perform: ({ resource, ms, withLists }) => {
      const lag: Lag = {
        hold: watches.hold((request) => request.resource === resource),
        resource,
        revision: withLists ? state.store.revision : undefined,
        isBehind: false,
        readers: new Set(),
      };
      lags.add(lag);
      if (withLists) {
        // A server with an older cache does not stream its state.
        const match = (request: LoggedRequest): boolean => streamsState(request, resource) && lags.has(lag);
        faults.add({ status: 422, reason: 'Invalid', times: Number.POSITIVE_INFINITY, match });
      }
      time.timer(ms, () => catchUp(lag));
      return '';
    },
    facing: (replica) => {
      const behind = [...lags].filter(({ isBehind }) => isBehind);
      const isStale = behind.some(({ readers }) => readers.has(replica));
      return [
        ...(behind.length > 0 ? (['late watch'] as const) : []),
        ...(isStale ? (['stale list'] as const) : []),
      ];
    },
    changed: (change) => {
      const [plural] = change.resource.split('.');
      for (const lag of lags) if (lag.resource === plural) lag.isBehind = true;
    },
    listed: (replica, resource) => {
      const lag = [...lags].find((each) => each.resource === resource && each.revision !== undefined);
      lag?.readers.add(replica);
      return lag?.revision;
    },
    end: () => {
      for (const lag of lags) catchUp(lag);
    },
  };
}

/** Returns whether a request is a watch that begins with the state of the resource. */
function streamsState({ resource, query }: LoggedRequest, watched: string): boolean {
  return resource === watched && query['sendInitialEvents'] === 'true';
}
