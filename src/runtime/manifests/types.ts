/** What `applyManifests` and `deleteManifests` take and give. */
import type { Connection } from '../clientset.ts';
import { isOwn, OwnError } from '../errors.ts';
import type { DeleteOptions, Impersonation, LabelSelectorInput } from '../options.ts';
import type { RESTClient } from '../rest/client.ts';

/** Where manifests go: a configuration, a REST client, or any client that has one. */
export type ManifestTarget = Connection | { readonly rest: RESTClient };

/** Options of `deleteManifests`, and of `applyManifests` too. */
export interface ManifestOptions {
  /** For namespaced objects that name no namespace; others keep theirs. Default: that of the configuration. */
  readonly namespace?: string | undefined;
  /** `'All'` asks the server to do everything but store the result. */
  readonly dryRun?: 'All' | undefined;
  /** What results and messages call the text: mostly the name of the file. Default: `manifests`. */
  readonly source?: string | undefined;
  /**
   * Told what became of each object as soon as it is certain, `failed` ones too: for logs, and for what was done before
   * the call ended early. Objects of one kind end in any order.
   */
  readonly onResult?: ((result: ManifestResult) => void) | undefined;
  /** Ends the call; it rejects with `signal.reason`. What is done stays done, and `onResult` was told of it. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds for everything; then the call rejects with `TimeoutError`, which says how many objects are done and what
   * was under way. What is done stays done, and `onResult` was told of it. Default: none.
   */
  readonly timeoutMs?: number | undefined;
  /** As whom objects are read, applied and deleted. Which kinds there are is asked as oneself. */
  readonly impersonate?: Impersonation | undefined;
}

/** A kind, of one version or of the preferred one. */
export interface PrunedKind {
  /** `''` is the core group. */
  readonly group: string;
  readonly kind: string;
  readonly version?: string | undefined;
}

/**
 * Which objects are deleted because they are no longer in the manifests: those of the kinds and in the namespaces of
 * the manifests that carry the label, that this `fieldManager` has applied (and not only the status of), that no controller
 * owns. Kinds without namespaces are looked through in the whole cluster: two sets of manifests must differ in the label
 * or in the `fieldManager`, or each deletes the other's. A dry run shows what would go.
 */
export interface PruneOptions {
  /** Not met by objects without labels. Every object of the manifests must meet it, or nothing is done. */
  readonly labelSelector: LabelSelectorInput;
  /**
   * Prunes with a text without objects, too: all that was applied before, of `kinds` in `namespaces`. Default false, as
   * such a text is mostly the output of something that failed.
   */
  readonly allowEmpty?: boolean | undefined;
  /**
   * Kinds to look through besides those of the manifests: for kinds of which none is left. Namespaces and
   * CustomResourceDefinitions, with all that is in them, are deleted only where they are named here.
   */
  readonly kinds?: readonly PrunedKind[] | undefined;
  /** Namespaces to look through besides those of the manifests: for what has moved, or was all there was in one. */
  readonly namespaces?: readonly string[] | undefined;
  /** What happens to objects that the deleted ones own. Default `Background`. */
  readonly propagationPolicy?: DeleteOptions['propagationPolicy'];
}

/** Options of `applyManifests`. */
export interface ApplyManifestsOptions extends ManifestOptions {
  /** Who owns the fields of the manifests from now on. */
  readonly fieldManager: string;
  /** Takes fields over from other managers instead of failing with a conflict. Default false. */
  readonly force?: boolean | undefined;
  /**
   * Milliseconds to wait, once all CustomResourceDefinitions are sent, until the server has accepted them, and serves their
   * kinds; what needs one that is not served then has failed. Default 60,000. `timeoutMs` ends it sooner.
   */
  readonly definitionTimeoutMs?: number | undefined;
  /** Deletes what is no longer in the manifests. Only after everything else went well. Default: nothing is deleted. */
  readonly prune?: PruneOptions | undefined;
}

/** Options of `deleteManifests`. */
export interface DeleteManifestsOptions extends ManifestOptions {
  /** What happens to objects that the deleted ones own. Default `Background`. */
  readonly propagationPolicy?: DeleteOptions['propagationPolicy'];
}

/** Which object a result is about. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for objects of the whole cluster. */
  readonly namespace?: string;
  readonly name: string;
}

/**
 * What became of an object.
 * - `created`, `configured` (changed), `unchanged`: applied
 * - `pruned`: deleted, as it is no longer in the manifests
 * - `deleted`, `absent` (there was none): by `deleteManifests`
 * - `unchecked`: in a dry run, an object whose kind or namespace is only created by this run: the server cannot say more
 * - `failed`: see `error`
 *
 * In a dry run it is what would become of it.
 */
export type ManifestAction =
  | 'created'
  | 'configured'
  | 'unchanged'
  | 'pruned'
  | 'deleted'
  | 'absent'
  | 'unchecked'
  | 'failed';

/** What became of one object, or of a document that is none. */
export interface ManifestResult {
  /** Where it stands: `apps.yaml:12:1`. Absent for what was pruned. */
  readonly place?: string;
  /** Absent where a document does not say so much. */
  readonly object?: ManifestObject;
  readonly action: ManifestAction;
  /** Why it failed. */
  readonly error?: Error;
}

/** Some objects failed; the others were done. The message names each with its reason. */
export class ManifestsError extends OwnError {
  /** All results, in the order in which things were done. */
  readonly results: readonly ManifestResult[];

  constructor(results: readonly ManifestResult[]) {
    const failed = results.filter(({ action }) => action === 'failed');
    const lines = failed.map((result) => `  ${describeResult(result)}`);
    super([`${failed.length} of ${results.length} manifests failed:`, ...lines].join('\n'), {
      cause: failed[0]?.error,
    });
    this.results = results;
  }

  override get name(): 'ManifestsError' {
    return 'ManifestsError';
  }
}

/** Whether some manifests failed; `error.results` says what became of each. */
export function isManifestsError(error: unknown): error is ManifestsError {
  return isOwn(error, 'ManifestsError');
}

function describeResult({ place, object, error }: ManifestResult): string {
  const name = object && [object.namespace, object.name].filter((part) => part !== undefined).join('/');
  // A broken document's error begins with its place already.
  const where = place !== undefined && error?.message.startsWith(place) ? undefined : place;
  return [where, object && `${object.kind} ${name}`, error?.message]
    .filter((part) => part !== undefined)
    .join(': ');
}
