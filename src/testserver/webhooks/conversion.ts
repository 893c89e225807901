/** Conversion of custom resources between versions by a webhook. */
import { randomUUID } from 'node:crypto';
import { type FieldError, fieldMessage, invalidValue } from '@kgen/runtime/objects';
import {
  array,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  replace,
  strings,
  text,
} from '@kgen/schema/values/json';
import { labelKeyProblem, labelValueProblem } from '@kgen/schema/values/names';
import { Failure } from '../errors/status.ts';
import { WebhookCallError, type WebhookClient } from './client.ts';

/** Timeout of a conversion webhook, in seconds. */
const timeoutSeconds = 30;

/** Converts an object to a version of its definition. */
export type ConvertObject = (value: JsonObject, apiVersion: string) => Promise<JsonObject>;

/**
 * Returns a function that converts objects of a definition to another version by its webhook.
 * @param webhook its `spec.conversion.webhook`
 */
export function webhookConversion(client: WebhookClient, webhook: Json | undefined): ConvertObject {
  return async (value, apiVersion) => {
    const [group = '', version = ''] = text(value, 'apiVersion').split('/');
    const kind = `${group}/${version}, Kind=${text(value, 'kind')}`;
    try {
      const converted = await call(client, webhook, value, apiVersion);
      return checked(value, converted, apiVersion);
    } catch (error) {
      if (error instanceof WebhookCallError)
        throw failure(`conversion webhook for ${kind} failed: ${error.message}`);
      if (error instanceof InvalidObject) throw failure(`conversion webhook for ${kind} ${error.message}`);
      throw error;
    }
  };
}

/** The server's response has no reason. */
function failure(message: string): Failure {
  return new Failure({ code: 500, message });
}

class InvalidObject extends Error {}

async function call(
  client: WebhookClient,
  webhook: Json | undefined,
  value: JsonObject,
  desiredAPIVersion: string,
): Promise<Json> {
  const version = strings(webhook, 'conversionReviewVersions').find(
    (name) => name === 'v1' || name === 'v1beta1',
  );
  const uid = randomUUID();
  const review = await client.call(
    own(webhook, 'clientConfig') ?? null,
    {
      kind: 'ConversionReview',
      apiVersion: `apiextensions.k8s.io/${version}`,
      request: { uid, desiredAPIVersion, objects: [value] },
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    },
    timeoutSeconds,
  );
  const objects = convertedIn(review, version === 'v1' ? uid : undefined);
  if (objects.length !== 1) throw new InvalidObject(`returned ${objects.length} objects, expected 1`);
  return objects[0] ?? null;
}

function convertedIn(review: JsonObject, uid: string | undefined): readonly Json[] {
  const response = own(review, 'response');
  const kind = `${text(review, 'apiVersion')}, Kind=${text(review, 'kind')}`;
  const expected = 'apiextensions.k8s.io/v1, Kind=ConversionReview';
  if (uid !== undefined && kind !== expected)
    throw new WebhookCallError(`expected webhook response of ${expected}, got ${kind}`);
  if (!isObject(response)) throw new WebhookCallError('no response provided');
  const given = text(response, 'uid');
  if (uid !== undefined && given !== uid)
    throw new WebhookCallError(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(given)}`);
  const [status, message] = [text(response, 'result', 'status'), text(response, 'result', 'message')];
  if (status !== 'Success')
    throw new WebhookCallError(message || `response.result.status was '${status}', not 'Success'`);
  return array(response, 'convertedObjects');
}

/** Returns the converted object with the metadata of the original one, besides labels and annotations. */
function checked(original: JsonObject, converted: Json, apiVersion: string): JsonObject {
  const invalid = (why: string): InvalidObject =>
    new InvalidObject(`returned invalid object at index 0: ${why}`);
  if (!isObject(converted)) throw new WebhookCallError('no objects returned');
  const [version, kind] = [text(converted, 'apiVersion'), text(converted, 'kind')];
  if (version !== apiVersion)
    throw invalid(`invalid groupVersion (expected ${apiVersion}, received ${version})`);
  const expected = text(original, 'kind');
  if (kind !== expected) throw invalid(`invalid kind (expected ${expected}, received ${kind})`);
  for (const [key, label] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [before, after] = [text(original, 'metadata', key), text(converted, 'metadata', key)];
    if (before !== after)
      throw new InvalidObject(`returned invalid object: must have the same ${label}: ${before} != ${after}`);
  }
  return replace(converted, 'metadata', restored(original, converted));
}

function restored(original: JsonObject, converted: JsonObject): JsonObject {
  const invalid = (why: string): InvalidObject => new InvalidObject(`returned invalid metadata: ${why}`);
  const given = own(converted, 'metadata');
  if (given === undefined) throw invalid('missing metadata in converted object');
  return (['labels', 'annotations'] as const).reduce<JsonObject>(
    (metadata, key) => {
      const value = own(given, key);
      if (value === undefined || value === null) return omit(metadata, key);
      if (!isObject(value))
        throw invalid(`invalid metadata.${key} of type ${typeof value} in converted object`);
      const errors = key === 'labels' ? Object.entries(value).flatMap(labelErrors) : [];
      if (errors.length > 0) throw invalid(errors.map(fieldMessage).join(', '));
      return replace(metadata, key, value);
    },
    object(original, 'metadata'),
  );
}

function labelErrors([key, value]: readonly [string, Json]): readonly FieldError[] {
  const problems = [labelKeyProblem(key), labelValueProblem(typeof value === 'string' ? value : '')];
  return [key, value].flatMap((part, index) => {
    const problem = problems[index];
    return problem === undefined ? [] : [invalidValue('metadata.labels', part, problem)];
  });
}
