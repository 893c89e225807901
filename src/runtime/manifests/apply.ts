import { isNotFound } from '../api/failure-reasons.ts';
import { isFields } from '../common/fields.ts';
import { isEqual, type JsonObject } from '../patch/json.ts';
import type { ClientConnection } from '../rest/connection.ts';
import { forAll, keyOf } from './batches.ts';
import { definesKind, established, isNoResource, Patience } from './definitions.ts';
import { isContainer, isDefinition, isNamespace, orderManifests } from './order.ts';
import { type Manifest, noObjects, readManifests } from './parse.ts';
import { checkedPrune, prune } from './prune.ts';
import { failureOf, inSession, type Placed, placed, type Session, written } from './session.ts';
import type { Tools } from './tools.ts';
import type {
  ApplyManifestsOptions,
  CreateManifestsOptions,
  ManifestAction,
  ManifestInput,
  ManifestObject,
  ManifestResult,
} from './types.ts';

/** Default limit, in milliseconds, until a definition is served. */
const patienceMs = 60_000;

/** Implementation of `applyManifests`. */
export async function apply(
  tools: Tools,
  target: ClientConnection,
  input: ManifestInput,
  options: ApplyManifestsOptions,
): Promise<readonly ManifestResult[]> {
  if (!options.fieldManager) {
    throw new TypeError('applyManifests needs a fieldManager: the name under which the fields are owned');
  }
  const read = await readManifests(input, options.source);
  const { manifests, failures } = read;
  const pruning = options.prune && checkedPrune(tools, options.prune, read);
  if (manifests.length + failures.length === 0 && !options.prune?.allowEmpty)
    throw noObjects(input, options, 'apply');
  return inSession(tools, { verb: 'apply', target, read, options }, async (session) => {
    const patience = new Patience(session, options.definitionTimeoutMs ?? patienceMs);
    const uids = new Set<string>();
    const submit: Submit = (manifest, found) => appliedObject({ session, options, uids }, manifest, found);
    const applied = await submitAll({ session, manifests, patience, places: new Map(), submit });
    const results = [...failures, ...applied];
    const good = results.every(({ action }) => action !== 'failed');
    const run = { session, options, manifests, uids };
    const pruned = pruning && good ? await prune(run, pruning, applied) : [];
    return [...results, ...pruned];
  });
}

/** Implementation of `createManifests`. */
export async function create(
  tools: Tools,
  target: ClientConnection,
  input: ManifestInput,
  options: CreateManifestsOptions,
): Promise<readonly ManifestResult[]> {
  const read = await readManifests(input, options.source, 'create');
  const { manifests, failures } = read;
  if (manifests.length + failures.length === 0) throw noObjects(input, options, 'create');
  return inSession(tools, { verb: 'create', target, read, options }, async (session) => {
    const patience = new Patience(session, options.definitionTimeoutMs ?? patienceMs);
    const submit: Submit = (manifest, found) => createdObject(session, options, manifest, found);
    const created = await submitAll({ session, manifests, patience, places: new Map(), submit });
    return [...failures, ...created];
  });
}

/** Sends an object, and returns its identity on the server and the result. */
type Submit = (
  manifest: Manifest,
  found: Placed,
) => Promise<{ readonly object: ManifestObject; readonly action: ManifestAction }>;

/** One call of `applyManifests` or `createManifests`. */
interface Run {
  readonly session: Session;
  readonly manifests: readonly Manifest[];
  readonly patience: Patience;
  readonly submit: Submit;
  /** Positions of the objects that were started, by identity. */
  readonly places: Map<string, string>;
}

/** Namespaces and definitions of a run that affect other objects. */
interface Known {
  /** Namespaces that only a real run would create. */
  readonly futureNamespaces: ReadonlySet<string>;
  /** Definitions that did not fail. */
  readonly definitions: readonly Manifest[];
}

async function submitAll(run: Run): Promise<ManifestResult[]> {
  const { session, patience } = run;
  const ordered = orderManifests(run.manifests);
  const nothing: Known = { futureNamespaces: new Set(), definitions: [] };
  const containers = ordered.filter(isContainer);
  const definitions = await forAll(session, containers, (manifest) => submitted(run, manifest, nothing));
  patience.begin();
  const settled = await Promise.all(definitions.map((result) => servedResult(run, result)));
  const known = knownFrom(session, containers, settled);
  const others = await forAll(
    session,
    ordered.filter((manifest) => !isContainer(manifest)),
    async (manifest) => {
      const result = await submitted(run, manifest, known);
      session.progress.end(result);
      return result;
    },
  );
  return [...settled, ...others];
}

/**
 * Returns the result of a namespace or definition. A definition that the server does not accept has failed.
 */
async function servedResult({ session, patience }: Run, result: ManifestResult): Promise<ManifestResult> {
  const settled = await established(session, patience, result).catch(
    (error: unknown): ManifestResult => ({
      ...result,
      action: 'failed',
      error: failureOf(session, error),
    }),
  );
  session.progress.end(settled);
  return settled;
}

function knownFrom(
  { dryRun }: Session,
  containers: readonly Manifest[],
  results: readonly ManifestResult[],
): Known {
  const actions = new Map(results.map(({ place, action }) => [place, action]));
  const isFuture = ({ place }: Manifest): boolean => dryRun !== undefined && actions.get(place) === 'created';
  return {
    futureNamespaces: new Set(
      containers
        .filter(isNamespace)
        .filter(isFuture)
        .map(({ name }) => name),
    ),
    definitions: containers.filter(
      (manifest) => isDefinition(manifest) && actions.get(manifest.place) !== 'failed',
    ),
  };
}

async function submitted(run: Run, manifest: Manifest, known: Known): Promise<ManifestResult> {
  const { session, patience } = run;
  const { place } = manifest;
  session.progress.begin(manifest);
  const first = twinOf(run, manifest);
  if (first !== undefined) {
    const error = new TypeError(`the same object as at ${first}; leave one of them out`);
    return { place, object: written(manifest), action: 'failed', error };
  }
  let object = written(manifest);
  const attempt = async (): Promise<ManifestAction> => {
    const found = placed(session, await session.mapper.mapping(manifest, session.call), manifest);
    object = found.object;
    if (object.namespace !== undefined && known.futureNamespaces.has(object.namespace)) return 'unchecked';
    const sent = await run.submit(manifest, found);
    object = sent.object;
    return sent.action;
  };
  const isNew = definesKind(known.definitions, manifest);
  try {
    const action = await (isNew && session.dryRun === undefined ? patience.onceServed(attempt) : attempt());
    return { place, object, action };
  } catch (error) {
    const failure = failureOf(session, error);
    // A kind is not served before its definition is stored, which a dry run never does.
    if (isNew && session.dryRun !== undefined && session.tools.isNoMatch(failure)) {
      return { place, object, action: 'unchecked' };
    }
    return { place, object, action: 'failed', error: failure };
  }
}

/** Returns the position of an earlier copy of the object: each would revert the other in every run. */
function twinOf({ session, places }: Run, manifest: Manifest): string | undefined {
  if (manifest.isGenerated) return undefined;
  const key = keyOf(manifest, session.namespace);
  const first = places.get(key);
  if (first === undefined) places.set(key, manifest.place);
  return first;
}

interface Applying {
  readonly session: Session;
  readonly options: ApplyManifestsOptions;
  /** UIDs of applied objects. */
  readonly uids: Set<string>;
}

async function appliedObject(
  { session, options, uids }: Applying,
  manifest: Manifest,
  { object, client }: Placed,
): ReturnType<Submit> {
  const { fieldManager, force, dryRun } = options;
  const before = await found(client, object.name, session);
  const intent = {
    ...bodyOf(manifest, object),
    metadata: { ...metadataOf(manifest, object), name: object.name },
  };
  const after = await client.apply(intent, { ...session.call, fieldManager, force, dryRun });
  const uid: unknown = isFields(after.metadata) ? after.metadata['uid'] : undefined;
  if (typeof uid === 'string') uids.add(uid);
  if (before === undefined) return { object, action: 'created' };
  const isSame = isUnchanged({ ...before }, { ...after }, dryRun);
  return { object, action: isSame ? 'unchanged' : 'configured' };
}

async function createdObject(
  session: Session,
  { fieldManager, dryRun }: CreateManifestsOptions,
  manifest: Manifest,
  { object, client }: Placed,
): ReturnType<Submit> {
  const body = { ...bodyOf(manifest, object), metadata: metadataOf(manifest, object) };
  const created = await client.create(body, { ...session.call, fieldManager, dryRun });
  const name: unknown = isFields(created.metadata) ? created.metadata['name'] : undefined;
  return { object: typeof name === 'string' ? { ...object, name } : object, action: 'created' };
}

function bodyOf({ body }: Manifest, { apiVersion, kind }: ManifestObject) {
  return { ...body, apiVersion, kind };
}

/** Returns the metadata of a manifest with the namespace in which it is placed. */
function metadataOf({ body }: Manifest, { namespace }: ManifestObject): JsonObject {
  return { ...(isFields(body['metadata']) && body['metadata']), ...(namespace && { namespace }) };
}

async function found(client: Placed['client'], name: string, { call }: Session): Promise<object | undefined> {
  try {
    return await client.get(name, call);
  } catch (error) {
    if (isNotFound(error) && !isNoResource(error)) return undefined;
    throw error;
  }
}

/** A dry run returns no new version, so the objects are compared without the server's bookkeeping. */
function isUnchanged(before: JsonObject, after: JsonObject, dryRun: 'All' | undefined): boolean {
  if (dryRun === undefined) return version(before) === version(after);
  const [old, next] = [comparable(before), comparable(after)];
  // Both were read: a number without digits is exact, in either of them.
  return isEqual(old, next) && isEqual(next, old);
}

function version({ metadata }: JsonObject): unknown {
  return isFields(metadata) ? metadata['resourceVersion'] : undefined;
}

function comparable(object: JsonObject): JsonObject {
  if (!isFields(object['metadata'])) return object;
  const { managedFields: _, resourceVersion: __, generation: ___, ...metadata } = object['metadata'];
  return { ...object, metadata };
}
