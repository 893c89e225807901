/** Deletion of objects, with finalizers, grace periods and propagation. */
import { invalidValue, notSupported } from '@kgen/runtime/objects';
import { at, type JsonObject, own, strings, text } from '@kgen/schema/values/json';
import { mutate, validate, type Write } from '../admission/admission.ts';
import type { Context } from '../call/context.ts';
import { dryRunErrors, optionsObject } from '../call/options.ts';
import type { Verb } from '../call/verb.ts';
import { present } from '../decoding/admit.ts';
import { decodeBody } from '../decoding/decode.ts';
import { badRequest, conflict, forbidden, invalid, notFound } from '../errors/failures.ts';
import { success } from '../errors/status.ts';
import { boolean, integer } from '../request/query.ts';
import { type ApiResponse, json } from '../request/request.ts';
import { decodeGo, UndecodableFailure } from '../resources/builtin/go-decode.ts';
import { goStruct } from '../resources/builtin/go-type.ts';
import { storageKey, validationGroup } from '../resources/type.ts';
import { listOptions } from '../selectors/list-options.ts';
import { type DeletePolicy, deleteObject } from './deletion.ts';
import { listObjects } from './list.ts';

/** Options of a delete: from the body, or from the query if the body is empty. */
export interface DeleteOptions extends DeletePolicy {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/**
 * Handles DELETE of one object: responds with the object while finalizers hold it, otherwise with a Status.
 */
export function* remove(context: Context): Verb<ApiResponse> {
  const options = deleteOptions(context);
  const { type, name } = context;
  if (type.strategy === 'namespace' && permanent.has(name))
    throw forbidden(type, name, 'this namespace may not be deleted');
  const key = storageKey(type, context.namespace, name);
  if (type.storage === 'jobs.batch' && options.propagation === undefined) context.warnings.add(preserved);
  const found = yield* deletable(context, name, options);
  const { gone, value } = deleteObject(context, type, key, found, options);
  const warnings = [...context.warnings];
  if (!gone || type.strategy === 'namespace' || returnsDeleted(type))
    return json(200, yield* present(value, type), warnings);
  const uid = text(value, 'metadata', 'uid');
  return json(200, success({ name, group: type.group, kind: type.plural, uid }), warnings);
}

/** Namespaces that the API server itself needs. */
const permanent: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** Kinds for which the response to a deletion is the object, also if it is gone. */
const returning: ReadonlySet<string> = new Set([
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'podtemplates',
  'resourcequotas',
  'serviceaccounts',
  'services',
]);

function returnsDeleted({ group, storage, plural }: Context['type']): boolean {
  if (group === 'storage.k8s.io') return plural !== 'csistoragecapacities';
  return group === 'resource.k8s.io' || returning.has(storage);
}

const preserved =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/** Handles DELETE of the selected objects of a collection: responds with the list of deleted objects. */
export function* removeCollection(context: Context): Verb<ApiResponse> {
  // Its errors precede those of the options.
  listOptions(context.request.query, context.type, '');
  const options = deleteOptions(context);
  const { body, keys } = yield* listObjects(context);
  if (context.type.storage === 'jobs.batch' && options.propagation === undefined)
    context.warnings.add(preserved);
  for (const [name, value] of keys) {
    const namespace = text(value, 'metadata', 'namespace');
    const found = yield* deletable({ ...context, namespace }, name, options);
    const key = storageKey(context.type, namespace, name);
    deleteObject(context, context.type, key, found, options);
  }
  return json(200, body, [...context.warnings]);
}

/**
 * Returns the stored object after the admission of its deletion: again, if it changed while a webhook was
 * called.
 */
function* deletable(context: Context, name: string, options: DeleteOptions): Verb<JsonObject> {
  const { store, type, namespace } = context;
  for (;;) {
    const found = preconditioned(context, name, options);
    const { propagation, dryRun } = options;
    const write: Write = {
      operation: 'DELETE',
      object: undefined,
      old: yield* present(found, type),
      options: {
        ...optionsObject('DeleteOptions', { dryRun }),
        ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
      },
      dryRun,
    };
    yield* mutate(context, write);
    yield* validate(context, write);
    if (store.get(type.storage, storageKey(type, namespace, name)) === found) return found;
  }
}

/**
 * Returns the stored object that a deletion is for.
 * @throws {Failure} 404 if it does not exist, 409 if a precondition of the deletion does not hold
 */
export function preconditioned(context: Context, name: string, options: DeleteOptions): JsonObject {
  const { store, type, namespace } = context;
  const found = store.get(type.storage, storageKey(type, namespace, name));
  if (found === undefined) throw notFound(type, name);
  checkPreconditions(context, name, found, options);
  return found;
}

function deleteOptions(context: Context): DeleteOptions {
  const { request } = context;
  return deleteOptionsOf(
    request.body === '' && request.object === undefined ? fromQuery(request.query) : bodyOf(context),
  );
}

/**
 * Returns the options of a DeleteOptions object.
 * @throws {Failure} 422
 */
export function deleteOptionsOf(body: JsonObject): DeleteOptions {
  const policy = own(body, 'propagationPolicy');
  const orphan = own(body, 'orphanDependents');
  const dryRun = strings(body, 'dryRun');
  const known = policy === 'Orphan' || policy === 'Background' || policy === 'Foreground';
  const errors = [
    ...dryRunErrors(dryRun),
    ...(policy === undefined || policy === null || known
      ? []
      : [notSupported('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil'])]),
  ];
  if (errors.length === 0 && known && typeof orphan === 'boolean') {
    errors.push(
      invalidValue(
        'propagationPolicy',
        policy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  }
  if (errors.length > 0) throw invalid('meta.k8s.io', 'DeleteOptions', '', errors);
  return {
    propagation: known
      ? policy
      : typeof orphan === 'boolean'
        ? orphan
          ? 'Orphan'
          : 'Background'
        : undefined,
    uid: optional(body, 'uid'),
    resourceVersion: optional(body, 'resourceVersion'),
    dryRun: dryRun.includes('All'),
    ...gracePeriod(body),
  };
}

/** @throws {Failure} 400 for another kind */
function bodyOf({ request }: Context): JsonObject {
  const body = decodeBody(request, undefined);
  const [kind, apiVersion] = [text(body, 'kind'), text(body, 'apiVersion')];
  if (kind === '' || kind === 'DeleteOptions') return decoded(body);
  const named = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`;
  throw badRequest(`${named} in scheme "pkg/runtime/scheme.go:111"`);
}

function decoded(body: JsonObject): JsonObject {
  const struct = goStruct('meta/v1', 'DeleteOptions');
  if (struct === undefined) return body;
  try {
    return decodeGo(body, struct, 'DeleteOptions').value;
  } catch (error) {
    throw error instanceof UndecodableFailure ? badRequest(error.found.message) : error;
  }
}

function gracePeriod(body: JsonObject): Pick<DeleteOptions, 'gracePeriodSeconds'> {
  const period = own(body, 'gracePeriodSeconds');
  return typeof period === 'number' ? { gracePeriodSeconds: period } : {};
}

function optional(body: JsonObject, key: string): string | undefined {
  const value = at(body, 'preconditions', key);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw badRequest(`DeleteOptions: preconditions.${key} must be a string`);
}

function fromQuery(query: URLSearchParams): JsonObject {
  const policy = query.get('propagationPolicy');
  const orphan = boolean(query, 'orphanDependents');
  const period = integer(query, 'gracePeriodSeconds');
  const [uid, resourceVersion] = [query.get('uid'), query.get('resourceVersion')];
  return {
    preconditions: {
      ...(uid === null ? {} : { uid }),
      ...(resourceVersion === null ? {} : { resourceVersion }),
    },
    ...(period === undefined ? {} : { gracePeriodSeconds: period }),
    dryRun: query.getAll('dryRun'),
    ...(policy === null || policy === '' ? {} : { propagationPolicy: policy }),
    ...(orphan === undefined ? {} : { orphanDependents: orphan }),
  };
}

function checkPreconditions(context: Context, name: string, value: JsonObject, options: DeleteOptions): void {
  const subject = { group: validationGroup(context.type), plural: context.type.kind };
  const uid = text(value, 'metadata', 'uid');
  const version = text(value, 'metadata', 'resourceVersion');
  if (context.type.storage === 'namespaces')
    checkNamespacePreconditions(context, name, { uid, version }, options);
  if (options.uid !== undefined && options.uid !== uid) {
    const why = `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict(subject, name, why);
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== version) {
    const why = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${version}). The object might have been modified`;
    throw conflict(subject, name, why);
  }
}

/** Namespaces check preconditions in their own words. */
function checkNamespacePreconditions(
  { type }: Context,
  name: string,
  { uid, version }: { readonly uid: string; readonly version: string },
  options: DeleteOptions,
): void {
  const refuse = (what: string, given: string, own_: string): Error =>
    conflict(
      type,
      name,
      `Precondition failed: ${what} in precondition: ${given}, ${what} in object meta: ${own_}`,
    );
  if (options.uid !== undefined && options.uid !== uid) throw refuse('UID', options.uid, uid);
  if (options.resourceVersion !== undefined && options.resourceVersion !== version)
    throw refuse('ResourceVersion', options.resourceVersion, version);
}
