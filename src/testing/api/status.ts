import { compact, type Json, type JsonObject } from '../values/json.ts';

/** One reason among several for a failure. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What a failure is about. `kind` is the plural resource for most reasons, the kind for Invalid: as real servers do. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The parts of a failed Status that differ from one failure to the next. */
export interface Problem {
  readonly code: number;
  /** Left out where the server itself gives none. */
  readonly reason?: string;
  readonly message: string;
  readonly details?: StatusDetails;
  /** Continue token of an expired list: the rest of it, as of now. */
  readonly continue?: string;
}

/** Thrown by everything that answers a request; the HTTP rim turns it into the Status it carries. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** The Status object that goes over the wire for `problem`. */
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

/** A Status that reports success, as delete answers for an object that is gone. */
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
