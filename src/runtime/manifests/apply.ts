import { isNotFound } from '../errors.ts';
import { isEqual, isObject, type JsonObject } from '../patch/json.ts';
import { definesKind, established, isNoResource, onceServed } from './definitions.ts';
import { inOrder, isDefinition, isNamespace } from './order.ts';
import { type Manifest, parseManifests } from './parse.ts';
import { checkedPrune, prune } from './prune.ts';
import { failureOf, inSession, type Placed, placed, type Session, written } from './session.ts';
import {
  type ApplyManifestsOptions,
  type ManifestAction,
  type ManifestResult,
  ManifestsError,
  type ManifestTarget,
} from './types.ts';

/** See `applyManifests`. */
export async function apply(
  target: ManifestTarget,
  text: string,
  options: ApplyManifestsOptions,
): Promise<readonly ManifestResult[]> {
  const { manifests, failures } = parseManifests(text, options.source ?? 'manifests');
  const pruning = options.prune && checkedPrune(options.prune, manifests);
  return inSession(target, options, 'apply', async (session) => {
    const run: Run = { session, options, manifests };
    const applied = await applyAll(run);
    const results = [...failures, ...applied];
    const good = results.every(({ action }) => action !== 'failed');
    const pruned = pruning && good ? await prune(run, pruning, applied) : [];
    return concluded([...results, ...pruned]);
  });
}

/** @throws {ManifestsError} some failed */
export function concluded(results: readonly ManifestResult[]): readonly ManifestResult[] {
  if (results.some(({ action }) => action === 'failed')) throw new ManifestsError(results);
  return results;
}

/** One call of `applyManifests`. */
export interface Run {
  readonly session: Session;
  readonly options: ApplyManifestsOptions;
  readonly manifests: readonly Manifest[];
}

async function applyAll(run: Run): Promise<ManifestResult[]> {
  const results: ManifestResult[] = [];
  const ordered = inOrder(run.manifests);
  for (const manifest of ordered.filter((one) => isNamespace(one) || isDefinition(one))) {
    results.push(await applied(run, manifest, results));
  }
  const established = await establishedOnes(run, results);
  for (const manifest of ordered.filter((one) => !isNamespace(one) && !isDefinition(one))) {
    established.push(await applied(run, manifest, established));
  }
  return established;
}

/** The results so far, in which definitions that the server does not accept have failed. */
async function establishedOnes(
  { session }: Run,
  results: readonly ManifestResult[],
): Promise<ManifestResult[]> {
  if (session.dryRun !== undefined) return [...results];
  const wait = async (result: ManifestResult): Promise<ManifestResult> => {
    const { object, action } = result;
    if (object?.kind !== 'CustomResourceDefinition' || action === 'failed') return result;
    try {
      await established(session, object.name);
      return result;
    } catch (error) {
      return { ...result, action: 'failed', error: failureOf(session, error) };
    }
  };
  return Promise.all(results.map(wait));
}

async function applied(
  run: Run,
  manifest: Manifest,
  earlier: readonly ManifestResult[],
): Promise<ManifestResult> {
  const { session, manifests } = run;
  const { place } = manifest;
  let object = written(manifest);
  const attempt = async (): Promise<ManifestAction> => {
    const found = placed(session, await session.mapper.mapping(manifest, session.call), manifest);
    object = found.object;
    if (isInFutureNamespace(session, object.namespace, earlier)) return 'unchecked';
    return submitted(run, manifest, found);
  };
  const failed = new Set(earlier.filter(({ action }) => action === 'failed').map((result) => result.place));
  const isNew = definesKind(
    manifests.filter((one) => !failed.has(one.place)),
    manifest,
  );
  try {
    const action = await (isNew && session.dryRun === undefined ? onceServed(session, attempt) : attempt());
    return { place, object, action };
  } catch (error) {
    const failure = failureOf(session, error);
    // Nobody serves it before its definition is stored, which a dry run never does.
    if (isNew && session.dryRun !== undefined && failure.name === 'NoMatchError') {
      return { place, object, action: 'unchecked' };
    }
    return { place, object, action: 'failed', error: failure };
  }
}

/** Whether the namespace is one that only a real run would make. */
function isInFutureNamespace(
  { dryRun }: Session,
  namespace: string | undefined,
  earlier: readonly ManifestResult[],
): boolean {
  if (dryRun === undefined || namespace === undefined) return false;
  return earlier.some(
    ({ object, action }) =>
      action === 'created' &&
      object?.apiVersion === 'v1' &&
      object.kind === 'Namespace' &&
      object.name === namespace,
  );
}

async function submitted(
  { session, options }: Run,
  { body }: Manifest,
  { object, client }: Placed,
): Promise<ManifestAction> {
  const { apiVersion, kind, name, namespace } = object;
  const { fieldManager, force, dryRun } = options;
  const before = await found(client, name, session);
  const metadata = {
    ...(isObject(body['metadata']) && body['metadata']),
    name,
    ...(namespace && { namespace }),
  };
  const intent = { ...body, apiVersion, kind, metadata };
  const after = await client.apply(intent, { ...session.call, fieldManager, force, dryRun });
  if (before === undefined) return 'created';
  return isUnchanged({ ...before }, { ...after }, dryRun) ? 'unchanged' : 'configured';
}

async function found(client: Placed['client'], name: string, { call }: Session): Promise<object | undefined> {
  try {
    return await client.get(name, call);
  } catch (error) {
    if (isNotFound(error) && !isNoResource(error)) return undefined;
    throw error;
  }
}

/** A dry run gives no new version: there the objects are compared, without what the server keeps of who did what. */
function isUnchanged(before: JsonObject, after: JsonObject, dryRun: 'All' | undefined): boolean {
  if (dryRun === undefined) return version(before) === version(after);
  return isEqual(comparable(before), comparable(after));
}

function version({ metadata }: JsonObject): unknown {
  return isObject(metadata) ? metadata['resourceVersion'] : undefined;
}

function comparable(object: JsonObject): JsonObject {
  if (!isObject(object['metadata'])) return object;
  const { managedFields: _, resourceVersion: __, generation: ___, ...metadata } = object['metadata'];
  return { ...object, metadata };
}
