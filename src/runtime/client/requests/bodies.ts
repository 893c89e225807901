/** Request bodies: objects to which the client adds apiVersion, kind, namespace and name. */
import type { DeleteOptions } from '../../api/options.ts';

/** Object of a request body, with the members that the client reads. */
export interface Body {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?:
    | { readonly name?: string | undefined; readonly namespace?: string | undefined }
    | undefined;
}

/** Members that the client adds to a body. */
export interface BodyIdentifiers {
  /** `undefined` if the body determines it. */
  readonly apiVersion?: string | undefined;
  /** `undefined` if the body determines it. */
  readonly kind?: string | undefined;
  /** Namespace of the client; `undefined` for cluster-scoped objects. */
  readonly namespace: string | undefined;
  /** Name of the object in the request path; `undefined` if the body determines it. */
  readonly name?: string | undefined;
}

/**
 * Returns a copy of an object with its apiVersion, kind and namespace.
 * @throws {TypeError} if a member of the object differs, for which the server would reject it
 */
export function identified(object: Body, identifiers: BodyIdentifiers): object {
  if (typeof object !== 'object' || object === null)
    throw new TypeError(`the body is not an object: ${String(object)}`);
  const { apiVersion, kind, metadata, ...rest } = object;
  return {
    apiVersion: agreed('apiVersion', apiVersion, identifiers.apiVersion),
    kind: agreed('kind', kind, identifiers.kind),
    metadata: located(metadata, identifiers),
    ...rest,
  };
}

function agreed(field: string, own: string | undefined, expected: string | undefined): string {
  if (expected === undefined) return stated(field, own);
  if (own === undefined || own === '' || own === expected) return expected;
  throw new TypeError(
    `${field} of the object is ${JSON.stringify(own)}, the client is for ${JSON.stringify(expected)}`,
  );
}

function stated(field: string, own: string | undefined): string {
  if (typeof own === 'string' && own) return own;
  throw new TypeError(`${field} of the object is missing`);
}

function located(metadata: Body['metadata'], { name, namespace }: BodyIdentifiers): Body['metadata'] {
  if (name === undefined && namespace === undefined) return metadata;
  return {
    ...metadata,
    ...(name !== undefined && { name: agreed('metadata.name', metadata?.name, name) }),
    ...(namespace !== undefined && {
      namespace: agreed('metadata.namespace', metadata?.namespace, namespace),
    }),
  };
}

/**
 * Returns the name of an object, for its request path.
 * @throws {TypeError} if the name is missing
 */
export function nameOf(object: Body): string {
  const name = object?.metadata?.name;
  if (typeof name !== 'string' || !name) throw new TypeError('metadata.name of the object is missing');
  return name;
}

/** Returns `DeleteOptions` as a request body, or `undefined` if no option is set. */
export function deleteBody(options: DeleteOptions): object | undefined {
  const { gracePeriodSeconds, preconditions, propagationPolicy, dryRun } = options;
  const body = { gracePeriodSeconds, preconditions, propagationPolicy, dryRun: dryRun && [dryRun] };
  const isSet = Object.values(body).some((value) => value !== undefined);
  return isSet ? { apiVersion: 'v1', kind: 'DeleteOptions', ...body } : undefined;
}
