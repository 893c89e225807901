/** Claims of targets and of autoscalers: of several ScaledObjects with an equal one, the oldest has it. */
import type { Stored } from '@kgen/runtime';
import { desiredName } from './autoscaler.ts';
import type { ScaledObject } from './kinds.ts';
import type { Parts } from './parts.ts';
import { resourceOf } from './target.ts';

/** Returns the object itself, or the oldest one with which it shares the target or the autoscaler. */
export async function winnerOf(parts: Parts, object: Stored<ScaledObject>): Promise<Stored<ScaledObject>> {
  const { namespace, uid } = object.metadata;
  const { group, resource } = await resourceOf(parts, object.spec.scaleTargetRef);
  const [winner = object] = (
    await Promise.all(
      parts.objects.lister.list({ namespace }).map(async (each) => {
        if (each.metadata.uid === uid) return [object];
        if (desiredName(each) === desiredName(object)) return [each];
        if (each.spec.scaleTargetRef.name !== object.spec.scaleTargetRef.name) return [];
        const other = await resourceOf(parts, each.spec.scaleTargetRef).catch(() => undefined);
        return other?.group === group && other.resource === resource ? [each] : [];
      }),
    )
  )
    .flat()
    .sort(byAge);
  return winner;
}

function byAge(a: Stored<ScaledObject>, b: Stored<ScaledObject>): number {
  const [one, other] = [a.metadata, b.metadata];
  return one.creationTimestamp === other.creationTimestamp
    ? one.name.localeCompare(other.name)
    : one.creationTimestamp.localeCompare(other.creationTimestamp);
}
