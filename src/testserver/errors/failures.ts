/** Failures with the status, reason and message of a real API server. */
import { type FieldError, invalidStatus } from '@kgen/runtime/objects';
import { Failure, type Problem, type StatusDetails } from './status.ts';

/** A resource as named in failures. */
export interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

/** Returns 404 for an object that does not exist. */
export function notFound(resource: GroupResource, name: string): Failure {
  const message = `${qualified(resource)} "${name}" not found`;
  return new Failure({ code: 404, reason: 'NotFound', message, details: details(resource, name) });
}

function details(resource: GroupResource, name: string): StatusDetails {
  return { name, group: resource.group, kind: resource.plural };
}

/** Returns `plural.group`, or `plural` in the core group. */
function qualified(resource: GroupResource): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}

/** Returns 409 for a create with an existing name. */
export function alreadyExists(resource: GroupResource, name: string): Failure {
  const message = `${qualified(resource)} "${name}" already exists`;
  return new Failure({ code: 409, reason: 'AlreadyExists', message, details: details(resource, name) });
}

/** Message of a conflict with a stale resourceVersion. */
export const stale =
  'the object has been modified; please apply your changes to the latest version and try again';

/** Returns 409 for a write that conflicts with the current object. */
export function conflict(resource: GroupResource, name: string, why: string): Failure {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`;
  return new Failure({ code: 409, reason: 'Conflict', message, details: details(resource, name) });
}

/** Returns 403 with its cause. */
export function forbidden(resource: GroupResource, name: string, why: string, cause?: Cause): Failure {
  const message = `${qualified(resource)} "${name}" is forbidden: ${why}`;
  const causes = cause === undefined ? {} : { causes: [cause] };
  return new Failure({
    code: 403,
    reason: 'Forbidden',
    message,
    details: { ...details(resource, name), ...causes },
  });
}

interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

/**
 * Returns 422 with one cause per field error; equal messages are merged. `kind` is qualified with `group`.
 */
export function invalid(group: string, kind: string, name: string, errors: readonly FieldError[]): Failure {
  return new Failure(invalidStatus({ group, kind, name }, errors));
}

/** Returns a failure with a code, a reason and a message. */
export function failure(code: number, reason: string, message: string, more?: Partial<Problem>): Failure {
  return new Failure({ code, reason, message, ...more });
}

/** Returns 400. */
export function badRequest(message: string): Failure {
  return failure(400, 'BadRequest', message);
}

/** Returns 400 for an object with another name than that of the path. */
export function misnamed(given: string, name: string): Failure {
  return badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

/** Returns 400 for an object without a name, which the path has. */
export function nameless(name: string): Failure {
  return badRequest(
    `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
  );
}

/**
 * Returns 405 for a method that the resource does not support, or a verb that its subresource does not
 * support.
 */
export function methodNotAllowed(resource: GroupResource, verb?: string): Failure {
  const message =
    verb === undefined
      ? 'the server does not allow this method on the requested resource'
      : `${verb} is not supported on resources of kind "${qualified(resource)}"`;
  return failure(405, 'MethodNotAllowed', message, {
    details: { group: resource.group, kind: resource.plural },
  });
}

/** Returns 415 with the accepted types. */
export function unsupportedMediaType(accepted: readonly string[]): Failure {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return failure(415, 'UnsupportedMediaType', message);
}

/** Returns 406 with the available types. */
export function notAcceptable(offered: readonly string[]): Failure {
  const message = `only the following media types are accepted: ${offered.join(', ')}`;
  return failure(406, 'NotAcceptable', message);
}

/** Returns 410 for a resourceVersion that is compacted. */
export function expired(message: string, token?: string): Failure {
  return failure(410, 'Expired', message, token === undefined ? {} : { continue: token });
}

/** Returns 501 for behaviour that this server does not implement. */
export function notImplemented(what: string): Failure {
  return failure(501, 'NotImplemented', `the test server does not support ${what}`);
}

/** Returns 504 for a resourceVersion in the future. */
export function tooLargeVersion(expected: number, current: number): Failure {
  return failure(504, 'Timeout', `Timeout: Too large resource version: ${expected}, current: ${current}`, {
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
}
