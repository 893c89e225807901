/** `kgen install` and `kgen uninstall`: the definitions of a project. */
import { applyManifests, isManifestsError } from '@kgen/runtime/manifests';
import type { JsonObject } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import { releaseWebhooks } from '../local/webhooks.ts';
import { type Cluster, refOf, refText } from './cluster.ts';
import { failure, resultText } from './deploy.ts';
import { type DefinedObjects, definedObjects, deleteAll, objectLines } from './objects.ts';
import { fieldManager, labelled, type OperatorPlace } from './operator.ts';
import type { Session } from './session.ts';

/** Options of `install` and `uninstall`. */
export interface DefinitionsOptions extends OperatorPlace {
  /** The definitions. */
  readonly objects: readonly JsonObject[];
  readonly dryRun?: boolean | undefined;
  /** Takes over fields that others have changed. */
  readonly force?: boolean | undefined;
}

/** Applies the definitions, and waits until they are served. */
export async function install(
  cluster: Cluster,
  { name, objects, dryRun = false, force }: DefinitionsOptions,
  session: Session,
): Promise<void> {
  const { print } = session;
  let changed = 0;
  const accepted = await releaseWebhooks(cluster, objects, { ...session, dryRun });
  try {
    await applyManifests(cluster.rest, labelled(accepted, name), {
      ...{ fieldManager, force, source: 'config/crd' },
      ...(dryRun && { dryRun: 'All' }),
      onResult: (result) => {
        const line = resultText(result);
        if (line === undefined) return;
        changed += 1;
        print(line);
      },
    });
  } catch (cause) {
    throw isManifestsError(cause) ? failure(cause.results, cause.message) : cause;
  }
  if (changed === 0) print('The definitions are up to date.');
  if (dryRun) print('Nothing was changed.');
}

/** Options of `uninstall`. */
export interface UninstallOptions extends DefinitionsOptions {
  /** Deletes the objects of the kinds first. Otherwise definitions with objects stay. */
  readonly deleteObjects?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * Deletes the definitions. Their objects are deleted before, while the operator runs and removes its
 * finalizers.
 * @throws {Refusal} there are objects, and `deleteObjects` is not set; or they are not deleted in time
 */
export async function uninstall(
  cluster: Cluster,
  { objects, dryRun = false, deleteObjects = false, timeoutMs }: UninstallOptions,
  session: Session,
): Promise<void> {
  const found = await definedObjects(
    cluster,
    objects.map(refOf).map(({ name }) => name),
  );
  if (found.length === 0) return session.print('The definitions do not exist.');
  const custom = found.flatMap((each) => each.objects);
  if (custom.length > 0 && !deleteObjects) throw new Refusal(existingText(found));
  if (dryRun) {
    const refs = [...custom, ...found.map(({ definition }) => definition)].map(refOf);
    for (const ref of refs) session.print(`would delete ${refText(ref)}`);
    return session.print('Nothing was changed.');
  }
  await deleteAll(cluster, custom.map(refOf), { timeoutMs, hint: finalizerHint }, session);
  const left = (await definedObjects(cluster, names(found))).filter((each) => each.objects.length > 0);
  if (left.length > 0) throw new Refusal(existingText(left));
  const definitions = found.map(({ definition }) => refOf(definition));
  await deleteAll(cluster, definitions, { timeoutMs, hint: finalizerHint }, session);
}

function names(found: readonly DefinedObjects[]): readonly string[] {
  return found.map(({ definition }) => refOf(definition).name);
}

/** Advice about finalizers, which only a running operator removes. */
export const finalizerHint =
  'Only the operator removes its finalizers: start it with kgen deploy or kgen dev --cluster, and repeat the command. kgen logs and kgen doctor show why it does not.';

/** Returns the refusal to delete definitions with objects. */
export function existingText(found: readonly DefinedObjects[]): string {
  return [
    'objects of these kinds exist, and would be deleted with their definitions:',
    ...objectLines(found),
    'Delete them first, or pass --delete-objects: they are deleted while the operator removes its finalizers.',
  ].join('\n');
}
