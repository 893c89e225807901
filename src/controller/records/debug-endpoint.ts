/** The endpoints `/debug/reconciles` and `/debug/reviews`: records, as JSON or text. */

import {
  type Endpoint,
  type EndpointRequest,
  type EndpointResponse,
  textResponse,
} from '../health/endpoint.ts';
import type { ScrapeAccess } from '../health/scrape-access.ts';
import { checkedKey, keyText, type ReconcileKey } from '../runs/key.ts';
import { type Explanation, recordText } from './explanation.ts';
import type { ReconcileRecord } from './record.ts';
import { type RecordedReview, type ReviewLog, reviewText } from './review-log.ts';

export const reconcilesPath = '/debug/reconciles';
export const reviewsPath = '/debug/reviews';

/** The most records of a response, and their default. */
const most = 1_000;
const usual = 100;

/** A controller, as the endpoint reads it. */
export interface ExplainedController {
  readonly name: string;
  explain(key: ReconcileKey): Explanation;
  reconciles(limit: number): readonly ReconcileRecord[];
}

/** Parts of the endpoint. */
export interface DebugEndpointOptions {
  readonly controllers: () => readonly ExplainedController[];
  readonly reviews: Pick<ReviewLog, 'newest'>;
  /** Requires a bearer token whose user may `get` the path. Default: none; every caller may read. */
  readonly access?: ScrapeAccess | undefined;
}

/**
 * Returns the endpoint of `/debug/reconciles` and `/debug/reviews`. Parameters: `controller`, a name, or
 * `webhook`, a path; `key`, such as `shop/web`; `limit`, the number of records; `format`, `json` or `text`.
 * Default: 100 records as text.
 */
export function debugEndpoint({ controllers, reviews, access }: DebugEndpointOptions): Endpoint {
  return async ({ path, query, authorization }) => {
    const refusal = await access?.refusalOf(authorization, path);
    if (refusal !== undefined) return refusal;
    const [key, limit, format] = [keyOf(query), limitOf(query), query.get('format') ?? 'text'];
    const name = query.get('controller');
    const chosen = controllers().filter((controller) => name === null || controller.name === name);
    if (name !== null && chosen.length === 0) return textResponse(404, 'no controller has this name\n');
    if (key === 'invalid') return textResponse(400, 'key must be a name, or <namespace>/<name>\n');
    if (limit === undefined) return textResponse(400, `limit must be an integer from 1 to ${most}\n`);
    if (format !== 'json' && format !== 'text') return textResponse(400, 'format must be json or text\n');
    const shown = (): readonly Shown[] => {
      if (path === reviewsPath) return reviews.newest({ limit, path: query.get('webhook'), key });
      return key === undefined
        ? reconcilesOf(chosen, limit)
        : chosen.map((controller) => controller.explain(key));
    };
    return format === 'json' ? jsonResponse(shown()) : textResponse(200, shown().map(lines).join(''));
  };
}

type Shown = ReconcileRecord | Explanation | RecordedReview;

function reconcilesOf(
  controllers: readonly ExplainedController[],
  limit: number,
): readonly ReconcileRecord[] {
  return controllers
    .flatMap((controller) => controller.reconciles(limit))
    .sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))
    .slice(0, limit);
}

function keyOf(query: EndpointRequest['query']): ReconcileKey | undefined | 'invalid' {
  const text = query.get('key');
  if (text === null) return undefined;
  const parts = text.split('/');
  const name = parts.pop();
  const namespace = parts.pop() ?? '';
  const cluster = parts.pop();
  if (parts.length > 0) return 'invalid';
  try {
    return checkedKey({ cluster, namespace, name });
  } catch {
    return 'invalid';
  }
}

function limitOf(query: EndpointRequest['query']): number | undefined {
  const limit = Number(query.get('limit') ?? usual);
  return Number.isInteger(limit) && limit >= 1 && limit <= most ? limit : undefined;
}

function jsonResponse(value: readonly Shown[]): EndpointResponse {
  return textResponse(200, `${JSON.stringify({ items: value })}\n`, { 'content-type': 'application/json' });
}

function lines(shown: Shown): string {
  if ('outcome' in shown && 'path' in shown) return `${reviewText(shown)}\n`;
  if ('text' in shown) return `${shown.text}\n`;
  return `${shown.controller} ${keyText(shown.key)} ${recordText(shown)}\n`;
}
