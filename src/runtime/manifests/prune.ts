import { DecodeError } from '../api/errors.ts';
import { apiVersionOf, groupName, parseApiVersion } from '../api/group-version.ts';
import { isFields } from '../common/fields.ts';
import type { RESTMapping } from '../discovery/types.ts';
import type { Unstructured } from '../dynamic/unstructured.ts';
import type { LabelRequirement } from '../selectors/parse-labels.ts';
import { isContainer, orderManifests } from './order.ts';
import type { Manifest, Manifests } from './parse.ts';
import { failureOf, type Session } from './session.ts';
import type { Tools } from './tools.ts';
import type {
  ApplyManifestsOptions,
  ManifestObject,
  ManifestResult,
  PrunedKind,
  PruneOptions,
} from './types.ts';

/** Validated options of pruning. */
export interface Pruning {
  readonly options: PruneOptions;
  readonly requirements: readonly LabelRequirement[];
}

/**
 * Validates the options of pruning before anything is changed.
 * @throws {TypeError} a selector that matches objects without labels, or that an object of the manifests does
 * not match, because the next run would delete it; or no manifests, which is usually the output of a failed
 * command
 */
export function checkedPrune(
  { labelRequirements, labelRequirementsText, matchLabels }: Tools,
  options: PruneOptions,
  { manifests, failures }: Manifests,
): Pruning {
  const requirements = labelRequirements(options.labelSelector);
  if (requirements.length === 0)
    throw new TypeError('prune: the label selector is empty and selects everything');
  if (matchLabels({}, requirements)) {
    const selector = labelRequirementsText(requirements);
    throw new TypeError(
      `prune: the selector ${selector} also selects objects without labels; name a label that all objects have`,
    );
  }
  if (manifests.length + failures.length === 0 && !options.allowEmpty) {
    throw new TypeError(
      'prune: the manifests have no objects, so everything would be deleted; set allowEmpty if this is intended',
    );
  }
  for (const { place, kind, name, body } of manifests) {
    if (matchLabels(labelsOf(body), requirements)) continue;
    const selector = labelRequirementsText(requirements);
    throw new TypeError(`prune: ${kind} ${name} (${place}) does not match the selector ${selector}`);
  }
  return { options, requirements };
}

function labelsOf({ metadata }: Manifest['body']): Readonly<Record<string, string>> {
  const labels = isFields(metadata) && isFields(metadata['labels']) ? metadata['labels'] : {};
  return Object.fromEntries(
    Object.entries(labels).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The run of `applyManifests` that prunes. */
interface PruneRun {
  readonly session: Session;
  readonly options: ApplyManifestsOptions;
  readonly manifests: readonly Manifest[];
  /** UIDs of applied objects. */
  readonly uids: ReadonlySet<string>;
}

/** Deletes selected objects that are no longer in the manifests, dependents first. */
export async function prune(
  run: PruneRun,
  pruning: Pruning,
  applied: readonly ManifestResult[],
): Promise<ManifestResult[]> {
  const kept = new Set(applied.flatMap(({ object }) => (object === undefined ? [] : [identity(object)])));
  const namespaces = new Set(applied.flatMap(({ object }) => object?.namespace ?? []));
  for (const namespace of pruning.options.namespaces ?? []) namespaces.add(namespace);
  const results: ManifestResult[] = [];
  const report = (result: ManifestResult): void => {
    results.push(result);
    run.session.progress.end(result);
  };
  for (const kind of orderManifests(kindsOf(run.manifests, pruning.options)).toReversed()) {
    try {
      await pruneKind(run, pruning, kind, { kept, namespaces, report });
    } catch (error) {
      report({ action: 'failed', error: failureOf(run.session, error) });
    }
  }
  return results;
}

/** Versions of the API do not count. */
function identity({ apiVersion, kind, namespace = '', name }: ManifestObject): string {
  return JSON.stringify([parseApiVersion(apiVersion).group, kind, namespace, name]);
}

function kindsOf(manifests: readonly Manifest[], { kinds = [] }: PruneOptions): readonly PrunedKind[] {
  const ofManifests = manifests.filter((manifest) => !isContainer(manifest));
  const named = new Map<string, PrunedKind>();
  for (const { version, kind, ...of } of [...kinds, ...ofManifests]) {
    const group = groupName(of.group);
    const key = `${group}/${kind}`;
    if (!named.has(key)) named.set(key, { group, version, kind });
  }
  return [...named.values()];
}

interface Bounds {
  readonly kept: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
  readonly report: (result: ManifestResult) => void;
}

async function pruneKind(
  run: PruneRun,
  pruning: Pruning,
  kind: PrunedKind,
  { kept, namespaces, report }: Bounds,
): Promise<void> {
  const mapping = await mappingOf(run, kind);
  if (mapping === undefined) return;
  const places = mapping.scope === 'Cluster' ? [undefined] : [...namespaces];
  for (const namespace of places) {
    for (const object of await selected(run, pruning, mapping, namespace)) {
      if (!isOurs(run, object)) continue;
      const found = { mapping, namespace, uid: stringIn(object, 'uid'), name: stringIn(object, 'name') };
      if (!kept.has(identity(referenceTo(found)))) report(await pruned(run, pruning, found));
    }
  }
}

/** A kind that is not served has no objects. */
async function mappingOf({ session }: PruneRun, kind: PrunedKind): Promise<RESTMapping | undefined> {
  try {
    return await session.mapper.mapping(kind, session.call);
  } catch (error) {
    if (session.tools.isNoMatch(error) && error.failed.size === 0) return undefined;
    throw error;
  }
}

async function selected(
  run: PruneRun,
  { requirements }: Pruning,
  mapping: RESTMapping,
  namespace: string | undefined,
): Promise<Unstructured[]> {
  const labelSelector = run.session.tools.labelRequirementsText(requirements);
  const found: Unstructured[] = [];
  const all = resourceIn(run, mapping, namespace).iterate({ ...run.session.call, labelSelector });
  for await (const object of all) found.push(object);
  return found;
}

function resourceIn({ session }: PruneRun, mapping: RESTMapping, namespace: string | undefined) {
  const resource = session.dynamic.resource(mapping);
  return namespace === undefined ? resource : resource.namespace(namespace);
}

/**
 * Returns whether an object was applied by this manager (not only its status), is not controlled by a
 * controller that copies labels, is not terminating, and is not in the manifests under the name of another
 * group.
 */
function isOurs({ session, options, uids }: PruneRun, object: Unstructured): boolean {
  const { managedFields, deletionTimestamp, uid } = object.metadata;
  const entries: readonly unknown[] = Array.isArray(managedFields) ? managedFields : [];
  const ours = entries.some(
    (entry) =>
      isFields(entry) &&
      entry['manager'] === options.fieldManager &&
      entry['operation'] === 'Apply' &&
      !entry['subresource'],
  );
  if (!ours || deletionTimestamp !== undefined || (uid !== undefined && uids.has(uid))) return false;
  return session.tools.controllerOf(object) === undefined;
}

/** An object that the server has listed. */
interface Found {
  readonly mapping: RESTMapping;
  /** Where it was listed. */
  readonly namespace: string | undefined;
  /** Empty where the server does not say it. */
  readonly name: string;
  readonly uid: string;
}

function stringIn({ metadata }: Unstructured, member: 'name' | 'uid'): string {
  const value: unknown = metadata[member];
  return typeof value === 'string' ? value : '';
}

/** The kind and the namespace are those of the request: the object may say anything. */
function referenceTo({ mapping, namespace, name }: Found): ManifestObject {
  const { kind } = mapping.kind;
  return {
    apiVersion: apiVersionOf(mapping.kind),
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
  };
}

async function pruned(run: PruneRun, { options }: Pruning, found: Found): Promise<ManifestResult> {
  const { session } = run;
  const { mapping, namespace, name, uid } = found;
  const { propagationPolicy = 'Background' } = options;
  const object = referenceTo(found);
  try {
    if (name === '' || uid === '') {
      const operation = {
        verb: 'list',
        resource: mapping.resource.resource,
        ...(namespace && { namespace }),
      };
      throw new DecodeError('an object of the list has no name or no uid', operation);
    }
    await resourceIn(run, mapping, namespace).delete(name, {
      ...session.call,
      dryRun: session.dryRun,
      propagationPolicy,
      // Another object may have the name by now.
      preconditions: { uid },
    });
    return { object, action: 'pruned' };
  } catch (error) {
    return { object, action: 'failed', error: failureOf(session, error) };
  }
}
