/** Spans of the requests of a run. */

import { subscribe } from 'node:diagnostics_channel';
import { type AttemptTrace, attemptChannel } from '@kgen/runtime/observe';
import {
  type Attributes,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { RunObserver, RunRequest, RunResponse } from '../client/run-scope.ts';
import { errorOf } from '../errors.ts';
import { resourceText, versionOf } from '../records/run-notes.ts';
import { isSecret } from '../secrecy/rules.ts';
import type { SecretTexts } from '../secrecy/secret-values.ts';
import { guarded } from './sdk-call.ts';

/**
 * Returns an observer that creates a span for each request of a run. Its parent is the active span, which
 * may be one of the reconcile function; the span of the run without a context manager.
 */
export function requestSpans(tracer: Tracer, run: Span, secrets: SecretTexts): RunObserver {
  followAttempts();
  return {
    requested: (request) => {
      const span = guarded(() => started(tracer, run, request));
      if (span === undefined) return () => undefined;
      const { operation } = request.request;
      if (operation !== undefined) open.set(operation, span);
      return (end) => {
        if (operation !== undefined && open.get(operation) === span) open.delete(operation);
        guarded(() => describe(span, request, end, secrets));
        guarded(() => span.end());
      };
    },
  };
}

/** Spans of the requests in progress by their operation, which is that of their attempts, too. */
const open = new WeakMap<object, Span>();
let isFollowing = false;

/** Only attempts have the status of responses. One listener for the process; it never throws. */
function followAttempts(): void {
  if (isFollowing) return;
  isFollowing = true;
  subscribe(attemptChannel, (message: unknown) => {
    // seam: channels carry `unknown`; only the client publishes on this one.
    const attempt = message as AttemptTrace;
    const span = open.get(attempt.operation);
    if (span !== undefined) guarded(() => span.setAttributes(attemptAttributes(attempt)));
  });
}

function attemptAttributes({ status, attempt, server }: AttemptTrace): Attributes {
  const url = server === undefined ? undefined : new URL(server);
  return {
    ...(status !== undefined && { 'http.response.status_code': status }),
    ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    ...(url !== undefined && {
      'server.address': url.hostname,
      'server.port': Number(url.port) || (url.protocol === 'http:' ? 80 : 443),
    }),
  };
}

function started(tracer: Tracer, run: Span, { request, verb, target }: RunRequest): Span {
  const { method = 'GET', path } = request;
  const name = target === undefined ? method : `${verb} ${resourceText(target)}`;
  const attributes = {
    'http.request.method': method,
    'url.path': path,
    'kgen.verb': verb,
    ...(target !== undefined && {
      'kgen.resource': resourceText(target),
      ...(target.subresource !== undefined && { 'kgen.subresource': target.subresource }),
      ...(target.namespace !== undefined && { 'k8s.namespace.name': target.namespace }),
      ...(target.name !== undefined && { 'kgen.object.name': target.name }),
    }),
  };
  const active = context.active();
  const parent = trace.getSpan(active) === undefined ? trace.setSpan(active, run) : active;
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
}

function describe(span: Span, { target }: RunRequest, end: RunResponse, secrets: SecretTexts): void {
  if (end.type === 'skipped') {
    span.setAttributes({ 'kgen.skipped': true });
    return;
  }
  if (end.type === 'response') {
    const isObject = typeof end.response === 'object' && end.response !== null;
    const version = versionOf(isObject ? end.response : undefined);
    if (version !== '') span.setAttributes({ 'kgen.resource_version': version });
    return;
  }
  const error = errorOf(end.error);
  const status: unknown = Reflect.get(error, 'code');
  const isStatus = typeof status === 'number';
  span.setAttributes({
    'error.type': isStatus ? String(status) : error.name,
    ...(isStatus && { 'http.response.status_code': status }),
  });
  // Messages about a Secret may quote its values.
  const isShown = !isSecret(target);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(isShown && { message: secrets.messageOf(end.error) }) });
}
