/** Authentication, impersonation and authorization of requests, in the order of a real server. */

import { Failure } from '../errors/status.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import type { User } from '../identity/user.ts';
import { attributesOf, forbiddenAction } from '../request/attributes.ts';
import type { ApiRequest } from '../request/request.ts';
import type { Store } from '../store/store.ts';
import { type Headers, impersonate, impersonatedUser } from './impersonation.ts';
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
  store: Store,
  authenticator: Authenticator,
  request: UserlessRequest,
  headers: Headers,
): Admission {
  let user: User | undefined;
  try {
    user = authenticator.authenticate(headers['authorization']?.[0] ?? '');
    const requested = impersonatedUser(headers);
    const roles = storedRoles(store);
    if (requested !== undefined) user = impersonate(roles, attributesOf({ ...request, user }), requested);
    const attributes = attributesOf({ ...request, user });
    const { allowed, reason } = authorize(roles, attributes);
    return { user, refusal: allowed ? undefined : forbiddenAction(attributes, reason) };
  } catch (error) {
    if (error instanceof Failure) return { user, refusal: error };
    throw error;
  }
}
