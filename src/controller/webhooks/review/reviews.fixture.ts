/** Reviews as API servers send them, for tests. */

import type { NamespacedResource } from '@kgen/runtime/client';
import { defineResource } from '@kgen/runtime/client';
import { jsonOf } from '@kgen/runtime/objects';
import type { Logger } from '../../log.ts';
import type { ReviewRecord } from '../../records/review-record.ts';
import type { Operation } from '../declarations/context.ts';
import type { Webhook } from '../declarations/webhook.ts';
import { pathOf } from '../declarations/webhook.ts';
import { type ReviewService, reviewService } from './review-service.ts';

export interface Ring {
  apiVersion?: 'example.com/v1' | undefined;
  kind?: 'Ring' | undefined;
  metadata?: {
    name?: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec?: { size?: number; color?: string; big?: number };
  status?: { ready?: boolean };
}

export const rings = defineResource<NamespacedResource<Ring, unknown, unknown>>({
  group: 'example.com',
  version: 'v1',
  kind: 'Ring',
  listKind: 'RingList',
  plural: 'rings',
  singular: 'ring',
  scope: 'Namespaced',
  verbs: [],
});

/** A review of an object, with the members that it always has. */
export function admissionReview(
  operation: Operation,
  object: object | null,
  more: Record<string, unknown> = {},
  version = 'v1',
): Record<string, unknown> {
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: {
      uid: 'u-1',
      kind: { group: 'example.com', version: 'v1', kind: 'Ring' },
      resource: { group: 'example.com', version: 'v1', resource: 'rings' },
      name: 'one',
      namespace: 'shop',
      operation,
      userInfo: { username: 'alice', groups: ['team'], extra: { scopes: ['a', 'b'] } },
      object: operation === 'DELETE' ? null : object,
      oldObject: operation === 'UPDATE' || operation === 'DELETE' ? object : null,
      dryRun: false,
      options: null,
      ...more,
    },
  };
}

export function ring(spec: Ring['spec'] = {}): object {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Ring',
    metadata: { name: 'one', namespace: 'shop', uid: 'r-1' },
    spec,
  };
}

/** A service with its records and log entries. */
export class Reviewer {
  readonly records: ReviewRecord[] = [];
  readonly logged: (readonly [level: string, fields: object, message: string])[] = [];
  readonly service: ReviewService;
  readonly #path: string;

  constructor(...webhooks: readonly [Webhook, ...Webhook[]]) {
    const entry =
      (level: string) =>
      (fields: object, message: string): void =>
        void this.logged.push([level, fields, message]);
    const log: Logger = {
      debug: entry('debug'),
      info: entry('info'),
      warn: entry('warn'),
      error: entry('error'),
    };
    const clock = { now: () => 0, timer: () => () => undefined };
    this.service = reviewService(webhooks, { log, clock });
    this.#path = pathOf(webhooks[0]);
  }

  /** Sends a review to the first webhook. Returns the HTTP status code and the parsed body. */
  async send(review: unknown, signal: AbortSignal = new AbortController().signal): Promise<Received> {
    const body = review instanceof Uint8Array ? review : Buffer.from(jsonOf(review) ?? '');
    const observe = (record: ReviewRecord): void => void this.records.push(record);
    const response = await this.service.respond(this.#path, body, { signal, observe });
    const { response: part, ...rest } = JSON.parse(response.body);
    const patch = part?.patch;
    return {
      status: response.status,
      review: rest,
      response: part,
      ...(patch === undefined ? {} : { patch: Buffer.from(patch, 'base64').toString() }),
    };
  }
}

export interface Received {
  readonly status: number;
  /** Members of the body besides `response`. */
  readonly review: Record<string, unknown>;
  readonly response: Record<string, unknown>;
  /** JSON of the operations. */
  readonly patch?: string;
}
