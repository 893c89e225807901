/** Failure of one request of the operator. */
import type { FaultOptions } from '@kgen/testserver/internal/http/faults';
import type { LoggedRequest } from '@kgen/testserver/internal/http/request-log';
import { canMeet, placedText } from '../coverage.ts';
import { targetOf } from '../history.ts';
import { isServiceVerb, mayChange } from '../process/services/served-services.ts';
import type { ActionOf, FaultClass } from '../schedule/actions.ts';
import type { Fault } from './fault.ts';

/**
 * Failure of one request of the operator: status 409 (`conflict`), 410 (`expired`), 429 (`throttled`), 503
 * (`unavailable`) or 500 (`failed`), a lost connection before (`dropped`) or after (`lost`) the request has
 * its effect, or a delay (`slow`).
 */
export type RequestFault =
  | 'conflict'
  | 'expired'
  | 'throttled'
  | 'unavailable'
  | 'failed'
  | 'dropped'
  | 'lost'
  | 'slow';

/** A failure with its class, its effect, and the end of its line in a story. */
interface RequestFailure {
  /** `undefined` for a failure of requests that are not writes. */
  readonly class: FaultClass | undefined;
  readonly options: FaultOptions;
  readonly text: string;
}

const failures: Readonly<Record<RequestFault, RequestFailure>> = {
  conflict: {
    class: 'conflict',
    options: { status: 409, reason: 'Conflict' },
    text: 'fails with 409 Conflict',
  },
  // Lists and watches expire, writes do not.
  expired: { class: undefined, options: { status: 410, reason: 'Expired' }, text: 'fails with 410 Expired' },
  throttled: {
    class: 'throttled',
    options: { status: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 },
    text: 'fails with 429, to be retried after 1 s',
  },
  unavailable: {
    class: 'unavailable',
    options: { status: 503, reason: 'ServiceUnavailable' },
    text: 'fails with 503',
  },
  failed: { class: 'failed', options: { status: 500, reason: 'InternalError' }, text: 'fails with 500' },
  dropped: {
    class: 'dropped',
    options: { cut: 'before' },
    text: 'loses its connection before it is executed',
  },
  lost: { class: 'lost', options: { cut: 'after' }, text: 'is executed, and its response is lost' },
  slow: {
    class: 'slow webhook',
    options: { delayMs: 5_000 },
    text: 'is executed 5 s late, as with a slow webhook',
  },
};

/** The names of all failures of a request. */
// seam: the table has no other members.
export const requestFaults = Object.keys(failures) as readonly RequestFault[];

/** The nth request with a verb and a resource from now on fails. */
export const requestFault: Fault<ActionOf<'fault'>> = {
  classes: requestFaults.flatMap((each) => failures[each].class ?? []),
  singles: requestFaults.map((each) => failures[each].class ?? 'expired'),
  singleOf: ({ fault }) => failures[fault].class ?? 'expired',
  plan: ({ dice, scope }) => {
    const access = dice.pick(scope.accesses);
    if (access === undefined) return undefined;
    const fault = dice.pick(faultsOf(access.verb)) ?? 'failed';
    return { do: 'fault', ...access, nth: dice.between(1, 4), fault };
  },
  target: ({ fault: selected, write, nth }) => {
    const found = requestFaults.find((each) => failures[each].class === selected && canMeet(write, selected));
    const fault = found ?? 'failed';
    return { before: [{ do: 'fault', ...write, nth, fault }], after: [] };
  },
  text: ({ nth, fault, ...write }) =>
    `request ${nth} to ${placedText(write)} from now on ${failures[fault].text}`,
  simpler: [
    (action) => (action.nth > 1 ? { ...action, nth: 1 } : undefined),
    // Lines of the operator change, so that a saved schedule would not meet them.
    ({ site, ...action }) => (site === undefined ? undefined : action),
  ],
  begin: ({ cluster, isFrom, onMet }) => ({
    perform: ({ verb, resource, nth, fault, site }) => {
      let seen = 0;
      const { class: met, options } = failures[fault];
      const match = (request: LoggedRequest): boolean => {
        const isKind = request.verb === verb && targetOf(request) === resource;
        if (!isKind || !isFrom(request, site)) return false;
        seen += 1;
        if (seen === nth && met !== undefined) onMet(request, met);
        return seen === nth;
      };
      cluster.faults.add({ ...options, match });
      return '';
    },
  }),
};

function faultsOf(verb: string): readonly RequestFault[] {
  const common: readonly RequestFault[] = ['throttled', 'unavailable', 'failed', 'dropped'];
  if (isServiceVerb(verb)) return mayChange(verb) ? [...common, 'lost', 'lost', 'slow'] : common;
  if (verb === 'list' || verb === 'watch') return [...common, 'expired'];
  return verb === 'get' ? common : [...common, 'conflict', 'lost', 'lost', 'slow'];
}
