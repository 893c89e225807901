/** Bodies of requests: objects with what the client knows filled in. */
import type { DeleteOptions } from '../options.ts';

/** An object that is sent: what the client looks at. */
export interface Body {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?:
    | { readonly name?: string | undefined; readonly namespace?: string | undefined }
    | undefined;
}

/** What is filled in. */
export interface Identity {
  /** `undefined` where it is for the body to say. */
  readonly apiVersion?: string | undefined;
  /** `undefined` where it is for the body to say. */
  readonly kind?: string | undefined;
  /** Namespace of the client; `undefined` where objects have none. */
  readonly namespace: string | undefined;
  /** Name of the object that the body is sent to; `undefined` where the body names it itself. */
  readonly name?: string | undefined;
}

function agreed(field: string, own: string | undefined, expected: string | undefined): string {
  if (expected === undefined) return stated(field, own);
  if (own === undefined || own === '' || own === expected) return expected;
  throw new TypeError(
    `${field} of the object is ${JSON.stringify(own)}, the client is for ${JSON.stringify(expected)}`,
  );
}

function stated(field: string, own: string | undefined): string {
  if (typeof own === 'string' && own !== '') return own;
  throw new TypeError(`${field} of the object is missing, and nothing else says it`);
}

function located(metadata: Body['metadata'], { name, namespace }: Identity): Body['metadata'] {
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
 * A copy of an object that says its apiVersion, kind and namespace.
 * @throws {TypeError} the object says something else, which the server would refuse
 */
export function identified(object: Body, identity: Identity): object {
  if (typeof object !== 'object' || object === null)
    throw new TypeError(`the body is not an object: ${String(object)}`);
  const { apiVersion, kind, metadata, ...rest } = object;
  return {
    apiVersion: agreed('apiVersion', apiVersion, identity.apiVersion),
    kind: agreed('kind', kind, identity.kind),
    metadata: located(metadata, identity),
    ...rest,
  };
}

/**
 * The name of an object that is to be sent to its own path.
 * @throws {TypeError} it has none
 */
export function nameOf(object: Body): string {
  const name = object?.metadata?.name;
  if (typeof name !== 'string' || name === '') throw new TypeError('metadata.name of the object is missing');
  return name;
}

/** `DeleteOptions` travel in the body; `undefined` when there is nothing to say. */
export function deleteBody(options: DeleteOptions): object | undefined {
  const { gracePeriodSeconds, preconditions, propagationPolicy, dryRun } = options;
  const said = {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(preconditions && { preconditions }),
    ...(propagationPolicy && { propagationPolicy }),
    ...(dryRun && { dryRun: [dryRun] }),
  };
  return Object.keys(said).length === 0 ? undefined : { apiVersion: 'v1', kind: 'DeleteOptions', ...said };
}
