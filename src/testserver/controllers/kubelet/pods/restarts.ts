/** Restart policies of containers. */

import { array, isArray, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { ContainerProcess } from './container-process.ts';

/** Returns whether an ended container is started again, by its rules, its policy, or that of the pod. */
export function isRestarted(pod: JsonObject, container: ContainerProcess): boolean {
  if (container.role === 'ephemeral') return false;
  if (container.isReplaced || container.role === 'sidecar') return true;
  const code = container.end?.code ?? 0;
  const { spec } = container;
  const action = actionOf(container);
  if (action !== undefined) return action === 'Restart' || action === restartAll;
  const policy = text(spec, 'restartPolicy') || text(pod, 'spec', 'restartPolicy') || 'Always';
  if (container.role === 'init') return code !== 0 && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && code !== 0);
}

const restartAll = 'RestartAllContainers';

/** Returns whether the end of a container restarts all containers of its pod. */
export function restartsAll(container: ContainerProcess): boolean {
  return container.phase === 'ended' && actionOf(container) === restartAll;
}

/** Returns whether a container of a pod may restart all of them. */
export function mayRestartAll({ containers }: { readonly containers: readonly ContainerProcess[] }): boolean {
  return containers.some(({ spec }) =>
    array(spec, 'restartPolicyRules').some((rule) => text(rule, 'action') === restartAll),
  );
}

/** Returns the action of the rule for the exit code of a container, if one matches. */
function actionOf({ spec, end }: ContainerProcess): string | undefined {
  const rule = array(spec, 'restartPolicyRules').find((each) =>
    matches(own(object(each), 'exitCodes'), end?.code ?? 0),
  );
  return rule === undefined ? undefined : text(rule, 'action');
}

function matches(codes: Json | undefined, code: number): boolean {
  const values = own(object(codes), 'values');
  const isListed = isArray(values) && values.includes(code);
  return text(codes, 'operator') === 'NotIn' ? !isListed : isListed;
}
