/** Authentication, impersonation and authorization of requests, in the order of a real server. */

import type { ServerState } from '../call/context.ts';
import { Failure } from '../errors/status.ts';
import type { User } from '../identity/user.ts';
import { attributesOf, forbiddenAction } from '../request/attributes.ts';
import type { ApiRequest } from '../request/request.ts';
import { type Headers, impersonate, impersonatedUser, type NoteDecision } from './impersonation.ts';
import { authorize } from './rbac.ts';
import { storedRoles } from './roles.ts';

/** The user of a request, and the failure if the request is refused. */
export interface Admission {
  /** `undefined` if the credentials are invalid. */
  readonly user: User | undefined;
  readonly refusal: Failure | undefined;
}

/** A request whose user is not known yet. */
export type UserlessRequest = Omit<ApiRequest, 'user' | 'body'>;

/**
 * Determines the user of a request, and whether it may perform it. The refusal is 401 for invalid
 * credentials, 400 for invalid headers of impersonation, and 403 for a missing permission.
 */
export function admitUser(
  { store, authenticator, needs }: ServerState,
  request: UserlessRequest,
  headers: Headers,
): Admission {
  let user: User | undefined;
  try {
    user = authenticator.authenticate(headers['authorization']?.[0] ?? '');
    const note: NoteDecision = (decided, isAllowed) => needs.note(decided, isAllowed, request);
    const requested = impersonatedUser(headers);
    const roles = storedRoles(store);
    if (requested !== undefined)
      user = impersonate(roles, attributesOf({ ...request, user }), requested, note);
    const attributes = attributesOf({ ...request, user });
    const { allowed, reason } = authorize(roles, attributes);
    note(attributes, allowed);
    return { user, refusal: allowed ? undefined : forbiddenAction(attributes, reason) };
  } catch (error) {
    if (error instanceof Failure) return { user, refusal: error };
    throw error;
  }
}
