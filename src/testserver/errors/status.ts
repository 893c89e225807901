/** The Status object of responses, and the error that contains one. */
import { compact, type Json, type JsonObject } from '@kgen/schema/values/json';

/** One cause of a failure. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/**
 * The object of a failure. As on a real server, `kind` is the plural resource for most reasons, and the kind
 * for Invalid.
 */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The variable parts of a failed Status. */
export interface Problem {
  readonly code: number;
  /** Absent if the real server omits it. */
  readonly reason?: string;
  readonly message: string;
  readonly details?: StatusDetails;
  /** Whether a response forbids browsers to guess the type of its content: those of refused users. */
  readonly noSniff?: true;
  /** Continue token of an expired list, for the remaining objects in their current state. */
  readonly continue?: string;
}

/** Thrown by all code that handles a request. The HTTP listener sends its Status. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Returns the Status object of `problem`. */
export function statusOf(problem: Problem): JsonObject {
  return compact({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: problem.continue === undefined ? {} : { continue: problem.continue },
    status: 'Failure',
    message: problem.message,
    reason: problem.reason,
    details: problem.details === undefined ? undefined : detailsJson(problem.details),
    code: problem.code,
  });
}

/** Response to creations that store no object of their own: bindings and evictions. */
export const created: JsonObject = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
};

/** Returns a Status of success, the response to a delete of an object that no longer exists. */
export function success(details: StatusDetails): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: detailsJson(details) };
}

function detailsJson(details: StatusDetails): JsonObject {
  const causes: readonly Json[] | undefined = details.causes?.map((cause) =>
    compact({ reason: cause.reason, message: cause.message, field: cause.field }),
  );
  return compact({
    name: details.name === '' ? undefined : details.name,
    group: details.group === '' ? undefined : details.group,
    kind: details.kind === '' ? undefined : details.kind,
    uid: details.uid,
    causes: causes === undefined || causes.length === 0 ? undefined : causes,
    retryAfterSeconds: details.retryAfterSeconds,
  });
}
