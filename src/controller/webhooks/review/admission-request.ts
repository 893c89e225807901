/** Requests of admission reviews, typed. */

import { apiVersionOf } from '@kgen/runtime';
import { type JsonObject, member, metadataString } from '../../members.ts';
import type { AdmissionWebhook } from '../declarations/admission.ts';
import type { AdmissionUser, Operation } from '../declarations/context.ts';
import type { ObjectSubresource } from '../declarations/objects.ts';
import { objectIn, Refusal, shortened, textIn } from './envelope.ts';

/** Request of an admission review. */
export interface AdmissionRequest {
  readonly operation: Operation;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly subresource: string;
  readonly user: AdmissionUser;
  readonly dryRun: boolean;
  /** Object of the request; of a deletion, the stored one. */
  readonly object: JsonObject;
  /** Present exactly for UPDATE and DELETE. */
  readonly old: JsonObject | undefined;
}

/** Subresources whose bodies are of the kind of the resource. */
const objectSubresources: readonly string[] = [
  '',
  'status',
  'ephemeralcontainers',
  'resize',
  'approval',
  'finalize',
] satisfies (ObjectSubresource | '')[];

/** Operations of a webhook that declares none. */
export const defaultOperations: readonly Operation[] = ['CREATE', 'UPDATE'];

/**
 * Reads a request for a webhook.
 * @throws {Refusal} if a member has a wrong type, or the request is not one that the webhook declares
 */
export function admissionRequest(webhook: AdmissionWebhook, request: JsonObject): AdmissionRequest {
  const { resource, options } = webhook;
  checkResource(request, resource, options.subresource ?? '');
  const operations = options.operations ?? defaultOperations;
  const given = textIn(request, 'operation');
  const operation = operations.find((each) => each === given);
  if (operation === undefined)
    throw new Refusal(`operation must be ${operations.join(' or ')}, got ${shortened(given)}`);
  const old =
    operation === 'UPDATE' || operation === 'DELETE' ? present(request, 'oldObject', webhook) : undefined;
  const object = operation === 'DELETE' && old !== undefined ? old : present(request, 'object', webhook);
  return {
    operation,
    kind: textIn(objectIn(request, 'kind'), 'kind', 'kind of request'),
    // Absent in deletions of a collection.
    name: textIn(request, 'name') || (metadataString(object, 'name') ?? ''),
    namespace: textIn(request, 'namespace'),
    subresource: options.subresource ?? '',
    user: userOf(objectIn(request, 'userInfo')),
    dryRun: member(request, 'dryRun') === true,
    object,
    old,
  };
}

/** A review at a path of another resource is a mistake in a configuration, or not from an API server. */
function checkResource(
  request: JsonObject,
  expected: AdmissionWebhook['resource'],
  subresource: string,
): void {
  const given = objectIn(request, 'resource');
  const isEqual =
    textIn(given, 'group', 'resource') === expected.group &&
    textIn(given, 'version', 'resource') === expected.version &&
    textIn(given, 'resource', 'resource') === expected.plural &&
    textIn(request, 'subResource') === subresource;
  if (isEqual) return;
  const name = [expected.group, expected.version, expected.plural, subresource].filter(Boolean).join('/');
  throw new Refusal(`the request is not for ${name}`);
}

function present(
  request: JsonObject,
  key: 'object' | 'oldObject',
  { resource, options }: AdmissionWebhook,
): JsonObject {
  const object = objectIn(request, key);
  if (object === undefined) throw new Refusal(`${key} of request must be an object`);
  const ofResource = objectSubresources.includes(options.subresource ?? '');
  const [apiVersion, kind] = [textIn(object, 'apiVersion', key), textIn(object, 'kind', key)];
  if (apiVersion === '' || kind === '') throw new Refusal(`${key} has neither apiVersion nor kind`);
  if (ofResource && (kind !== resource.kind || apiVersion !== apiVersionOf(resource)))
    throw new Refusal(`${key} is ${shortened(kind)} of ${shortened(apiVersion)}, which is another kind`);
  return object;
}

function userOf(info: JsonObject | undefined): AdmissionUser {
  const name = 'userInfo';
  return {
    username: textIn(info, 'username', name),
    uid: textIn(info, 'uid', name),
    groups: texts(member(info, 'groups'), 'groups'),
    extra: Object.fromEntries(
      Object.entries(objectIn(info, 'extra', name) ?? {}).map(([key, values]) => [
        key,
        texts(values, 'extra'),
      ]),
    ),
  };
}

function texts(value: unknown, key: string): readonly string[] {
  const list = value ?? [];
  if (Array.isArray(list) && list.every((each): each is string => typeof each === 'string')) return list;
  throw new Refusal(`${key} of userInfo must have lists of strings`);
}
