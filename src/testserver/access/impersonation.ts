/**
 * Impersonation: headers with which a user performs a request as another user.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/
 */
import { badRequest, failure } from '../errors/failures.ts';
import {
  accountGroups,
  accountOf,
  anonymous,
  authenticatedGroup,
  mastersGroup,
  type User,
  unauthenticatedGroup,
  withGroup,
} from '../identity/user.ts';
import { type Attributes, forbiddenAction } from '../request/attributes.ts';
import { authorize, type RoleSource } from './rbac.ts';

/** The headers of a request: lower-case names, each with all of its values. */
export type Headers = Readonly<Record<string, readonly string[]>>;

const extraPrefix = 'impersonate-extra-';

/**
 * Returns the user of the impersonation headers as they are, or `undefined` if there are none.
 * @throws {Failure} 400 for headers without a user name
 */
export function impersonatedUser(headers: Headers): User | undefined {
  const name = headers['impersonate-user']?.[0] ?? '';
  const uid = headers['impersonate-uid']?.[0] ?? '';
  const groups = headers['impersonate-group'] ?? [];
  const extra = extraOf(headers);
  const hasExtra = Object.keys(extra).length > 0;
  if (name !== '') {
    return { name, groups, ...(uid === '' ? {} : { uid }), ...(hasExtra ? { extra } : {}) };
  }
  if (uid === '' && groups.length === 0 && !hasExtra) return undefined;
  const message = `requested ${printed(uid, groups, extra)} without impersonating a user name`;
  throw failure(400, 'BadRequest', message, { noSniff: true });
}

type Extra = NonNullable<User['extra']>;

function extraOf(headers: Headers): Extra {
  const entries = Object.entries(headers).filter(([name]) => name.startsWith(extraPrefix));
  return Object.fromEntries(
    entries.map(([name, values]) => [unescaped(name.slice(extraPrefix.length)), values]),
  );
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** As Go prints the user, whose types are part of the message. */
function printed(uid: string, groups: readonly string[], extra: Extra): string {
  const list = (values: readonly string[]): string =>
    `{${values.map((value) => JSON.stringify(value)).join(', ')}}`;
  const members = Object.entries(extra).map(
    ([key, values]) => `${JSON.stringify(key)}:[]string${list(values)}`,
  );
  const printedGroups = groups.length === 0 ? '[]string(nil)' : `[]string${list(groups)}`;
  const printedExtra =
    members.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${members.join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:${printedGroups}, Extra:${printedExtra}}`;
}

/**
 * Returns the impersonated user with its implied groups. The user of `attributes` needs permission for one of
 * the modes: one of constrained impersonation, or the verb `impersonate` on every part of the user.
 * @param note called for the permissions of the mode that applies; without one, for the missing permission
 * @throws {Failure} 403, with the message of the first mode
 */
export function impersonate(
  source: RoleSource,
  attributes: Attributes,
  requested: User,
  note: NoteDecision,
): User {
  const modes = [...constrainedModes(requested), legacy];
  const denials: Denial[] = [];
  for (const mode of modes) {
    const checks = [...checksOf(mode, attributes, requested)];
    const denied = firstDenied(source, checks);
    if (denied !== undefined) {
      denials.push(denied);
      continue;
    }
    for (const check of checks) if (!('refusal' in check)) note(check, true);
    return complete(requested, mode);
  }
  const last = denials.at(-1);
  if (last !== undefined) note(last.attributes, false);
  throw denials[0]?.failure ?? badRequest('impersonation is not supported');
}

/** Called with the decisions on which the result depends. */
export type NoteDecision = (attributes: Attributes, isAllowed: boolean) => void;

/** A set of permissions that allows impersonation. */
interface Mode {
  /** Name of a mode of constrained impersonation; empty for the verb `impersonate`. */
  readonly name: string;
  readonly group: string;
}

const legacy: Mode = { name: '', group: '' };
const nodePrefix = 'system:node:';

/** Returns the mode of constrained impersonation for a user, if there is one. */
function constrainedModes(requested: User): readonly Mode[] {
  const group = 'authentication.k8s.io';
  const onlyName =
    requested.groups.length === 0 && requested.uid === undefined && requested.extra === undefined;
  const isNode = requested.name.startsWith(nodePrefix);
  const isAccount = accountOf(requested.name) !== undefined;
  if (!isNode && !isAccount) return [{ name: 'user-info', group }];
  return onlyName ? [{ name: isNode ? 'arbitrary-node' : 'serviceaccount', group }] : [];
}

type Check = Attributes | { readonly attributes: Attributes; readonly refusal: string };

interface Denial {
  readonly attributes: Attributes;
  readonly failure: Error;
}

function firstDenied(source: RoleSource, checks: readonly Check[]): Denial | undefined {
  for (const check of checks) {
    if ('refusal' in check)
      return { attributes: check.attributes, failure: forbiddenAction(check.attributes, check.refusal) };
    const { allowed, reason } = authorize(source, check);
    if (!allowed) return { attributes: check, failure: forbiddenAction(check, reason) };
  }
  return undefined;
}

/** Yields the permissions that a mode requires, in the order of a real server. */
function* checksOf(mode: Mode, request: Attributes, requested: User): Generator<Check> {
  const isConstrained = mode.name !== '';
  if (isConstrained) yield { ...request, verb: `impersonate-on:${mode.name}:${request.verb}` };
  const base = {
    user: request.user,
    verb: isConstrained ? `impersonate:${mode.name}` : 'impersonate',
    group: mode.group,
    subresource: '',
    namespace: '',
  };
  const ofAuthentication = { ...base, group: 'authentication.k8s.io' };
  yield { ...base, ...subjectOf(mode, requested.name) };
  if (requested.uid !== undefined) yield { ...ofAuthentication, resource: 'uids', name: requested.uid };
  for (const name of requested.groups) {
    const check = { ...base, resource: 'groups', name };
    if (isConstrained && name === mastersGroup)
      yield { attributes: check, refusal: 'impersonating the system:masters group is not allowed' };
    else yield check;
  }
  for (const [subresource, values] of Object.entries(requested.extra ?? {}))
    for (const name of values) yield { ...ofAuthentication, resource: 'userextras', subresource, name };
}

function subjectOf(mode: Mode, name: string): Pick<Attributes, 'resource' | 'namespace' | 'name'> {
  const account = accountOf(name);
  if (account !== undefined) return { resource: 'serviceaccounts', ...account };
  return mode.name === 'arbitrary-node'
    ? { resource: 'nodes', namespace: '', name: name.slice(nodePrefix.length) }
    : { resource: 'users', namespace: '', name };
}

function complete(requested: User, mode: Mode): User {
  const account = accountOf(requested.name);
  const implied = mode.name === 'arbitrary-node' ? ['system:nodes'] : accountGroups(account?.namespace ?? '');
  const hasImplied = mode.name === 'arbitrary-node' || account !== undefined;
  const user = requested.groups.length === 0 && hasImplied ? { ...requested, groups: implied } : requested;
  if (user.name === anonymous.name) return withGroup(user, unauthenticatedGroup);
  return user.groups.includes(unauthenticatedGroup) ? user : withGroup(user, authenticatedGroup);
}
