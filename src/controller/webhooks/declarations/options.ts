/** Options that decide which requests a webhook receives, with the defaults of Kubernetes. */

import type { Operation } from './context.ts';

/** A condition in CEL over `object`, `oldObject`, `request` and `authorizer`, all of which must be true. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** A label selector. */
export interface WebhookSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

/**
 * Options of admission webhooks, as in `ValidatingWebhook` and `MutatingWebhook` of
 * admissionregistration.k8s.io/v1. Their values must be literals in the program: `kgen manifests` reads them
 * without running it.
 */
export interface WebhookOptions<O extends Operation = Operation> {
  /** Operations that are reviewed. Default: `CREATE` and `UPDATE`. */
  readonly operations?: readonly O[] | undefined;
  /**
   * Name in the configuration, in messages of the API server and in the path, of at least three labels. It
   * distinguishes two webhooks of one type and resource. Default: of verb, kind and group, such as
   * `validates-rediscluster.cache.example.com`, which is not part of the path.
   */
  readonly name?: string | undefined;
  /** Default: `Fail`: a request is refused if the webhook cannot be called. */
  readonly failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /** Default: `Equivalent`: requests of other versions of the kind are converted and reviewed, too. */
  readonly matchPolicy?: 'Equivalent' | 'Exact' | undefined;
  /** Default: all namespaces; of built-in kinds, all but the own one and `kube-system`. */
  readonly namespaceSelector?: WebhookSelector | undefined;
  /** Selects objects by their labels. Default: all. */
  readonly objectSelector?: WebhookSelector | undefined;
  /** At most 64. Default: none. */
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  /** Time that the API server waits, 1 to 30. Default: 10. */
  readonly timeoutSeconds?: number | undefined;
  /**
   * Effects outside of the response. `NoneOnDryRun`: none if `dryRun` is set. Default: `None`.
   */
  readonly sideEffects?: 'None' | 'NoneOnDryRun' | undefined;
}
