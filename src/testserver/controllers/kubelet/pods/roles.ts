/** Roles of containers in their pod. */

import { array, type Json, type JsonObject, text } from '@kgen/schema/values/json';

/** Role of a container in its pod. */
export type ContainerRole = 'init' | 'sidecar' | 'main' | 'ephemeral';

/** Returns the containers of a pod with their roles, in the order of their starts. */
export function rolesOf(pod: JsonObject): readonly (readonly [ContainerRole, Json])[] {
  const init = array(pod, 'spec', 'initContainers').map(
    (item) => [text(item, 'restartPolicy') === 'Always' ? 'sidecar' : 'init', item] as const,
  );
  const main = array(pod, 'spec', 'containers').map((item) => ['main', item] as const);
  const ephemeral = array(pod, 'spec', 'ephemeralContainers').map((item) => ['ephemeral', item] as const);
  return [...init, ...main, ...ephemeral];
}
