import { findType, servedTypes } from '../resources/catalog.ts';
import type { ResourceType } from '../resources/type.ts';
import type { Store } from '../store/store.ts';
import type { Context } from '../verbs/context.ts';
import { create } from '../verbs/create.ts';
import { remove, removeCollection } from '../verbs/delete.ts';
import { get, list } from '../verbs/list.ts';
import { boolean } from '../verbs/options.ts';
import { patch } from '../verbs/patch.ts';
import { getScale, patchScale, updateScale } from '../verbs/scale.ts';
import { currentObject, update } from '../verbs/update.ts';
import { watch } from '../verbs/watch.ts';
import { negotiate } from './accept.ts';
import { aggregated, coreVersions, group, groupList, resourceList } from './discovery.ts';
import { badRequest, methodNotAllowed, notFound, notImplemented } from './failures.ts';
import { partial } from './partial.ts';
import { type Answer, type ApiRequest, json } from './request.ts';
import { Failure } from './status.ts';

/** Response of `/version`: the version of the API server whose behaviour is implemented. */
const serverVersion = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3+kgen.memory',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '',
  goVersion: '',
  compiler: '',
  platform: '',
};

const notFoundText: Answer = { kind: 'text', code: 404, text: '404 page not found\n' };

/**
 * Handles a request.
 * @throws {Failure} for failures that do not concern a resource
 */
export function dispatch(store: Store, request: ApiRequest): Answer {
  const [root = '', ...rest] = request.path;
  switch (root) {
    case 'api':
      return rest.length === 0 ? roots(store, request, true) : version(store, request, '', rest);
    case 'apis':
      return rest.length < 2
        ? groups(store, request, rest[0])
        : version(store, request, rest[0] ?? '', rest.slice(1));
    case 'healthz':
    case 'livez':
    case 'readyz':
      return { kind: 'text', code: 200, text: 'ok' };
    case 'version':
      return json(200, serverVersion);
    case 'openapi':
      throw notImplemented(`OpenAPI documents (/${request.path.join('/')})`);
    default:
      return notFoundText;
  }
}

function roots(store: Store, request: ApiRequest, core: boolean): Answer {
  const types = servedTypes(store);
  if (negotiate(request.accept) !== 'discovery-v2')
    return json(200, core ? coreVersions() : groupList(types));
  const contentType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  return { kind: 'json', code: 200, body: aggregated(types, core), warnings: [], contentType };
}

function groups(store: Store, request: ApiRequest, name: string | undefined): Answer {
  if (name === undefined) return roots(store, request, false);
  const body = group(name, servedTypes(store));
  return body === undefined ? notFoundText : json(200, body);
}

/** Handles all paths below `/api/<version>` and `/apis/<group>/<version>`. */
function version(store: Store, request: ApiRequest, name: string, path: readonly string[]): Answer {
  const [version = '', ...rest] = path;
  if (rest.length === 0) {
    const body = resourceList(name, version, servedTypes(store));
    return body === undefined ? notFoundText : json(200, body);
  }
  if (rest[0] === 'watch')
    throw notImplemented('the deprecated /watch/ paths: use the query parameter watch');
  const target = findTarget(store, name, version, rest);
  if (target === undefined) return notFoundText;
  const form = negotiate(request.accept);
  const warnings = new Set(target.type.deprecation === undefined ? [] : [target.type.deprecation]);
  return partial(attempt({ store, request, warnings, ...target }), form);
}

/** A failure includes earlier warnings. */
function attempt(context: Context): Answer {
  try {
    return run(context);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { kind: 'failure', problem: error.problem, warnings: [...context.warnings] };
  }
}

type Target = Pick<Context, 'type' | 'namespace' | 'name' | 'subresource'>;

function findTarget(
  store: Store,
  group: string,
  version: string,
  path: readonly string[],
): Target | undefined {
  const [first = '', namespace = '', plural, name = '', subresource = '', ...more] = path;
  if (first !== 'namespaces' || plural === undefined || isOfNamespace(plural, group, version)) {
    const [own = '', object = '', sub = '', ...others] = path;
    return others.length > 0 ? undefined : targetOf(findType(store, group, version, own), '', object, sub);
  }
  return more.length > 0
    ? undefined
    : targetOf(findType(store, group, version, plural), namespace, name, subresource);
}

/** `/api/v1/namespaces/<name>/status` is a subresource, `/namespaces/<name>/foos` a collection. */
function isOfNamespace(segment: string, group: string, version: string): boolean {
  return group === '' && version === 'v1' && (segment === 'status' || segment === 'finalize');
}

function targetOf(
  type: ResourceType | undefined,
  namespace: string,
  name: string,
  subresource: string,
): Target | undefined {
  if (type === undefined) return undefined;
  const scoped = type.namespaced ? namespace !== '' || name === '' : namespace === '';
  return scoped ? { type, namespace, name, subresource } : undefined;
}

function run(context: Context): Answer {
  const { request, name, subresource } = context;
  if (name === '') return onCollection(context);
  if (!hasSubresource(context.type, subresource)) throw notFound(context.type, name);
  if (subresource === 'scale') return onScale(context);
  switch (request.method) {
    case 'GET':
      return get(context, () => currentObject(context));
    case 'PUT':
      return update(context);
    case 'PATCH':
      return patch(context);
    case 'DELETE':
      if (subresource !== '') throw methodNotAllowed(context.type, 'delete');
      return remove(context);
    case 'POST':
      if (subresource !== '') throw methodNotAllowed(context.type, 'create');
      // A name in the path has no effect; the name in the object is used.
      return create({ ...context, name: '' });
    default:
      throw methodNotAllowed(context.type);
  }
}

function hasSubresource(type: ResourceType, subresource: string): boolean {
  if (subresource === '') return true;
  if (subresource === 'status') return type.status;
  if (subresource === 'finalize') return type.strategy === 'namespace';
  return subresource === 'scale' && type.scale !== undefined;
}

function onCollection(context: Context): Answer {
  const { request, type, namespace } = context;
  switch (request.method) {
    case 'GET':
      return boolean(request.query, 'watch') ? watch(context) : list(context);
    case 'POST':
      return type.namespaced && namespace === '' ? notFoundText : create(context);
    case 'DELETE':
      if (!type.verbs.includes('deletecollection')) throw methodNotAllowed(type);
      return type.namespaced && namespace === '' ? notFoundText : removeCollection(context);
    case 'PUT':
    case 'PATCH':
      throw badRequest('name must be provided');
    default:
      throw methodNotAllowed(type);
  }
}

function onScale(context: Context): Answer {
  switch (context.request.method) {
    case 'GET':
      return getScale(context);
    case 'PUT':
      return updateScale(context);
    case 'PATCH':
      return patchScale(context);
    default:
      throw methodNotAllowed(context.type);
  }
}
