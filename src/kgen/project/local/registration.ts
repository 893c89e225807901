/** Registration of the webhooks of an operator on this machine, and the way back. Pure. */
import type { JsonPatchOperation } from '@kgen/runtime';
import {
  array,
  at,
  compact,
  equal,
  isObject,
  type Json,
  type JsonObject,
  object,
  text,
} from '@kgen/schema/values/json';
import { type ObjectRef, refOf } from '../cluster/cluster.ts';
import { isDefinition } from '../cluster/operator.ts';
import { fieldManager } from './pause.ts';

/** Address of the webhooks of an operator on this machine, as the API server calls it. */
export interface LocalEndpoint {
  /** Host and port: `127.0.0.1:9443`. */
  readonly address: string;
  /** Authority of the certificate in base64. */
  readonly caBundle: string;
}

/** A webhook of a configuration, or the conversion of a definition. */
export interface RegisteredPart {
  /** Name of the webhook; empty for a conversion. */
  readonly name: string;
  /** Value before the registration; absent if there was none. */
  readonly before?: JsonObject | undefined;
  /** Registered value; absent for a webhook that the program no longer has. */
  readonly after?: JsonObject | undefined;
}

/** The registered parts of an object. */
export interface Registration {
  readonly ref: ObjectRef;
  readonly parts: readonly RegisteredPart[];
}

/** Change of an object: its creation or deletion, or a patch; `undefined` if it remains as it is. */
export type RegistrationChange = 'create' | 'delete' | readonly JsonPatchOperation[] | undefined;

/** A registration, and the change that it needs. */
export interface PlannedRegistration extends Registration {
  readonly change: RegistrationChange;
  /** Object that is created. */
  readonly created: JsonObject;
}

/**
 * Returns the registration of an object of the manifests.
 * @param local the object of the manifests
 * @param present the object in the cluster
 * @param namespace of the deployed operator: its webhooks that `local` does not have are removed for a time
 * @param earlier registration by the same process
 */
export function planRegistration(
  local: JsonObject,
  present: JsonObject | undefined,
  { address, caBundle }: LocalEndpoint,
  { namespace, earlier }: { readonly namespace: string; readonly earlier?: Registration | undefined },
): PlannedRegistration {
  const mine = partsOf(local).map((part) => {
    const url = `https://${address}${pathOf(part)}`;
    return { ...part, original: part.value, value: withClientConfig(part, { url, caBundle }) };
  });
  const found = partsOf(present);
  const isOwn = (part: Part): boolean =>
    part.name !== '' &&
    (text(clientConfigOf(part), 'service', 'namespace') === namespace || owns(present, part, 'url'));
  const others = found.filter((each) => !mine.some(({ name }) => name === each.name) && isOwn(each));
  const known = (name: string) => earlier?.parts.find((each) => each.name === name);
  const beforeOf = (part: Part | undefined, original?: JsonObject): JsonObject | undefined => {
    if (part === undefined || owns(present, part, 'name')) return undefined;
    // A process that was killed has left it behind.
    return owns(present, part, 'url') ? original : part.value;
  };
  const registered = mine.map(({ name, value, original }): RegisteredPart => {
    const part = found.find((each) => each.name === name);
    return { before: beforeOf(part, original), ...known(name), name, after: value };
  });
  const removed = others.map(
    (part): RegisteredPart => known(part.name) ?? { name: part.name, before: beforeOf(part) },
  );
  const now = [...registered, ...removed.map(({ name, before }) => ({ name, before }))];
  const gone = (earlier?.parts ?? []).filter((each) => !now.some(({ name }) => name === each.name));
  const creation = mine.length > 0 && !isDefinition(local) ? 'create' : undefined;
  return {
    ref: { apiVersion: text(local, 'apiVersion'), kind: text(local, 'kind'), name: refOf(local).name },
    parts: [...now, ...gone],
    created: { ...local, webhooks: registered.flatMap(({ after }) => after ?? []) },
    change: present === undefined ? creation : patchOf(present, now),
  };
}

/** Returns the change that undoes a registration. Values that others have changed meanwhile remain. */
export function undoRegistration(
  { parts }: Registration,
  present: JsonObject | undefined,
): RegistrationChange {
  if (present === undefined) return undefined;
  const found = partsOf(present);
  const back = parts.flatMap(({ name, before, after }): readonly RegisteredPart[] => {
    const part = found.find((each) => each.name === name);
    if (after === undefined)
      return part === undefined && before !== undefined ? [{ name, after: before }] : [];
    if (part === undefined || !equal(clientConfigOf(part), clientConfigOf({ name, value: after }))) return [];
    return [{ name, after: before && restored(name, before, after, part.value) }];
  });
  const isRemoved = ({ name }: Part): boolean =>
    back.some((each) => each.name === name && each.after === undefined);
  const isAdded = back.some(({ after }) => after !== undefined);
  if (found.length > 0 && found.every(isRemoved) && !isAdded && !isDefinition(present)) return 'delete';
  return patchOf(present, back);
}

/**
 * Returns the patch that replaces addresses of a machine by those of the manifests: a killed process has left
 * them behind, and an apply would add a Service to the URL.
 */
export function releasePatch(local: JsonObject, present: JsonObject | undefined): RegistrationChange {
  const own = partsOf(local);
  const stale = partsOf(present).filter((part) => owns(present, part, 'url'));
  const parts = stale.map(({ name, value }): RegisteredPart => {
    const original = own.find((each) => each.name === name);
    if (original === undefined || name === '') return { name, after: original?.value };
    return { name, after: { ...value, clientConfig: clientConfigOf(original) } };
  });
  return present && patchOf(present, parts);
}

interface Part {
  readonly name: string;
  readonly value: JsonObject;
}

function partsOf(owner: JsonObject | undefined): readonly Part[] {
  if (owner === undefined) return [];
  const conversion = object(owner, 'spec', 'conversion');
  if (isDefinition(owner))
    return text(conversion, 'strategy') === 'Webhook' ? [{ name: '', value: conversion }] : [];
  return objectsAt(owner, 'webhooks').map((value) => ({
    name: text(value, 'name'),
    value: { ...defaultsOf(owner), ...value, rules: objectsAt(value, 'rules').map(withScope) },
  }));
}

function objectsAt(value: JsonObject | undefined, ...keys: readonly string[]): readonly JsonObject[] {
  return array(value, ...keys).filter(isObject);
}

/** Values that servers add to webhooks without them, so that values are comparable. */
function defaultsOf(owner: JsonObject): JsonObject {
  return {
    ...{ failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10 },
    ...{ namespaceSelector: {}, objectSelector: {} },
    ...(text(owner, 'kind') === 'MutatingWebhookConfiguration' && { reinvocationPolicy: 'Never' }),
  };
}

function withScope(rule: JsonObject): JsonObject {
  return { scope: '*', ...rule };
}

function clientConfigOf({ name, value }: Part): JsonObject {
  return name === '' ? object(value, 'webhook', 'clientConfig') : object(value, 'clientConfig');
}

function withClientConfig({ name, value }: Part, clientConfig: JsonObject): JsonObject {
  return name === ''
    ? { ...value, webhook: { ...object(value, 'webhook'), clientConfig } }
    : { ...value, clientConfig };
}

/** Returns the path of a webhook at its server. */
function pathOf(part: Part): string {
  const config = clientConfigOf(part);
  const url = text(config, 'url');
  return url === '' ? text(config, 'service', 'path') : new URL(url).pathname;
}

/** Returns the former value, with the members that others have changed meanwhile. */
function restored(name: string, before: JsonObject, after: JsonObject, present: JsonObject): JsonObject {
  if (name === '') return before;
  const keys = new Set([...Object.keys(before), ...Object.keys(present)]);
  const member = (key: string): Json | undefined =>
    equal(present[key], after[key]) ? before[key] : present[key];
  return compact(Object.fromEntries([...keys].map((key) => [key, member(key)])));
}

/** Returns the patch that sets parts, or removes those without a value; `undefined` if nothing differs. */
function patchOf(present: JsonObject, parts: readonly RegisteredPart[]): RegistrationChange {
  const found = partsOf(present);
  const operations = parts.flatMap(({ name, after }): readonly JsonPatchOperation[] => {
    const index = found.findIndex((each) => each.name === name);
    if (index >= 0 && equal(found[index]?.value, after)) return [];
    if (isDefinition(present))
      return [{ op: 'add', path: '/spec/conversion', value: after ?? { strategy: 'None' } }];
    if (index < 0) return after === undefined ? [] : [{ op: 'add', path: '/webhooks/-', value: after }];
    return after === undefined
      ? [{ op: 'remove', path: `/webhooks/${index}` }]
      : [{ op: 'replace', path: `/webhooks/${index}`, value: after }];
  });
  if (operations.length === 0) return undefined;
  const value = text(present, 'metadata', 'resourceVersion');
  const removals = operations.filter(({ op }) => op === 'remove').sort(byIndex);
  const others = operations.filter(({ op }) => op !== 'remove');
  return [{ op: 'test', path: '/metadata/resourceVersion', value }, ...others, ...removals];
}

/** The last index first, so that the others remain valid. */
function byIndex(a: JsonPatchOperation, b: JsonPatchOperation): number {
  const index = ({ path }: JsonPatchOperation): number => Number(path.slice(path.lastIndexOf('/') + 1));
  return index(b) - index(a);
}

/** Returns whether a process on this machine has written a member of a part: its `name`, or its `url`. */
function owns(owner: JsonObject | undefined, { name }: Part, member: 'name' | 'url'): boolean {
  const place =
    name === '' ? ['f:spec', 'f:conversion', 'f:webhook'] : ['f:webhooks', `k:${JSON.stringify({ name })}`];
  const path = [...place, ...(member === 'url' ? ['f:clientConfig'] : []), `f:${member}`];
  return objectsAt(owner, 'metadata', 'managedFields').some(
    (each) => text(each, 'manager') === fieldManager && at(each, 'fieldsV1', ...path) !== undefined,
  );
}
