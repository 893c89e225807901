import { badRequest, conflict, invalid, notFound } from '../api/failures.ts';
import { invalidValue, notSupported } from '../api/fielderror.ts';
import { type Answer, json } from '../api/request.ts';
import { success } from '../api/status.ts';
import { storageKey } from '../resources/type.ts';
import { at, type JsonObject, own, strings, text } from '../values/json.ts';
import { present } from './admit.ts';
import type { Context } from './context.ts';
import { decodeBody } from './decode.ts';
import { type DeletePolicy, deleteObject } from './deletion.ts';
import { listObjects } from './list.ts';
import { boolean, dryRunErrors } from './options.ts';

/** Options of a delete: from the body, or from the query if there is no body. */
interface DeleteOptions extends DeletePolicy {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/**
 * Handles DELETE of one object: responds with the object while finalizers hold it, otherwise with a Status.
 */
export function remove(context: Context): Answer {
  const options = deleteOptions(context);
  const { type, store, name } = context;
  const key = storageKey(type, context.namespace, name);
  const found = store.get(type.storage, key);
  if (found === undefined) throw notFound(type, name);
  checkPreconditions(context, name, found, options);
  const { gone, value } = deleteObject(store, type, key, found, options);
  const warnings = [...context.warnings];
  if (!gone || type.strategy === 'namespace') return json(200, present(value, type), warnings);
  const uid = text(value, 'metadata', 'uid');
  return json(200, success({ name, group: type.group, kind: type.plural, uid }), warnings);
}

/** Handles DELETE of the selected objects of a collection: responds with the list of deleted objects. */
export function removeCollection(context: Context): Answer {
  const options = deleteOptions(context);
  const { body, keys } = listObjects(context);
  for (const [name, value] of keys) {
    checkPreconditions(context, name, value, options);
    const key = storageKey(context.type, text(value, 'metadata', 'namespace'), name);
    deleteObject(context.store, context.type, key, value, options);
  }
  return json(200, body, [...context.warnings]);
}

function deleteOptions(context: Context): DeleteOptions {
  const { request } = context;
  const body: JsonObject =
    request.body === '' ? fromQuery(request.query) : decodeBody(request, 'DeleteOptions');
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
  };
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
  return {
    dryRun: query.getAll('dryRun'),
    ...(policy === null || policy === '' ? {} : { propagationPolicy: policy }),
    ...(orphan === undefined ? {} : { orphanDependents: orphan }),
  };
}

function checkPreconditions(context: Context, name: string, value: JsonObject, options: DeleteOptions): void {
  const { group, kind } = context.type;
  const uid = text(value, 'metadata', 'uid');
  const version = text(value, 'metadata', 'resourceVersion');
  if (options.uid !== undefined && options.uid !== uid) {
    const why = `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict({ group, plural: kind }, name, why);
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== version) {
    const why = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${version}). The object might have been modified`;
    throw conflict({ group, plural: kind }, name, why);
  }
}
