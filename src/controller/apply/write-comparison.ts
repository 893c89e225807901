/** Rules by which bodies of writes are compared with objects of the server. Pure. */

import { isObject, type JsonObject, member, metadataString } from '../members.ts';
import { canonical, digestOf, memberNames } from './canonical.ts';
import type { WriteRequest } from './noop-writes.ts';
import { ownedFieldsMatch } from './owned-fields.ts';

type Comparable = Pick<WriteRequest, 'verb' | 'version' | 'subresource' | 'fieldManager'>;

/**
 * Returns the digest of the content of a body, without the uid and resourceVersion, which are preconditions.
 * An update of the status determines nothing else than status and stored metadata.
 */
export function bodyDigest({ verb, version }: Comparable, body: JsonObject): string {
  const { metadata, ...rest } = body;
  const { resourceVersion: _, uid: __, ...kept } = isObject(metadata) ? metadata : {};
  const { apiVersion, kind, status } = rest;
  const content =
    verb === 'apply'
      ? { ...rest, metadata: kept }
      : { apiVersion, kind, status, metadata: { ...storedMetadata(kept), name: kept['name'] } };
  return digestOf(`${version}${canonical(content)}`);
}

/**
 * Returns the digest of the parts of an object that a write may determine: for an update of the status, the
 * status and the metadata that some kinds store with it; for an apply, everything except the fields that the
 * server sets by itself, and the status only if it is applied. An apply also removes fields, so that its own
 * fields alone do not show its effect.
 */
export function resultDigest({ verb, subresource }: Comparable, object: JsonObject): string {
  const { apiVersion: _, kind: __, status, metadata, ...rest } = object;
  if (verb === 'updateStatus') return digestOf(canonical(statusPart(object)));
  const isStatus = subresource === 'status';
  const kept = Object.entries(isObject(metadata) ? metadata : {})
    .filter(([key]) => !isServerSet(key))
    .map(([key, value]) => [key, key === 'annotations' ? withoutControllers(value) : value]);
  const content = { ...rest, metadata: Object.fromEntries(kept), ...(isStatus && { status }) };
  return digestOf(canonical(content));
}

/** Returns whether the uid and resourceVersion of a body are those of the cached object. */
export function meetsPreconditions(body: JsonObject, cached: JsonObject): boolean {
  return (['uid', 'resourceVersion'] as const).every((key) => {
    const expected = member(member(body, 'metadata'), key);
    return expected === undefined || expected === '' || expected === metadataString(cached, key);
  });
}

/**
 * Returns whether the cached object shows that a write has no effect. An update of a status must contain the
 * version of the cached object.
 */
export function matchesCached(request: Comparable, body: JsonObject, cached: JsonObject): boolean {
  const { verb, fieldManager: manager, subresource } = request;
  if (verb === 'apply') return ownedFieldsMatch(body, cached, { manager, subresource });
  if (metadataString(body, 'resourceVersion') !== metadataString(cached, 'resourceVersion')) return false;
  return canonical(statusPart(body)) === canonical(statusPart(cached));
}

/**
 * Returns whether a body and a cached object share a value that is compared and not frozen. A reconcile
 * function may have changed it in the cache, so that it is compared with itself.
 */
export function sharesCompared({ verb }: Comparable, body: JsonObject, cached: JsonObject): boolean {
  if (body === cached || verb === 'apply') return sharesValues(body, cached);
  return sharesValues(body['status'], cached['status']);
}

/**
 * Members of the body that the response lacks: `none`; `emptied`, if the cached object had one of them, so
 * that the apply removed it although the body sets it; or `unknown`, without a whole object to compare with.
 */
export type MemberLoss = 'none' | 'emptied' | 'unknown';

/**
 * Finds members that an apply removed although its body sets them. An apply that removes the last part of a
 * map also removes the map, although the body sets it to `{}`; the next apply would create it, with its
 * defaults.
 */
export function memberLoss(
  { verb }: Comparable,
  body: JsonObject,
  response: JsonObject,
  cached: { readonly object: JsonObject; readonly isWhole: boolean } | undefined,
): MemberLoss {
  if (verb !== 'apply') return 'none';
  if (cached?.isWhole === false) return isMissing(body, response, () => true) ? 'unknown' : 'none';
  const before = cached?.object;
  return isMissing(body, response, (path) => hadMember(before, path)) ? 'emptied' : 'none';
}

/** Compares values path by path. */
function sharesValues(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return false;
  if (a === b) return !Object.isFrozen(a) && Object.keys(a).length > 0;
  return Object.keys(a).some((key) => sharesValues(Reflect.get(a, key), Reflect.get(b, key)));
}

/** Compares versions of one object. Versions that are not decimal numbers are not comparable. */
export function isOlder(version: unknown, than: unknown): boolean {
  const decimal = /^[0-9]{1,40}$/;
  if (typeof version !== 'string' || typeof than !== 'string') return false;
  return decimal.test(version) && decimal.test(than) && BigInt(version) < BigInt(than);
}

/** Returns whether a patch has no operation or member. */
export function isEmptyPatch(body: unknown): boolean {
  return Array.isArray(body) ? body.length === 0 : isObject(body) && Object.keys(body).length === 0;
}

/** Metadata that the server sets by itself, or that identifies an object. */
const serverSet: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'generation',
  'managedFields',
  'name',
  'namespace',
  'resourceVersion',
  'selfLink',
  'uid',
]);

function isServerSet(key: string): boolean {
  return serverSet.has(key);
}

/**
 * Annotations that controllers of Kubernetes write after an apply, in each rollout of a Deployment: they
 * would cause another apply.
 */
const controllerAnnotations: ReadonlySet<string> = new Set(['deployment.kubernetes.io/revision']);

/** Returns annotations without those of controllers; `undefined` for none, as before the first rollout. */
function withoutControllers(annotations: unknown): JsonObject | undefined {
  if (!isObject(annotations)) return undefined;
  const kept = Object.entries(annotations).filter(([key]) => !controllerAnnotations.has(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Metadata that some kinds store when their status is updated. */
const storedKeys = ['annotations', 'finalizers', 'labels', 'ownerReferences'];

function storedMetadata(metadata: unknown): JsonObject {
  return Object.fromEntries(storedKeys.map((key) => [key, member(metadata, key)]));
}

function statusPart(object: JsonObject): JsonObject {
  return { status: member(object, 'status') ?? {}, metadata: storedMetadata(member(object, 'metadata')) };
}

/** Returns whether the response lacks a member of the body for whose path `was` returns true. */
function isMissing(
  body: JsonObject,
  response: JsonObject,
  was: (path: readonly string[]) => boolean,
  path: readonly string[] = [],
): boolean {
  return memberNames(body).some((key) => {
    const [stored, wanted] = [member(response, key), body[key]];
    const here = [...path, key];
    if (stored === undefined) return wanted !== null && was(here);
    return isObject(stored) && isObject(wanted) && isMissing(wanted, stored, was, here);
  });
}

function hadMember(object: unknown, path: readonly string[]): boolean {
  const value = path.reduce((holder, key) => member(holder, key), object);
  return value !== undefined && value !== null;
}
