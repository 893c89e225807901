/** The permissions that a service account needs, in requests and in the checks that requests cause. */
import type { Action } from '@kgen/schema/cel/library/kubernetes/authorizer';
import { accountUserName, type ServiceAccountName } from '../identity/user.ts';
import type { Attributes } from './attributes.ts';
import type { ApiRequest } from './request.ts';

/** An action for which the account needed permission. */
export interface Need extends Action {
  readonly isAllowed: boolean;
  /** Reason of the check, if the action is not that of the request itself; otherwise empty. */
  readonly purpose: string;
  /** Number of requests. */
  readonly count: number;
  /** `User-Agent` of the first request. */
  readonly userAgent: string;
  /** Line of the program that has sent the first request; empty if it is not known. */
  readonly site: string;
}

/** The needs of one service account, equal ones once. Other users do not count. */
export class NeedLog {
  readonly account: ServiceAccountName | undefined;
  readonly #user: string;
  readonly #total: NeedLog | undefined;
  readonly #needs = new Map<string, Need>();
  /** Returns the line of the program that is sending a request. */
  siteOf: () => string = () => '';

  /**
   * @param account account whose needs are kept. Default: none
   * @param total log of several servers, to which the needs are added too
   */
  constructor(account?: ServiceAccountName, total?: NeedLog) {
    this.account = account;
    this.#total = total;
    this.#user = account === undefined ? '' : accountUserName(account);
  }

  /** Notes a decision, if it is about the account. */
  note(
    { user, ...action }: Attributes,
    isAllowed: boolean,
    { userAgent }: Pick<ApiRequest, 'userAgent'>,
    purpose = '',
  ): void {
    if (this.account === undefined || user.name !== this.#user) return;
    this.#add({ ...action, isAllowed, purpose, count: 1, userAgent, site: this.siteOf() });
  }

  #add(need: Need): void {
    if (this.#total !== undefined) this.#total.#add(need);
    const { count, userAgent, site, ...decision } = need;
    const key = JSON.stringify(Object.entries(decision).sort());
    const known = this.#needs.get(key);
    this.#needs.set(key, known === undefined ? need : { ...known, count: known.count + count });
  }

  all(): readonly Need[] {
    return [...this.#needs.values()];
  }
}
