import { Body, type Connection, type HttpResponse } from './body.ts';

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** A failure in the form of the API server. */
export interface Failure {
  readonly status: number;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly causes?: readonly { readonly reason: string; readonly message: string }[] | undefined;
  /** A response without a `Status`, as of proxies and muxes. */
  readonly plain?: boolean | undefined;
}

export const expired: Failure = { status: 410, message: 'too old resource version' };

/** The server has not reached the version. Only newer servers send the cause. */
export function tooLarge(version: number, current: number, withCause: boolean): Failure {
  const message = `Too large resource version: ${version}, current: ${current}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return { status: 504, message, retryAfterSeconds: 1, ...(withCause && { causes }) };
}

export function statusOf(failure: Failure): object {
  const { status: code, message, retryAfterSeconds, causes } = failure;
  const details = {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(causes && { causes }),
  };
  const reason = failure.reason ?? reasons[code] ?? 'Unknown';
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: message ?? reason,
    reason,
    details,
    code,
  };
}

/** Responds with a complete string. `taken` is called when the client has read all of it. */
export function textResponse(
  connection: Connection,
  text: string,
  { status = 200, headers = {}, taken }: ResponseOptions = {},
): HttpResponse {
  const body = new Body(connection);
  body.write(Buffer.from(text), taken);
  body.end();
  return body.response(status, headers);
}

interface ResponseOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly taken?: () => void;
}

export function failureText(failure: Failure): string {
  return failure.plain === true ? '404 page not found\n' : JSON.stringify(statusOf(failure));
}

export function failureHeaders({ retryAfterSeconds, plain }: Failure): Readonly<Record<string, string>> {
  return {
    ...(plain === true && { 'content-type': 'text/plain' }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  };
}
