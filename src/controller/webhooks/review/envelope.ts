/** Reviews as values of JSON: their versions, their requests, and refusals of everything else. */

import { isUtf8 } from 'node:buffer';
import { parseBytes } from '@kgen/runtime/objects';
import { isObject, type JsonObject, member } from '../../members.ts';

/** Kind of a review. */
export type ReviewKind = 'AdmissionReview' | 'ConversionReview';

const groups: Readonly<Record<ReviewKind, string>> = {
  AdmissionReview: 'admission.k8s.io',
  ConversionReview: 'apiextensions.k8s.io',
};

/** A review of a known version. */
export interface Review {
  readonly kind: ReviewKind;
  /** That of the review and of its response. */
  readonly apiVersion: string;
  readonly uid: string;
  readonly request: JsonObject;
}

/** A review that cannot be processed; `code` is the HTTP status code. */
export class Refusal extends Error {
  readonly code: number;

  constructor(message: string, code: number = 400) {
    super(message);
    this.code = code;
  }
}

/**
 * Parses a review. Integers beyond 2^53 are exact.
 * @throws {Refusal} for anything that is not a review of this kind, in v1 or v1beta1, with a request
 */
export function parseReview(body: Uint8Array, kind: ReviewKind): Review {
  const value = parsed(body);
  const group = groups[kind];
  const apiVersion = textIn(value, 'apiVersion', 'the review');
  const given = textIn(value, 'kind', 'the review');
  if (given !== kind || !['v1', 'v1beta1'].some((version) => apiVersion === `${group}/${version}`))
    throw new Refusal(
      `expected ${kind} of ${group}/v1 or ${group}/v1beta1, got ${shortened(given)} of ${shortened(apiVersion)}`,
    );
  const request = member(value, 'request');
  if (!isObject(request)) throw new Refusal(`request of the ${kind} must be an object`);
  const uid = textIn(request, 'uid');
  if (uid === '') throw new Refusal('request.uid must not be empty');
  return { kind, apiVersion, uid, request };
}

/** Returns the request of a review that `parseReview` accepts, as another copy. */
export function requestAgain(body: Uint8Array): JsonObject {
  const request = member(parsed(body), 'request');
  return isObject(request) ? request : {};
}

function parsed(body: Uint8Array): unknown {
  if (!isUtf8(body)) throw new Refusal('the body is not UTF-8');
  try {
    return parseBytes(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  } catch {
    // The message of the engine quotes the body.
    throw new Refusal(body.length === 0 ? 'the body is empty' : 'the body is not JSON');
  }
}

/**
 * Returns a string member; empty if it is absent or null.
 * @throws {Refusal} if it has another type
 */
export function textIn(value: unknown, key: string, name = 'request'): string {
  const found = member(value, key) ?? '';
  if (typeof found !== 'string') throw new Refusal(`${key} of ${name} must be a string`);
  return found;
}

/**
 * Returns an object member; `undefined` if it is absent or null.
 * @throws {Refusal} if it has another type
 */
export function objectIn(value: unknown, key: string, name = 'request'): JsonObject | undefined {
  const found = member(value, key) ?? undefined;
  if (found !== undefined && !isObject(found)) throw new Refusal(`${key} of ${name} must be an object`);
  return found;
}

/** Returns a string of a review for messages, of at most 100 characters. */
export function shortened(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
