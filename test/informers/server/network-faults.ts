import type { Failure } from './responses.ts';
import type { ListRequest } from './view.ts';

/** Fault of one request. */
export type RequestFault =
  | { readonly type: 'refused' }
  /** The response never arrives. */
  | { readonly type: 'hung' }
  | { readonly type: 'failure'; readonly failure: Failure }
  /** The response to a list is interrupted. */
  | { readonly type: 'cut' }
  /** The response to a list is not JSON. */
  | { readonly type: 'malformed' }
  /** The history is compacted before the request is processed. */
  | { readonly type: 'compacted' };

/** Fault for the next request of its kind. */
export interface PlannedFault {
  readonly name: string;
  readonly for: 'list' | 'page' | 'watch' | 'any';
  readonly fault: RequestFault;
}

interface FaultPeriod {
  readonly name: string;
  readonly fault: RequestFault;
  readonly until: number;
}

/** Faults between a server and its clients. */
export class NetworkFaults {
  readonly #planned: PlannedFault[] = [];
  #periods: FaultPeriod[] = [];
  /** Time until which each stream ends after two seconds. */
  cutsUntil = 0;
  /** Called for each fault that a request has met. */
  onMet: (name: string) => void = () => undefined;

  /** Sets the fault of the next request of a kind. */
  plan(planned: PlannedFault): void {
    this.#planned.push(planned);
  }

  /** Sets the fault of all requests for a period. */
  addPeriod(period: FaultPeriod): void {
    this.#periods.push(period);
  }

  clear(): void {
    this.#planned.length = 0;
    this.#periods = [];
    this.cutsUntil = 0;
  }

  faultOf(requested: ListRequest, now: number): RequestFault | undefined {
    this.#periods = this.#periods.filter(({ until }) => until > now);
    const [period] = this.#periods;
    if (period !== undefined) return this.#meet(period);
    const at = this.#planned.findIndex((planned) => concerns(planned, requested));
    const [planned] = at === -1 ? [] : this.#planned.splice(at, 1);
    return planned && this.#meet(planned);
  }

  #meet({ name, fault }: Pick<PlannedFault, 'name' | 'fault'>): RequestFault {
    this.onMet(name);
    return fault;
  }
}

function concerns({ for: kind }: PlannedFault, { verb, token }: ListRequest): boolean {
  switch (kind) {
    case 'any':
      return true;
    case 'page':
      return token !== undefined;
    case 'list':
      return verb === 'list' && token === undefined;
    case 'watch':
      return verb !== 'list';
  }
}
