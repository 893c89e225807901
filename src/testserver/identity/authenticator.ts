/** Authentication: the user of the credentials of a request. */
import { randomBytes } from 'node:crypto';
import { failure } from '../errors/failures.ts';
import { invalidToken, issuer, type ReviewedToken, type Tokens } from './tokens.ts';
import { anonymous, type ClientCertificate, certificateUser, type User } from './user.ts';

/** The users of a server: those with a token of their own, and service accounts. */
export class Authenticator {
  readonly #users = new Map<string, User>();
  readonly tokens: Tokens;

  constructor(tokens: Tokens) {
    this.tokens = tokens;
  }

  /** Returns a new token that authenticates a user. */
  addUser(user: User): string {
    const token = randomBytes(24).toString('base64url');
    this.#users.set(token, user);
    return token;
  }

  /**
   * Returns the user of a certificate, otherwise that of an `Authorization` header; the anonymous user
   * without either of them.
   * @throws {Failure} 401 for an invalid token, or an invalid certificate without a token
   */
  authenticate(authorization: string, certificate?: ClientCertificate): User {
    const owner = certificate?.isValid === true ? certificateUser(certificate) : undefined;
    if (owner !== undefined) return owner;
    const [scheme = '', token = ''] = authorization.trim().split(/\s+/);
    // As on a real server, other schemes are not credentials.
    const hasToken = scheme.toLowerCase() === 'bearer' && token !== '';
    if (!hasToken && certificate?.isValid !== false) return anonymous;
    const reviewed = hasToken ? this.review(token, [issuer]) : invalidToken;
    if (typeof reviewed === 'string') throw failure(401, 'Unauthorized', 'Unauthorized');
    return reviewed.user;
  }

  /** Returns the user of a token and its valid audiences, or the reason why the token is invalid. */
  review(token: string, audiences: readonly string[]): ReviewedToken | string {
    const user = this.#users.get(token);
    if (user === undefined) return this.tokens.review(token, audiences);
    return audiences.includes(issuer) ? { user, audiences: [issuer] } : invalidToken;
  }
}
