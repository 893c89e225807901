/** Authentication, impersonation and authorization of requests, in the order of a real server. */

import type { Context, ServerState } from '../call/context.ts';
import { Failure } from '../errors/status.ts';
import { anonymous, type ClientCertificate, type User } from '../identity/user.ts';
import { attributesOf, forbiddenAction } from '../request/attributes.ts';
import { checkTimeout } from '../request/deadline.ts';
import type { ApiRequest } from '../request/request.ts';
import { type FlowHeaders, flowHeaders } from './flow-schemas.ts';
import { type Headers, impersonate, impersonatedUser, type NoteDecision } from './impersonation.ts';
import { authorize } from './rbac.ts';
import { storedRoles } from './roles.ts';

/** The user of a request, and the failure if the request is refused. */
export interface Admission {
  /** `undefined` if the credentials are invalid. */
  readonly user: User | undefined;
  readonly refusal: Failure | undefined;
  /** Headers of the response that classify the request; none if it was refused before. */
  readonly flow: FlowHeaders;
}

/**
 * Checks that the user of a request may perform its action with another verb too.
 * @throws {Failure} 403
 */
export function checkVerb({ store, needs, request }: Context, verb: string): void {
  const attributes = { ...attributesOf(request), verb };
  const { allowed, reason } = authorize(storedRoles(store), attributes);
  needs.note(attributes, allowed, request);
  if (!allowed) throw forbiddenAction(attributes, reason);
}

/** A request whose user is not known yet. */
export type UserlessRequest = Omit<ApiRequest, 'user' | 'body'>;

const streamPurpose =
  'for streams of lists (sendInitialEvents), in place of which clients send lists to servers without them';

/**
 * Determines the user of a request, and whether it may perform it. The refusal is 400 for an invalid timeout,
 * 401 for invalid credentials, 400 for invalid headers of impersonation, and 403 for a missing permission.
 */
export function admitUser(
  { store, authenticator, needs }: ServerState,
  request: UserlessRequest,
  headers: Headers,
  certificate: ClientCertificate | undefined,
): Admission {
  let user: User | undefined;
  let flow: FlowHeaders = {};
  try {
    if (request.query.has('timeout'))
      checkTimeout(attributesOf({ ...request, user: anonymous }), request.query);
    user = authenticator.authenticate(headers['authorization']?.[0] ?? '', certificate);
    const note: NoteDecision = (decided, isAllowed) => needs.note(decided, isAllowed, request);
    const requested = impersonatedUser(headers);
    const roles = storedRoles(store);
    if (requested !== undefined)
      user = impersonate(roles, attributesOf({ ...request, user }), requested, note);
    const attributes = attributesOf({ ...request, user });
    flow = flowHeaders(store, attributes);
    const { allowed, reason } = authorize(roles, attributes);
    note(attributes, allowed);
    // Clients send lists to servers that do not stream them.
    if (attributes.verb === 'watch' && request.query.get('sendInitialEvents') === 'true') {
      const list = { ...attributes, verb: 'list' };
      needs.note(list, authorize(roles, list).allowed, request, streamPurpose);
    }
    return { user, flow, refusal: allowed ? undefined : forbiddenAction(attributes, reason) };
  } catch (error) {
    if (error instanceof Failure) return { user, flow, refusal: error };
    throw error;
  }
}
