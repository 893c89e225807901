/** Responses to reviews, for servers of any transport. */

import type { Clock } from '@kgen/runtime/informers';
import { jsonOf } from '@kgen/runtime/objects';
import { errorOf } from '../../errors.ts';
import { childLogger, type Logger } from '../../log.ts';
import { isObject, type JsonObject, member, metadataString } from '../../members.ts';
import type { ReviewRecord } from '../../records/review-record.ts';
import type { AdmissionWebhook } from '../declarations/admission.ts';
import type { ConversionWebhook } from '../declarations/conversion.ts';
import { pathOf, type Webhook } from '../declarations/webhook.ts';
import { admit, type ReviewStatus, type Verdict } from './admission.ts';
import { admissionRequest } from './admission-request.ts';
import { convertAll } from './conversion-review.ts';
import { parseReview, Refusal, type Review, requestAgain } from './envelope.ts';

/** Parts of a review service. */
export interface ReviewServiceParts {
  readonly log: Logger;
  readonly clock: Clock;
}

/** Options of one review. */
export interface RespondOptions {
  /** Aborts shortly before the time limit of the API server, and ends the review. */
  readonly signal: AbortSignal;
  /** Called once, before the response, unless no webhook has the path. Must not throw. */
  readonly observe?: ((record: ReviewRecord) => void) | undefined;
}

/** HTTP response of a review. */
export interface ReviewResponse {
  readonly status: number;
  /** JSON: the review with its response, or a Status. */
  readonly body: string;
}

/** Responds to reviews. */
export interface ReviewService {
  /** Paths of the webhooks. */
  readonly paths: readonly string[];
  /**
   * Responds to the review of a request to a path, without its query. Never rejects.
   * @param body JSON in UTF-8
   */
  respond(path: string, body: Uint8Array, options: RespondOptions): Promise<ReviewResponse>;
}

/**
 * Returns the service of some webhooks.
 * @throws {TypeError} if two webhooks have one path
 */
export function reviewService(webhooks: readonly Webhook[], parts: ReviewServiceParts): ReviewService {
  const byPath = new Map<string, Webhook>();
  for (const webhook of webhooks) {
    const path = pathOf(webhook);
    if (byPath.has(path))
      throw new TypeError(
        `two webhooks are declared for ${path}: set the option \`name\` of one, or combine them`,
      );
    byPath.set(path, webhook);
  }
  const respond: ReviewService['respond'] = async (path, body, { signal, observe }) => {
    const webhook = byPath.get(path);
    if (webhook === undefined)
      return failed({ code: 404, reason: 'NotFound', message: 'no webhook at this path' });
    const start = parts.clock.now();
    const { response, facts, err } = await reviewed(webhook, { path, body, signal, log: parts.log });
    const { group, version, kind } = webhook.resource;
    const record: ReviewRecord = {
      path,
      ...{
        operation: webhook.type === 'converts' ? 'CONVERT' : '',
        namespace: '',
        name: '',
        uid: '',
        user: '',
      },
      kind: [kind, version, group].filter(Boolean).join('.'),
      ...{ reason: '', fields: [], error: err?.name ?? '' },
      ...facts,
      durationMs: parts.clock.now() - start,
    };
    if (record.outcome === 'failed')
      childLogger(parts.log, record).error({ err }, `${webhook.type} of ${kind} failed`);
    observe?.(record);
    return response;
  };
  return { paths: [...byPath.keys()], respond };
}

/** One request to a webhook. */
export interface ReviewCall {
  readonly path: string;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Response to a review, and the facts for its record. */
interface Reviewed {
  readonly response: ReviewResponse;
  readonly facts: Pick<ReviewRecord, 'outcome' | 'code'> & Partial<ReviewRecord>;
  readonly err?: Error | undefined;
}

async function reviewed(webhook: Webhook, call: ReviewCall): Promise<Reviewed> {
  try {
    return webhook.type === 'converts' ? await converted(webhook, call) : await admitted(webhook, call);
  } catch (thrown) {
    if (thrown instanceof Refusal) {
      const { code, message } = thrown;
      const reason = 'BadRequest';
      return { response: failed({ code, reason, message }), facts: { outcome: 'refused', code, reason } };
    }
    // Nothing of a handler: it is called elsewhere. Such as an object that exceeds the stack.
    const err = errorOf(thrown);
    const message = `the review cannot be processed: ${err.message}`;
    const status = { code: 500, reason: 'InternalError', message };
    return { response: failed(status), facts: { outcome: 'failed', code: 500, reason: status.reason }, err };
  }
}

/** Returns the response for which the API server applies the failure policy. */
function failed(status: ReviewStatus): ReviewResponse {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...status };
  return { status: status.code, body: jsonOf(body) };
}

async function admitted(
  webhook: AdmissionWebhook,
  { body, path, signal, log }: ReviewCall,
): Promise<Reviewed> {
  const review = parseReview(body, 'AdmissionReview');
  const request = admissionRequest(webhook, review.request);
  const { operation, kind, namespace, name, user } = request;
  const { uid } = review;
  const original = (): JsonObject => {
    const again = member(requestAgain(body), operation === 'DELETE' ? 'oldObject' : 'object');
    return isObject(again) ? again : {};
  };
  const own = childLogger(log, { path, kind, namespace, name, uid });
  const verdict = await admit({ webhook, request, original, log: own, signal });
  const { outcome, status, fields, err } = verdict;
  const code = status?.code ?? 200;
  const isIgnored = outcome === 'failed' && webhook.options.failurePolicy === 'Ignore';
  return {
    response: status && isIgnored ? failed(status) : responseOf(review, verdict),
    facts: {
      ...{ operation, namespace, name, uid, user: user.username },
      ...{ outcome, code, reason: status?.reason ?? '', fields: fields ?? [] },
    },
    err,
  };
}

async function converted(webhook: ConversionWebhook, { body, signal }: ReviewCall): Promise<Reviewed> {
  const { kind, apiVersion, uid, request } = parseReview(body, 'ConversionReview');
  const result = await convertAll(webhook, request, signal);
  const isFailed = result.err !== undefined;
  const response = {
    uid,
    convertedObjects: isFailed ? [] : result.objects,
    result: isFailed
      ? { metadata: {}, status: 'Failure', message: result.message }
      : { metadata: {}, status: 'Success' },
  };
  const names = isFailed ? namesOf(result.object) : {};
  return {
    response: { status: 200, body: jsonOf({ kind, apiVersion, response }) },
    facts: { uid, ...names, outcome: isFailed ? 'failed' : 'allowed', code: isFailed ? 500 : 200 },
    err: result.err,
  };
}

function namesOf(object: JsonObject | undefined): Pick<ReviewRecord, 'namespace' | 'name'> {
  const namespace = member(member(object, 'metadata'), 'namespace');
  return {
    namespace: typeof namespace === 'string' ? namespace : '',
    name: metadataString(object, 'name') ?? '',
  };
}

function responseOf(
  { kind, apiVersion, uid }: Review,
  { outcome, notes, status, patch }: Verdict,
): ReviewResponse {
  const response = {
    uid,
    allowed: outcome === 'allowed',
    ...(status === undefined ? {} : { status: { metadata: {}, status: 'Failure', ...status } }),
    ...(patch === undefined ? {} : { patchType: 'JSONPatch', patch: base64Of(patch) }),
    ...notes,
  };
  return { status: 200, body: jsonOf({ kind, apiVersion, response }) };
}

function base64Of(text: string): string {
  return Buffer.from(text).toString('base64');
}
