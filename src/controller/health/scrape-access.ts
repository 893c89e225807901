/**
 * Access to metrics by bearer token: TokenReview and SubjectAccessReview, cached as in the webhook
 * authorizer of Kubernetes.
 */
import { createHash } from 'node:crypto';
import type { RESTClient } from '@kgen/runtime';
import { type RuntimeEnvironment, systemEnvironment } from '@kgen/runtime/informers';
import { childLogger, consoleLogger, type Logger } from '../log.ts';
import { type EndpointResponse, textResponse } from './endpoint.ts';

/** Durations of cached results, in milliseconds. */
const tokenMs = 60_000;
const allowMs = 300_000;
const denyMs = 30_000;
/** Maximum number of cached results of each kind; the oldest one is dropped. */
const maxCached = 1024;
/** Maximum number of reviews at once, so that a flood of tokens does not reach the API server. */
const maxReviews = 8;
/** Maximum characters of an `Authorization` header. */
const maxAuthorization = 8192;
/** Time limit of a review, in milliseconds. */
const reviewMs = 10_000;

/** Options of `ScrapeAccess`. */
export interface ScrapeAccessOptions {
  /** Client that creates `tokenreviews` and `subjectaccessreviews`. */
  readonly rest: Pick<RESTClient, 'request'>;
  /** Default: `console`. */
  readonly log?: Logger | undefined;
  /** Clock of the caches. Default: that of the system. */
  readonly environment?: Pick<RuntimeEnvironment, 'clock'> | undefined;
}

/** User of a token, as a TokenReview returns it. */
interface ReviewedUser {
  readonly username?: string | undefined;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Result of a review that the API server did not complete. */
class ReviewFailedError extends Error {
  override get name(): 'ReviewFailedError' {
    return 'ReviewFailedError';
  }
}

/** Decides whether the bearer of a token may read a path. */
export class ScrapeAccess {
  readonly #rest: ScrapeAccessOptions['rest'];
  readonly #log: Logger;
  readonly #users: ExpiringCache<ReviewedUser | undefined>;
  readonly #decisions: ExpiringCache<boolean>;
  #reviews = 0;

  constructor({ rest, log = consoleLogger(), environment = systemEnvironment }: ScrapeAccessOptions) {
    this.#rest = rest;
    this.#log = childLogger(log, {});
    this.#users = new ExpiringCache(environment.clock, () => tokenMs);
    this.#decisions = new ExpiringCache(environment.clock, (isAllowed) => (isAllowed ? allowMs : denyMs));
  }

  /**
   * Returns the response that refuses a request, or undefined if it is allowed: 401 without a valid token,
   * 403 if the user may not `get` the path, 500 if the API server did not decide. Never rejects.
   */
  async refusalOf(authorization: string | undefined, path: string): Promise<EndpointResponse | undefined> {
    const token = tokenOf(authorization);
    if (token === undefined) return unauthorized;
    try {
      const user = await this.#users.get(digestOf(token), () => this.#userOf(token));
      if (user === undefined) return unauthorized;
      const key = digestOf(JSON.stringify([user, path]));
      const isAllowed = await this.#decisions.get(key, () => this.#isAllowed(user, path));
      return isAllowed ? undefined : textResponse(403, 'forbidden\n');
    } catch (error) {
      this.#log.error({ error, path }, `access to ${path} could not be reviewed`);
      return textResponse(500, 'the access could not be reviewed\n');
    }
  }

  async #userOf(token: string): Promise<ReviewedUser | undefined> {
    const review = await this.#review({
      path: '/apis/authentication.k8s.io/v1/tokenreviews',
      kind: 'TokenReview',
      apiVersion: 'authentication.k8s.io/v1',
      spec: { token },
    });
    const { authenticated, user } = review.status ?? {};
    return authenticated === true && user !== undefined ? user : undefined;
  }

  async #isAllowed({ username, uid, groups, extra }: ReviewedUser, path: string): Promise<boolean> {
    const review = await this.#review({
      path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      spec: { user: username, uid, groups, extra, nonResourceAttributes: { path, verb: 'get' } },
    });
    return review.status?.allowed === true && review.status.denied !== true;
  }

  async #review({ path, ...review }: ReviewToCreate): Promise<ReviewResponse> {
    if (this.#reviews >= maxReviews) throw new ReviewFailedError('too many reviews at once');
    this.#reviews += 1;
    try {
      const response = await this.#rest.request({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(review),
        operation: { verb: 'create', resource: `${review.kind.toLowerCase()}s` },
        timeoutMs: reviewMs,
      });
      // seam: members of the response are optional, and compared with the values that grant access
      return (response ?? {}) as ReviewResponse;
    } finally {
      this.#reviews -= 1;
    }
  }
}

interface ReviewToCreate {
  readonly path: string;
  readonly kind: 'TokenReview' | 'SubjectAccessReview';
  readonly apiVersion: string;
  readonly spec: object;
}

interface ReviewResponse {
  readonly status?: {
    readonly authenticated?: unknown;
    readonly user?: ReviewedUser;
    readonly allowed?: unknown;
    readonly denied?: unknown;
  };
}

const unauthorized: EndpointResponse = textResponse(401, 'unauthorized\n', { 'www-authenticate': 'Bearer' });

function tokenOf(authorization = ''): string | undefined {
  if (authorization.length > maxAuthorization) return undefined;
  const [, token] = /^bearer +([^\s]+) *$/i.exec(authorization) ?? [];
  return token;
}

/** Tokens are not kept in memory. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

interface CacheEntry<T> {
  readonly value: Promise<T>;
  /** Time until which the result is valid; undefined while it is computed. */
  readonly until: number | undefined;
}

/** Cache of results that expire. Concurrent requests share a computation; failures are not kept. */
class ExpiringCache<T> {
  readonly #entries = new Map<string, CacheEntry<T>>();
  readonly #clock: RuntimeEnvironment['clock'];
  readonly #ttlOf: (value: T) => number;

  constructor(clock: RuntimeEnvironment['clock'], ttlOf: (value: T) => number) {
    this.#clock = clock;
    this.#ttlOf = ttlOf;
  }

  get(key: string, compute: () => Promise<T>): Promise<T> {
    const known = this.#entries.get(key);
    if (known !== undefined && (known.until ?? Infinity) > this.#clock.now()) return known.value;
    const value = compute();
    this.#set(key, { value, until: undefined });
    value.then(
      (result) => this.#set(key, { value, until: this.#clock.now() + this.#ttlOf(result) }),
      () => this.#entries.delete(key),
    );
    return value;
  }

  #set(key: string, entry: CacheEntry<T>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size <= maxCached) return;
    const [oldest = key] = this.#entries.keys();
    this.#entries.delete(oldest);
  }
}
