/** Rules by which bodies of writes are compared with objects of the server. Pure. */

import { isObject, type JsonObject, member, metadataString } from '../members.ts';
import { canonical, canonicalWithout, digestOf, isJson } from './canonical.ts';
import { hasManager } from './field-tree.ts';
import type { WriteRequest } from './noop-writes.ts';
import { ownedFieldsMatch } from './owned-fields.ts';

type Comparable = Pick<WriteRequest, 'verb' | 'version' | 'subresource' | 'fieldManager'>;

/**
 * Returns the digest of the content of a body, without the uid and resourceVersion, which are preconditions.
 * An update of the status determines nothing else than status and stored metadata; some kinds require a
 * resourceVersion.
 */
export function bodyDigest({ verb, version }: Comparable, body: JsonObject): string {
  const metadata = metadataOf(body);
  if (verb === 'apply') {
    const text = canonicalWithout(body, partsApart) + canonicalWithout(metadata, preconditionSet);
    return digestOf(`${version}${text}`);
  }
  const { apiVersion, kind, status } = body;
  const content = {
    apiVersion,
    kind,
    status,
    metadata: { ...storedMetadata(metadata), name: metadata['name'] },
  };
  return digestOf(`${version}${metadata['resourceVersion'] ? '*' : ''}${canonical(content)}`);
}

const preconditions = ['resourceVersion', 'uid'] as const;
const preconditionSet: ReadonlySet<string> = new Set(preconditions);
const partsApart: ReadonlySet<string> = new Set(['metadata']);

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isObject(metadata) ? metadata : {};
}

/**
 * Returns the digest of the parts of an object that a write may determine: for an update of the status, the
 * status and the metadata that some kinds store with it; for an apply, everything except the fields that the
 * server sets by itself, and the status only if it is applied. An apply also removes fields, so that its own
 * fields alone do not show its effect.
 */
export function resultDigest({ verb, subresource }: Comparable, object: JsonObject): string {
  if (verb === 'updateStatus') return digestOf(canonical(statusPart(object)));
  const content = canonicalWithout(object, subresource === 'status' ? typeAndMetadata : exceptDesired);
  return digestOf(content + canonicalWithout(metadataOf(object), serverSet));
}

const typeAndMetadata: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
const exceptDesired: ReadonlySet<string> = new Set([...typeAndMetadata, 'status']);

/** Returns whether a body contains the uid or resourceVersion that the object must have. */
export function hasPreconditions(body: JsonObject): boolean {
  return preconditions.some((key) => expectedOf(body, key) !== undefined);
}

/** Returns whether the uid and resourceVersion of a body are those of the cached object. */
export function meetsPreconditions(body: unknown, cached: JsonObject): boolean {
  return preconditions.every((key) => {
    const expected = expectedOf(body, key);
    return expected === undefined || expected === metadataString(cached, key);
  });
}

function expectedOf(body: unknown, key: (typeof preconditions)[number]): unknown {
  const expected = member(member(body, 'metadata'), key);
  return expected === '' ? undefined : expected;
}

/**
 * Returns whether the cached object shows that a write has no effect. An update of a status must contain the
 * version of the cached object.
 */
export function matchesCached(request: Comparable, body: JsonObject, cached: JsonObject): boolean {
  const { verb, fieldManager: manager, subresource } = request;
  if (!isOfObject(body, cached)) return false;
  if (verb === 'apply') return ownedFieldsMatch(body, cached, { manager, subresource });
  if (metadataString(body, 'resourceVersion') !== metadataString(cached, 'resourceVersion')) return false;
  return canonical(statusPart(body)) === canonical(statusPart(cached));
}

/** Returns whether a body is one of the cached object. Servers refuse others. */
function isOfObject(body: JsonObject, cached: JsonObject): boolean {
  const agree = (a: unknown, b: unknown, keys: readonly string[]): boolean =>
    keys.every((key) => !member(a, key) || member(a, key) === member(b, key));
  return (
    agree(body, cached, ['apiVersion', 'kind']) &&
    agree(member(body, 'metadata'), member(cached, 'metadata'), ['name', 'namespace'])
  );
}

/**
 * Returns whether the source of a body and a cached object share a value that is compared and not frozen. A
 * reconcile function may have changed it in the cache, so that it is compared with itself.
 */
export function sharesCompared(
  request: Pick<WriteRequest, 'verb' | 'body' | 'source'>,
  cached: JsonObject,
): boolean {
  const { verb, body, source = body } = request;
  if (source === cached || verb === 'apply') return sharesValues(source, cached);
  return sharesValues(member(source, 'status'), cached['status']);
}

/**
 * Effect of an apply: `whole`; `emptied`, if it removed a member of the cached object although its body sets
 * it; or `unknown`, if another apply may have another effect.
 */
export type ApplyEffect = 'whole' | 'emptied' | 'unknown';

/**
 * Returns the effect of an apply. One that removes the last part of a map also removes the map, although the
 * body sets it to `{}`; the next apply would create it, with its defaults. One that owns no field at all is
 * not recorded in `managedFields` until something else was written.
 */
export function effectOf(
  request: Comparable & Pick<WriteRequest, 'body'>,
  response: JsonObject,
  cached: { readonly object: JsonObject; readonly isWhole: boolean } | undefined,
): ApplyEffect {
  const { verb, fieldManager: manager, subresource } = request;
  if (verb !== 'apply') return 'whole';
  const isOwner = hasManager(response, { manager, subresource });
  if (cached?.isWhole === false) {
    return !isOwner || isMissing(request.body, response, anything) ? 'unknown' : 'whole';
  }
  if (cached !== undefined && isMissing(request.body, response, cached.object)) return 'emptied';
  return isOwner ? 'whole' : 'unknown';
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

function storedMetadata(metadata: unknown): JsonObject {
  return {
    annotations: member(metadata, 'annotations'),
    finalizers: member(metadata, 'finalizers'),
    labels: member(metadata, 'labels'),
    ownerReferences: member(metadata, 'ownerReferences'),
  };
}

function statusPart(object: JsonObject): JsonObject {
  return { status: member(object, 'status'), metadata: storedMetadata(member(object, 'metadata')) };
}

/** In place of an object of which each member may exist. */
const anything = Symbol('anything');

/** Returns whether the response lacks a member of the body that existed before. */
function isMissing(body: unknown, response: JsonObject, before: unknown): boolean {
  if (!isObject(body)) return false;
  for (const key of Object.keys(body)) {
    const desired = body[key];
    if (!isJson(desired)) continue;
    const stored = member(response, key);
    const old = before === anything ? anything : member(before, key);
    if (stored === undefined) {
      if (desired !== null && old !== undefined && old !== null) return true;
    } else if (isObject(stored) && isMissing(desired, stored, old)) {
      return true;
    }
  }
  return false;
}
