/** Restart policies of containers. */

import { array, isArray, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { ContainerProcess } from './container-process.ts';

/** Returns whether an ended container is started again, by its rules, its policy, or that of the pod. */
export function isRestarted(pod: JsonObject, container: ContainerProcess): boolean {
  if (container.role === 'ephemeral') return false;
  if (container.isReplaced || container.role === 'sidecar') return true;
  const code = container.end?.code ?? 0;
  const { spec } = container;
  const rule = array(spec, 'restartPolicyRules').find((each) =>
    matches(own(object(each), 'exitCodes'), code),
  );
  if (rule !== undefined) return text(rule, 'action') === 'Restart';
  const policy = text(spec, 'restartPolicy') || text(pod, 'spec', 'restartPolicy') || 'Always';
  if (container.role === 'init') return code !== 0 && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && code !== 0);
}

function matches(codes: Json | undefined, code: number): boolean {
  const values = own(object(codes), 'values');
  const isListed = isArray(values) && values.includes(code);
  return text(codes, 'operator') === 'NotIn' ? !isListed : isListed;
}
