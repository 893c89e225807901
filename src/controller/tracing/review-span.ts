/** Spans of reviews of webhooks, through the API of OpenTelemetry: without an SDK there are none. */
import { propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReviewRecord } from '../records/review-record.ts';
import { guarded, inSpan } from './sdk-call.ts';

/**
 * Calls `work` within a span `review <path>`, whose parent is that of the headers: API servers with tracing
 * send it. `work` receives the function that describes the span. Errors of the SDK do not affect the review.
 */
export function tracedReview<R>(
  { path, headers }: { readonly path: string; readonly headers: object },
  work: (describe: (record: ReviewRecord) => void) => Promise<R>,
): Promise<R> {
  const parent = () => propagation.extract(ROOT_CONTEXT, headers);
  const attributes = { 'http.request.method': 'POST', 'url.path': path };
  return inSpan({ name: `review ${path}`, kind: SpanKind.SERVER, attributes, parent }, async (started) => {
    if (started === undefined) return work(() => undefined);
    const { span } = started;
    const result = await work((record) => guarded(() => describe(span, record)));
    guarded(() => span.end());
    return result;
  });
}

function describe(span: Span, record: ReviewRecord): void {
  const { operation, kind, namespace, name, uid, outcome, code, error } = record;
  span.setAttributes({
    'kgen.review.uid': uid,
    'kgen.review.operation': operation,
    'kgen.review.outcome': outcome,
    'kgen.review.code': code,
    ...(error !== '' && { 'error.type': error }),
    'kgen.object.kind': kind,
    'kgen.object.name': name,
    ...(namespace !== '' && { 'k8s.namespace.name': namespace }),
  });
  if (outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR, message: error });
}
