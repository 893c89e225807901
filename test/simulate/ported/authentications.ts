/** The status of TriggerAuthentications, which lists the ScaledObjects that refer to them. */
import { resource, type Stored } from '@kgen/runtime';
import type { ScaledObject, TriggerAuthentication } from './kinds.ts';
import { triggerAuthentications } from './kinds.ts';
import type { Parts } from './parts.ts';

/** Adds an object to the authentications to which it refers, or removes it. */
export async function reportReferences(
  parts: Parts,
  object: Stored<ScaledObject>,
  isDeleted: boolean,
): Promise<void> {
  const { namespace, name } = object.metadata;
  const referred = new Set(object.spec.triggers.flatMap(({ authenticationRef: ref }) => ref?.name ?? []));
  if (parts.keeps.has('keeps names in authentications')) {
    // The original logs errors.
    for (const each of referred) await setReference(parts, namespace, each, name, !isDeleted).catch(() => {});
    return;
  }
  for (const { metadata } of parts.authentications.lister.list({ namespace }))
    await setReference(parts, namespace, metadata.name, name, !isDeleted && referred.has(metadata.name));
}

async function setReference(
  parts: Parts,
  namespace: string,
  authentication: string,
  name: string,
  isReferring: boolean,
): Promise<void> {
  const found = parts.authentications.lister.get(namespace, authentication);
  if (found === undefined) return;
  const others = namesIn(found).filter((each) => each !== name);
  const isOriginal = parts.keeps.has('keeps names in authentications');
  const names = isReferring ? [...others, name] : others;
  const isKnown = namesIn(found).includes(name);
  if (isKnown === isReferring) return;
  const { resourceVersion } = found.metadata;
  await resource(parts.rest, triggerAuthentications)
    .in(namespace)
    .patchStatus(authentication, {
      ...(!isOriginal && { metadata: { resourceVersion } }),
      status: { scaledobjects: (isOriginal ? names : names.sort()).join() },
    });
}

function namesIn({ status }: Stored<TriggerAuthentication>): readonly string[] {
  return (status?.scaledobjects ?? '').split(',').filter((each) => each !== '');
}
