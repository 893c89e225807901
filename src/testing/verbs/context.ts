import type { ApiRequest } from '../api/request.ts';
import type { ResourceType } from '../resources/type.ts';
import type { Store } from '../store/store.ts';

/** Input of every verb. Warnings are collected while it runs. */
export interface Context {
  readonly store: Store;
  readonly request: ApiRequest;
  readonly type: ResourceType;
  /** Empty for all namespaces and for cluster-scoped kinds. */
  readonly namespace: string;
  /** Empty for the collection. */
  readonly name: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly warnings: Set<string>;
}
