/** Types of the objects in reviews. */

import type { Scale, Stored } from '@kgen/runtime';
import type { Operation } from './context.ts';

/** Subresources whose bodies have a type; `''` is the object itself. */
export type Subresource = '' | ObjectSubresource | keyof SubresourceBodies;

/** Subresources whose bodies are the object itself. */
export type ObjectSubresource = 'status' | 'ephemeralcontainers' | 'resize' | 'approval' | 'finalize';

/** Bodies of subresources of another kind than the object. */
export interface SubresourceBodies {
  readonly scale: Scale;
  readonly eviction: EvictionBody;
  readonly binding: BindingBody;
  readonly token: TokenRequestBody;
  readonly exec: ExecBody;
  /** PodAttachOptions: the options of a connect. */
  readonly attach: StreamOptions;
  readonly portforward: PortForwardBody;
  readonly proxy: ProxyBody;
}

/** policy/v1 Eviction; it is created. */
export interface EvictionBody {
  metadata?: NamedMetadata;
  deleteOptions?: object;
}

/** Binding of a Pod to a node; it is created. */
export interface BindingBody {
  metadata?: NamedMetadata;
  target: { kind?: string; name?: string };
}

/** authentication.k8s.io/v1 TokenRequest of a service account; it is created. */
export interface TokenRequestBody {
  metadata?: NamedMetadata;
  spec: { audiences: string[]; expirationSeconds?: number; boundObjectRef?: object | null };
}

/** PodExecOptions: the options of a connect, which have no metadata. */
export interface ExecBody extends StreamOptions {
  command?: string[];
}

/** PodPortForwardOptions: the options of a connect. */
export interface PortForwardBody {
  ports?: number[];
}

/** PodProxyOptions, ServiceProxyOptions or NodeProxyOptions: the options of a connect. */
export interface ProxyBody {
  path?: string;
}

/** Metadata of the bodies of actions on an object. */
export interface NamedMetadata {
  name?: string;
  namespace?: string;
}

/** Streams of a connect to a container. */
export interface StreamOptions {
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
}

/** Type of the bodies of a subresource of objects `T`. */
export type ObjectIn<T, S extends Subresource> = S extends keyof SubresourceBodies ? SubresourceBodies[S] : T;

/** Members that every object in a review has. */
export interface Reviewed {
  readonly apiVersion: string;
  readonly kind: string;
}

/** An object in a review that has these members of the metadata of stored objects. */
export type WithMetadata<T, K extends string> = T &
  Reviewed & { metadata: Pick<Stored<T>['metadata'], Extract<keyof Stored<T>['metadata'], K>> };

/**
 * Object of a review, with the metadata that API servers guarantee, as far as the kind is namespaced:
 *
 * | Operation | `defaults` | `validates` |
 * |---|---|---|
 * | `CREATE` | namespace | also name, uid and creationTimestamp: generated names exist already |
 * | `UPDATE` | namespace and name; the others if the client sent them | stored: all |
 * | `DELETE` | | stored: all |
 */
export type ObjectOfReview<
  Type extends 'defaults' | 'validates',
  T,
  O extends Operation,
  S extends Subresource,
> =
  S extends Exclude<keyof SubresourceBodies, 'scale'>
    ? ObjectIn<T, S> & Reviewed
    : O extends 'DELETE'
      ? Stored<ObjectIn<T, S>>
      : O extends 'UPDATE'
        ? Type extends 'validates'
          ? Stored<ObjectIn<T, S>>
          : WithMetadata<ObjectIn<T, S>, 'namespace' | 'name'>
        : Type extends 'validates'
          ? WithMetadata<ObjectIn<T, S>, 'namespace' | 'name' | 'uid' | 'creationTimestamp'>
          : WithMetadata<ObjectIn<T, S>, 'namespace'>;

/** The whole object, or the members that change. */
export type PartialObject<T> = {
  [K in keyof T]?: K extends 'metadata' ? Partial<T[K]> | undefined : T[K] | undefined;
};
