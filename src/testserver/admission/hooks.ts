/** Webhooks of a server: from its configuration objects, and functions in this process. */

import { array, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { Store } from '../store/store.ts';
import type { ReviewHandler } from '../webhooks/client.ts';

/** Request of an admission webhook, as in an AdmissionReview. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly userInfo: { readonly username: string; readonly groups: readonly string[]; readonly uid?: string };
  /** The new object; `null` for deletions. */
  readonly object: JsonObject | null;
  /** The stored object; `null` for creates. */
  readonly oldObject: JsonObject | null;
  readonly dryRun: boolean;
  readonly options: JsonObject;
}

/** Decision of an admission webhook in this process. */
export interface AdmissionDecision {
  /** Whether the request is allowed. Default: true. */
  readonly allowed?: boolean;
  /** Reason of a denial, in the error that the client receives. Default: none. */
  readonly message?: string;
  /** HTTP status of a denial. Default: 400, as on a real server. */
  readonly code?: number;
  /** JSON patch (RFC 6902) of a mutating webhook. */
  readonly patch?: readonly JsonObject[];
  /** Warnings that the client receives as `Warning` headers. Default: none. */
  readonly warnings?: readonly string[];
}

/** A rule that selects requests, as in webhook configurations. */
export interface WebhookRule {
  /** `CREATE`, `UPDATE`, `DELETE`, `CONNECT` or `*`. Default: CREATE and UPDATE. */
  readonly operations?: readonly string[];
  /** API groups of the resources. Default: all groups. */
  readonly apiGroups?: readonly string[];
  /** API versions of the resources. Default: all versions. */
  readonly apiVersions?: readonly string[];
  /** Plural names such as `pods` or `pods/status`, or `*`. */
  readonly resources: readonly string[];
  /** Scope of the resources: `Cluster`, `Namespaced` or `*`. Default: `*`. */
  readonly scope?: string;
}

/** An admission webhook that is a function in this process. */
export interface TestWebhook {
  /** Name in error messages, such as `validate.shop.example.com`. */
  readonly name: string;
  readonly type: 'mutating' | 'validating';
  readonly rules: readonly WebhookRule[];
  /** Returns the decision; nothing allows the request. An error fails the call, as an unreachable webhook. */
  readonly handle: (
    request: AdmissionRequest,
  ) => AdmissionDecision | undefined | Promise<AdmissionDecision | undefined>;
  /** Whether a failed call denies the request (`Fail`) or is ignored. Default: `Fail`. */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /** Whether the webhook is called again if a later one changes the object (`IfNeeded`). Default: `Never`. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
  readonly namespaceSelector?: JsonObject;
  readonly objectSelector?: JsonObject;
  /** CEL conditions that requests must meet, each with `name` and `expression`. Default: none. */
  readonly matchConditions?: readonly JsonObject[];
  /**
   * Whether `handle` has effects besides its decision. Requests with `dryRun` fail for `Some` and `Unknown`.
   * Default: `None`.
   */
  readonly sideEffects?: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown';
  /** Maximum duration of a call, in seconds; a longer one fails. Default: 10. */
  readonly timeoutSeconds?: number;
}

/** A webhook of a `ValidatingWebhookConfiguration` or `MutatingWebhookConfiguration`, or of a test. */
export interface Hook {
  readonly config: JsonObject;
  /** Identifies the webhook for reinvocation. */
  readonly id: string;
  /** Absent for webhooks that are called by their `clientConfig`. */
  readonly handler?: ReviewHandler;
}

const inProcess = new WeakMap<Store, Set<TestWebhook>>();

/** Adds a webhook to a server. Returns the function that removes it. */
export function addWebhook(store: Store, webhook: TestWebhook): () => void {
  const all = inProcess.get(store) ?? new Set<TestWebhook>();
  inProcess.set(store, all.add(webhook));
  return () => {
    all.delete(webhook);
  };
}

const storage = {
  mutating: 'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  validating: 'validatingwebhookconfigurations.admissionregistration.k8s.io',
} as const;

/** Returns the webhooks of a type in the order of their calls: by name of their configuration. */
export function hooksOf(store: Store, type: 'mutating' | 'validating'): readonly Hook[] {
  const stored = store.list(storage[type]).flatMap(([name, configuration]) =>
    array(configuration, 'webhooks').map(
      (config, index): Hook => ({
        config: object(config),
        id: `${name}/${text(config, 'name')}/${index}`,
      }),
    ),
  );
  const functions = [...(inProcess.get(store) ?? [])]
    .filter((webhook) => webhook.type === type)
    .map(
      (webhook, index): Hook => ({
        config: configOf(webhook),
        id: `in process/${webhook.name}/${index}`,
        handler: handlerOf(webhook),
      }),
    );
  return stored.length + functions.length === 0 ? none : [...stored, ...functions];
}

const none: readonly Hook[] = [];

function configOf({ rules, handle: _handle, type: _type, ...webhook }: TestWebhook): JsonObject {
  return {
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...webhook,
    rules: rules.map((rule) => ({
      operations: ['CREATE', 'UPDATE'],
      apiGroups: ['*'],
      apiVersions: ['*'],
      ...rule,
    })),
  };
}

function handlerOf({ handle }: TestWebhook): ReviewHandler {
  return async (review) => {
    const request = own(review, 'request') ?? null;
    // The request was built by this server.
    const decision = (await handle(request as unknown as AdmissionRequest)) ?? {};
    return { ...review, response: responseOf(text(request, 'uid'), decision) };
  };
}

function responseOf(uid: string, decision: AdmissionDecision): JsonObject {
  const { allowed = true, message, code, patch, warnings } = decision;
  const status: JsonObject = {
    ...(message === undefined ? {} : { message }),
    ...(code === undefined ? {} : { code }),
  };
  const encoded: Json | undefined =
    patch === undefined ? undefined : Buffer.from(JSON.stringify(patch)).toString('base64');
  return {
    uid,
    allowed,
    ...(Object.keys(status).length === 0 ? {} : { status }),
    ...(encoded === undefined ? {} : { patch: encoded, patchType: 'JSONPatch' }),
    ...(warnings === undefined ? {} : { warnings }),
  };
}
