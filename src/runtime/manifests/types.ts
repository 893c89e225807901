/** Options and results of `applyManifests` and `deleteManifests`. */

import { isOwn, OwnError } from '../api/errors.ts';
import type { EmbeddedObject, KubernetesObject } from '../api/meta.ts';
import type { DeleteOptions, Impersonation } from '../api/options.ts';
import type { BodyKind } from '../api/resource.ts';
import type { LabelSelectorInput } from '../selectors/labels.ts';

/** Files and folders that contain manifests. */
export interface ManifestFiles {
  /**
   * Files, folders and glob patterns. Of a folder, all `*.yaml`, `*.yml` and `*.json` files are read, at all
   * levels except in `node_modules` and hidden folders. Patterns may contain `*`, `?`, `[a-z]`, `{a,b}` and
   * `**`.
   */
  readonly files: string | readonly string[];
}

/**
 * An object with its apiVersion and kind: a literal, the result of `manifest`, a generated definition, or an
 * object that was read. Items of a list (`kind: 'List'`) count individually.
 */
export type WholeObject = (KubernetesObject & BodyKind) | EmbeddedObject;

/** Manifests: YAML documents or JSON in a string, the files that contain them, or objects. */
export type ManifestInput = string | ManifestFiles | WholeObject | readonly WholeObject[];

/** Common options of `applyManifests`, `createManifests` and `deleteManifests`. */
export interface ManifestOptions {
  /** Namespace of namespaced objects that have none. Default: that of the configuration. */
  readonly namespace?: string | undefined;
  /** `'All'` requests that the server processes everything without storing the result. */
  readonly dryRun?: 'All' | undefined;
  /**
   * Name of a string of manifests, or of objects, in results and messages. Manifests in files have the names
   * of their files.
   * Default: `manifests`.
   */
  readonly source?: string | undefined;
  /**
   * Called with the result of each object as soon as it is final, including `failed`: for logs, and for
   * results of a call that ends early. Objects of one kind end in any order.
   */
  readonly onResult?: ((result: ManifestResult) => void) | undefined;
  /**
   * Aborts the call, which rejects with `signal.reason`. Completed changes are kept and have been passed to
   * `onResult`.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Limit of the whole call, in milliseconds, after which it rejects with `TimeoutError`. The message of the
   * error contains the number of completed objects and one object that was being processed. Completed changes
   * are kept and have been passed to `onResult`. Default: none.
   */
  readonly timeoutMs?: number | undefined;
  /** User to impersonate for reading, applying and deleting objects. Discovery is not impersonated. */
  readonly impersonate?: Impersonation | undefined;
}

/** A kind to search: in one version, or in the preferred version of its group. */
export interface PrunedKind {
  /** API group of the kind, such as `apps`; `''` or `core` for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly version?: string | undefined;
}

/**
 * Selects the objects to delete because they are no longer in the manifests: objects of the kinds and in the
 * namespaces of the manifests that have the label, were applied by this `fieldManager` (not only their
 * status), and are not controlled by a controller. An object that another manager has applied too is deleted;
 * a Namespace or CustomResourceDefinition that is left out is kept, see `kinds`. Cluster-scoped kinds are
 * searched in the whole cluster:
 * two sets of manifests must differ in the label or in the `fieldManager`, otherwise each deletes the objects
 * of the other. A dry run shows the objects that would be deleted.
 */
export interface PruneOptions {
  /**
   * Must not match objects without labels. Every object of the manifests must match it, otherwise nothing is
   * changed.
   */
  readonly labelSelector: LabelSelectorInput;
  /**
   * Prunes even if the document contains no objects: deletes all objects that were applied before, of `kinds`
   * in `namespaces`. Default: false, because such a document is usually the output of a failed command.
   */
  readonly allowEmpty?: boolean | undefined;
  /**
   * Kinds to search besides those of the manifests, for kinds of which no object is left. Namespaces and
   * CustomResourceDefinitions, with all objects in them, are deleted only if they are listed here.
   */
  readonly kinds?: readonly PrunedKind[] | undefined;
  /** Namespaces to search besides those of the manifests, for namespaces in which no object is left. */
  readonly namespaces?: readonly string[] | undefined;
  /** Propagation to dependents of the deleted objects. Default: `Background`. */
  readonly propagationPolicy?: DeleteOptions['propagationPolicy'];
}

/** Options of `applyManifests`. */
export interface ApplyManifestsOptions extends ManifestOptions {
  /** Field manager that owns the fields of the manifests. */
  readonly fieldManager: string;
  /** Takes fields over from other managers instead of failing with a conflict. Default: false. */
  readonly force?: boolean | undefined;
  /**
   * Limit in milliseconds, after all CustomResourceDefinitions are sent, until the server has accepted them
   * and serves their kinds. Objects of kinds that are not served by then fail. Default: 60,000. `timeoutMs`
   * may end it earlier.
   */
  readonly definitionTimeoutMs?: number | undefined;
  /**
   * Deletes objects that are no longer in the manifests, only after everything else has succeeded. Default:
   * none.
   */
  readonly prune?: PruneOptions | undefined;
}

/** Options of `createManifests`. */
export interface CreateManifestsOptions extends ManifestOptions {
  /** Manager that owns the fields of the manifests. Default: that of the server, from the user agent. */
  readonly fieldManager?: string | undefined;
  /** Limit in milliseconds until definitions are served, as in `applyManifests`. Default: 60,000. */
  readonly definitionTimeoutMs?: number | undefined;
}

/** Options of `deleteManifests`. */
export interface DeleteManifestsOptions extends ManifestOptions {
  /** Propagation to dependents of the deleted objects. Default: `Background`. */
  readonly propagationPolicy?: DeleteOptions['propagationPolicy'];
}

/** Identity of the object of a result. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** Namespace of the object. Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
}

/**
 * Result of an object.
 * - `created`, `configured` (changed), `unchanged`: applied
 * - `created`: by `createManifests`, too; `name` is the one that the server generated
 * - `pruned`: deleted, because it is no longer in the manifests
 * - `deleted`, `absent` (it did not exist): by `deleteManifests`
 * - `unchecked`: in a dry run, an object whose kind or namespace is created by this run, so that the server
 *   cannot validate it
 * - `failed`: see `error`
 *
 * In a dry run, the expected result.
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

/** Result of one object, or of an invalid document. */
export interface ManifestResult {
  /** Position: `apps.yaml:12:1`, or `manifests[3]` of an array of objects. Absent for pruned objects. */
  readonly place?: string;
  /** Identity of the object. Absent for a document that does not identify one. */
  readonly object?: ManifestObject;
  readonly action: ManifestAction;
  /** Error of a failed object or document; otherwise absent. */
  readonly error?: Error;
}

/** Some objects failed; the others were applied. The message names each with its reason. */
export class ManifestsError extends OwnError {
  /** All results in the order of execution. */
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

/** Returns whether an error is a `ManifestsError`. `error.results` contains the result of each object. */
export function isManifestsError(error: unknown): error is ManifestsError {
  return isOwn(error, 'ManifestsError');
}

function describeResult({ place, object, error }: ManifestResult): string {
  const name = object && [object.namespace, object.name].filter((part) => part !== undefined).join('/');
  // The error of an invalid document already begins with its position.
  const where = place !== undefined && error?.message.startsWith(place) ? undefined : place;
  return [where, object && `${object.kind} ${name}`, error?.message]
    .filter((part) => part !== undefined)
    .join(': ');
}
