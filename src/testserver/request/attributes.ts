/**
 * The action that a request needs permission for.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authorization/#determine-the-request-verb
 */

import { parseLabelSelector } from '@kgen/runtime/selectors';
import type { Action } from '@kgen/schema/cel/library/kubernetes/authorizer';
import { throwsNothing } from '@kgen/schema/values/thrown';
import { failure } from '../errors/failures.ts';
import type { Failure } from '../errors/status.ts';
import type { User } from '../identity/user.ts';
import { boolean, integer } from './query.ts';
import type { ApiRequest } from './request.ts';

/** An action on a resource, or on a path that is not the path of a resource. */
export interface Attributes extends Action {
  readonly user: User;
}

const methodVerbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Returns the action of a request. */
export function attributesOf(request: Omit<ApiRequest, 'body'>): Attributes {
  const { user, method, path, pathname } = request;
  const [prefix = '', ...rest] = path;
  const [group, ...parts] = prefix === 'apis' ? rest : ['', ...rest];
  const isResource = ['api', 'apis'].includes(prefix) && path.length > 2 && parts.length > 1;
  if (!isResource) return { user, verb: method.toLowerCase(), ...nothing, path: pathname };
  const [, first = '', ...more] = parts;
  const special = first === 'watch' || first === 'proxy';
  const target = targetOf(special ? more : [first, ...more]);
  const verb = special ? first : (methodVerbs[method] ?? '');
  const named = { user, group: group ?? '', ...target };
  return target.name === '' ? onCollection(named, verb, request.query) : { ...named, verb };
}

const nothing = { group: '', resource: '', subresource: '', namespace: '', name: '' };

type Target = Pick<Attributes, 'namespace' | 'resource' | 'name' | 'subresource'>;

function targetOf(parts: readonly string[]): Target {
  const isScoped = parts[0] === 'namespaces' && parts.length > 1;
  const namespace = isScoped ? (parts[1] ?? '') : '';
  const below = isScoped && parts.length > 2 && !['status', 'finalize'].includes(parts[2] ?? '');
  const [resource = '', name = '', subresource = ''] = below ? parts.slice(2) : parts;
  return { namespace, resource, name, subresource };
}

function onCollection(target: Omit<Attributes, 'verb'>, verb: string, query: URLSearchParams): Attributes {
  if (verb === 'delete') return { ...target, verb: 'deletecollection' };
  if (verb !== 'get') return { ...target, verb };
  const name = nameOf(query.get('fieldSelector') ?? '');
  const named = name !== '' && isDecodable(query) ? { ...target, name } : target;
  return { ...named, verb: boolean(query, 'watch') ? 'watch' : 'list' };
}

/** Options that cannot be decoded select nothing. */
function isDecodable(query: URLSearchParams): boolean {
  return throwsNothing(() => {
    parseLabelSelector(query.get('labelSelector') ?? '');
    for (const option of ['limit', 'timeoutSeconds']) integer(query, option);
  });
}

/** Returns the name that a field selector requires, so that rules with resourceNames allow it. */
function nameOf(selector: string): string {
  const found = selector.split(',').flatMap((term) => /^metadata\.name==?([^=\\/%]+)$/.exec(term)?.[1] ?? []);
  return found[0] ?? '';
}

/** Returns the description of an action in error messages. */
export function describeAction({ user, verb, path, ...target }: Attributes): string {
  const who = `User ${JSON.stringify(user.name)} cannot ${verb}`;
  if (path !== undefined) return `${who} path ${JSON.stringify(path)}`;
  const { group, namespace } = target;
  const resource = target.resource + (target.subresource === '' ? '' : `/${target.subresource}`);
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return `${who} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(group)} ${scope}`;
}

/** Returns 403 for an action, with the reason of the decision. */
export function forbiddenAction(attributes: Attributes, reason: string): Failure {
  const { group, resource, name } = attributes;
  const action = describeAction(attributes).replace(/[&<>]/g, (char) => entities[char] ?? char);
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const subject = name === '' ? qualified : `${qualified} ${JSON.stringify(name)}`;
  const message = `${subject === '' ? '' : `${subject} is `}forbidden: ${action}${reason === '' ? '' : `: ${reason}`}`;
  const details = {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    ...(resource === '' ? {} : { kind: resource }),
  };
  return failure(403, 'Forbidden', message, { details, noSniff: true });
}

/** As a real server does, so that browsers do not interpret messages as HTML. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
