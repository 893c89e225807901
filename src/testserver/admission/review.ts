/** AdmissionReviews: the calls of webhooks, and the checks of their responses. */

import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  strings,
  text,
} from '@kgen/schema/values/json';
import { messageOf } from '@kgen/schema/values/thrown';
import { readJson, writeJson } from '@kgen/schema/values/wire';
import { type Verb, wait } from '../call/verb.ts';
import { randomUid } from '../environment/environment.ts';
import { failure } from '../errors/failures.ts';
import { Failure } from '../errors/status.ts';
import type { ResourceType } from '../resources/type.ts';
import { WebhookCallError } from '../webhooks/client.ts';
import { webhookClientOf } from '../webhooks/registry.ts';
import type { Attributes } from './attributes.ts';
import type { Hook } from './hooks.ts';
import { requestOf } from './request.ts';

/** Objects of a review in the version of the webhook. */
export interface ReviewObjects {
  readonly object: JsonObject | undefined;
  readonly old: JsonObject | undefined;
}

/** Thrown for a webhook that cannot be called; `failurePolicy` decides about the request. */
export class HookCallError extends Error {}

/**
 * Calls a webhook. Returns the operations of its patch.
 * @throws {Failure} for a request that the webhook denies
 * @throws {HookCallError} for a webhook that cannot be called
 */
export function* callHook(
  attributes: Attributes,
  hook: Hook,
  type: ResourceType,
  objects: ReviewObjects,
  isMutating: boolean,
): Verb<readonly Json[]> {
  const name = text(hook.config, 'name');
  if (attributes.dryRun) checkDryRun(hook.config, name);
  const version = strings(hook.config, 'admissionReviewVersions').find(
    (each) => each === 'v1' || each === 'v1beta1',
  );
  const uid = randomUid(attributes.context.environment);
  const review: JsonObject = {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: {
      uid,
      ...requestOf(attributes, type),
      object: objects.object ?? null,
      oldObject: objects.old ?? null,
    },
  };
  const response = verified(
    yield* call(attributes, hook, review),
    version === 'v1' ? uid : undefined,
    isMutating,
  );
  for (const warning of strings(response, 'warnings')) attributes.context.warnings.add(warning);
  if (own(response, 'allowed') !== true) throw denied(name, object(response, 'status'));
  return patchIn(response);
}

function checkDryRun(config: JsonObject, name: string): void {
  const effects = text(config, 'sideEffects');
  if (effects === 'None' || effects === 'NoneOnDryRun') return;
  throw failure(400, 'BadRequest', `admission webhook ${JSON.stringify(name)} does not support dry run`);
}

function* call({ context }: Attributes, { config, handler }: Hook, review: JsonObject): Verb<JsonObject> {
  const seconds = own(config, 'timeoutSeconds');
  const timeout = typeof seconds === 'number' ? seconds : 10;
  try {
    if (handler !== undefined) return yield* wait(inProcess(handler, review));
    const client = webhookClientOf(context.store);
    return yield* wait(client.call(own(config, 'clientConfig') ?? null, review, timeout));
  } catch (error) {
    if (error instanceof WebhookCallError)
      throw new HookCallError(`failed to call webhook: ${error.message}`);
    throw error;
  }
}

/** As over HTTP, the function gets a copy of its own. */
async function inProcess(handler: NonNullable<Hook['handler']>, review: JsonObject): Promise<JsonObject> {
  try {
    // The copy is of an object.
    return await handler(readJson(writeJson(review)) as JsonObject);
  } catch (error) {
    throw new WebhookCallError(messageOf(error));
  }
}

function verified(review: JsonObject, uid: string | undefined, isMutating: boolean): JsonObject {
  const invalid = (why: string): HookCallError =>
    new HookCallError(`received invalid webhook response: ${why}`);
  const response = own(review, 'response');
  if (!isObject(response)) throw invalid('webhook response was absent');
  if (uid === undefined) return response;
  const given = text(response, 'uid');
  if (given !== uid)
    throw invalid(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(given)}`);
  const [expected, kind] = ['admission.k8s.io/v1, Kind=AdmissionReview', printKind(review)];
  if (kind !== expected) throw invalid(`expected webhook response of ${expected}, got ${kind}`);
  const [patch, patchType] = [text(response, 'patch'), own(response, 'patchType') ?? undefined];
  if (!isMutating && patch !== '') throw invalid('validating webhook may not return response.patch');
  if (!isMutating && patchType !== undefined)
    throw invalid('validating webhook may not return response.patchType');
  if (patch !== '' && patchType === undefined)
    throw invalid('webhook returned response.patch but not response.patchType');
  if (patch === '' && patchType !== undefined)
    throw invalid('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw invalid('webhook returned invalid response.patchType of ""');
  return response;
}

function printKind(review: JsonObject): string {
  const [version = '', group = ''] = text(review, 'apiVersion').split('/').toReversed();
  return `${group}/${version}, Kind=${text(review, 'kind')}`;
}

function denied(name: string, status: JsonObject): Failure {
  const by = `admission webhook ${JSON.stringify(name)} denied the request`;
  const [message, reason] = [text(status, 'message'), text(status, 'reason')];
  const given = own(status, 'code');
  const code = typeof given === 'number' && given >= 400 ? given : 400;
  const why = message || reason;
  const details = own(status, 'details');
  return new Failure({
    code,
    ...(reason === '' ? {} : { reason }),
    message: why === '' ? `${by} without explanation` : `${by}: ${why}`,
    ...(isObject(details) ? { details } : {}),
  });
}

function patchIn(response: JsonObject): readonly Json[] {
  const patch = text(response, 'patch');
  if (patch === '') return [];
  const type = text(response, 'patchType');
  try {
    const operations = readJson(Buffer.from(patch, 'base64').toString('utf8'));
    if (isArray(operations)) {
      if (operations.length > 0 && type !== '' && type !== 'JSONPatch')
        throw new HookCallError(`unsupported patch type ${JSON.stringify(type)}`);
      return operations;
    }
    throw new HookCallError(
      `received undecodable patch in webhook response: json: cannot unmarshal ${typeof operations} into Go value of type jsonpatch.Patch`,
    );
  } catch (error) {
    if (error instanceof HookCallError) throw error;
    const why = messageOf(error);
    throw new HookCallError(`received undecodable patch in webhook response: ${why}`);
  }
}
