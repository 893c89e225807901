/**
 * TokenRequests: `POST …/serviceaccounts/<name>/token` returns a token of a service account.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/token-request-v1/
 */

import { type FieldError, invalidValue } from '@kgen/runtime/objects';
import { compact, isObject, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';
import type { Context } from '../call/context.ts';
import { timestamp } from '../environment/environment.ts';
import { badRequest, conflict, invalid, notFound } from '../errors/failures.ts';
import { type BoundObject, issuer } from '../identity/tokens.ts';

const group = 'authentication.k8s.io';
const kind = 'TokenRequest';

/** Kind of the body. */
export const tokenRequestKind: {
  readonly group: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly defaults: (value: JsonObject) => JsonObject;
} = {
  group,
  kind,
  apiVersion: `${group}/v1`,
  defaults: (value) => ({ ...value, spec: { expirationSeconds: 3600, ...object(value, 'spec') } }),
};

/** Returns the body of the request with a token in its status. @throws {Failure} 404, 409 or 422 */
export function issueToken(context: Context, value: JsonObject): JsonObject {
  const { store, environment, authenticator, namespace, name } = context;
  checkMetadata(value, context);
  const account = store.get('serviceaccounts', `${namespace}/${name}`);
  if (account === undefined) throw notFound({ group: '', plural: 'serviceaccounts' }, name);
  const given = own(object(value, 'spec'), 'expirationSeconds');
  const seconds = typeof given === 'number' ? given : 3600;
  refuse('', durationErrors(seconds));
  const audiences = strings(value, 'spec', 'audiences');
  const bound = boundObject(context, object(value, 'spec'));
  const claims = { account, audiences: audiences.length === 0 ? [issuer] : audiences, seconds, ...bound };
  const expirationTimestamp = timestamp({ ...environment, now: () => environment.now() + seconds * 1000 });
  const uid = text(account, 'metadata', 'uid');
  const metadata = { name, namespace, uid, creationTimestamp: timestamp(environment) };
  const boundObjectRef = own(object(value, 'spec'), 'boundObjectRef') ?? null;
  return {
    kind,
    apiVersion: `${group}/v1`,
    metadata: { ...metadata, ...kept(value, 'labels', 'annotations', 'managedFields') },
    spec: { audiences: claims.audiences, expirationSeconds: seconds, boundObjectRef },
    status: { token: authenticator.tokens.issue(claims), expirationTimestamp },
  };
}

function kept(value: JsonObject, ...keys: readonly string[]): JsonObject {
  const metadata = object(value, 'metadata');
  return compact(Object.fromEntries(keys.map((key) => [key, own(metadata, key)])));
}

function checkMetadata(value: JsonObject, { name, namespace }: Context): void {
  const given = object(value, 'metadata');
  const wrong = (key: string, actual: string): readonly FieldError[] => {
    const detail = `must match the service account ${key} if specified`;
    return text(given, key) === '' || text(given, key) === actual
      ? []
      : [invalidValue(`metadata.${key}`, text(given, key), detail)];
  };
  refuse(name, [...wrong('name', name), ...wrong('namespace', namespace)]);
}

function refuse(name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(group, kind, name, errors);
}

function durationErrors(seconds: number): readonly FieldError[] {
  const field = 'spec.expirationSeconds';
  if (seconds < 600) return [invalidValue(field, seconds, 'may not specify a duration less than 10 minutes')];
  const isLong = seconds > 2 ** 32;
  return isLong ? [invalidValue(field, seconds, 'may not specify a duration larger than 2^32 seconds')] : [];
}

/** Kinds that tokens can be bound to. */
const plurals: Readonly<Record<BoundObject['kind'], string>> = {
  Pod: 'pods',
  Secret: 'secrets',
  Node: 'nodes',
};

interface Binding {
  readonly bound: BoundObject | undefined;
  readonly node: { readonly name: string; readonly uid: string } | undefined;
}

function boundObject({ store, namespace, name: account }: Context, spec: JsonObject): Binding {
  const reference = own(spec, 'boundObjectRef');
  if (!isObject(reference)) return { bound: undefined, node: undefined };
  const given = text(reference, 'kind');
  if (given !== 'Pod' && given !== 'Secret' && given !== 'Node') {
    const [version = '', apiGroup = ''] = text(reference, 'apiVersion').split('/').reverse();
    throw badRequest(`cannot bind token to object of type ${apiGroup}/${version}, Kind=${given}`);
  }
  const resource = { group: '', plural: plurals[given] };
  const name = text(reference, 'name');
  const found = store.get(resource.plural, given === 'Node' ? name : `${namespace}/${name}`);
  if (found === undefined) throw notFound(resource, name);
  const [uid, requested] = [text(found, 'metadata', 'uid'), text(reference, 'uid')];
  if (requested !== '' && requested !== uid) {
    const why = `the UID in the bound object reference (${requested}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict(resource, name, why);
  }
  if (given === 'Pod' && text(found, 'spec', 'serviceAccountName') !== account) {
    const why = `cannot bind token for serviceaccount "${account}" to pod running with different serviceaccount name.`;
    throw badRequest(why);
  }
  const node = given === 'Pod' ? text(found, 'spec', 'nodeName') : '';
  const nodeUid = text(store.get('nodes', node), 'metadata', 'uid');
  return { bound: { kind: given, name, uid }, node: node === '' ? undefined : { name: node, uid: nodeUid } };
}
