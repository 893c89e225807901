/** Selection of nodes by their names, labels and taints. */

import { array, type Json, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';
import { nameOf } from '../../../store/object-facts.ts';
import { isSelectedBy, number } from '../../workloads/values.ts';

/** Returns whether a pod may run on a node: by its selector, its affinity and the taints of the node. */
export function fits(pod: JsonObject, node: JsonObject): boolean {
  return isOpen(pod, node) && isNamed(pod, node) && hasAffinity(pod, node);
}

/** Returns whether a node accepts new pods, and a pod tolerates its taints. */
function isOpen(pod: JsonObject, node: JsonObject): boolean {
  return isSchedulable(pod, node) && untolerated(pod, node, ['NoSchedule', 'NoExecute']).length === 0;
}

/** Returns whether a node is not cordoned, or a pod tolerates that. */
export function isSchedulable(pod: JsonObject, node: JsonObject): boolean {
  return own(object(node, 'spec'), 'unschedulable') !== true || tolerates(pod, cordon);
}

const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Returns the taints with some effects that a pod does not tolerate. */
export function untolerated(pod: JsonObject, node: JsonObject, effects: readonly string[]): readonly Json[] {
  const taints = array(node, 'spec', 'taints').filter((taint) => effects.includes(text(taint, 'effect')));
  return taints.filter((taint) => !tolerates(pod, taint));
}

function tolerates(pod: JsonObject, taint: Json): boolean {
  return tolerationsOf(pod, taint).length > 0;
}

/** Returns the tolerations of a pod for a taint. */
export function tolerationsOf(pod: JsonObject, taint: Json): readonly Json[] {
  return array(pod, 'spec', 'tolerations').filter((toleration) => {
    const [effect, key] = [text(toleration, 'effect'), text(toleration, 'key')];
    if (effect !== '' && effect !== text(taint, 'effect')) return false;
    const isAny = (text(toleration, 'operator') || 'Equal') === 'Exists';
    if (key === '') return isAny;
    return key === text(taint, 'key') && (isAny || text(toleration, 'value') === text(taint, 'value'));
  });
}

/** Returns whether a pod may run on a node with this name. */
export function isNamed(pod: JsonObject, node: JsonObject): boolean {
  const name = text(pod, 'spec', 'nodeName');
  return name === '' || name === nameOf(node);
}

/** Reason of a node that a pod does not select. */
export const affinityReason = "node(s) didn't match Pod's node affinity/selector";

/** Returns whether the selector and the required affinity of a pod select a node. */
export function hasAffinity(pod: JsonObject, node: JsonObject): boolean {
  const spec = object(pod, 'spec');
  if (!isSelectedBy({ matchLabels: object(spec, 'nodeSelector') }, node)) return false;
  const required = own(object(spec, 'affinity', 'nodeAffinity'), requiredTerms);
  return isSelectedNode(required, node);
}

/** Returns whether a node selector, such as that of a volume, selects a node. A missing one selects all. */
export function isSelectedNode(selector: Json | undefined, node: JsonObject): boolean {
  return selector === undefined || array(selector, 'nodeSelectorTerms').some((term) => matches(term, node));
}

export const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
export const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Returns the weights of the preferences of a pod that a node matches. */
export function preferenceOf(pod: JsonObject, node: JsonObject): number {
  return array(pod, 'spec', 'affinity', 'nodeAffinity', preferredTerms)
    .filter((each) => matches(object(each, 'preference'), node))
    .reduce<number>((sum, each) => sum + number(each, 0, 'weight'), 0);
}

function matches(term: Json, node: JsonObject): boolean {
  const fields = array(term, 'matchFields');
  const expressions = array(term, 'matchExpressions');
  if (fields.length === 0 && expressions.length === 0) return false;
  return (
    fields.every((field) => {
      const isListed = strings(field, 'values').includes(nameOf(node));
      return text(field, 'operator') === 'NotIn' ? !isListed : isListed;
    }) && expressions.every((each) => matchesExpression(each, node))
  );
}

function matchesExpression(expression: Json, node: JsonObject): boolean {
  const operator = text(expression, 'operator');
  if (operator !== 'Gt' && operator !== 'Lt') return isSelectedBy({ matchExpressions: [expression] }, node);
  const found = text(node, 'metadata', 'labels', text(expression, 'key'));
  const [limit = ''] = strings(expression, 'values');
  if (!/^-?\d+$/.test(found) || !/^-?\d+$/.test(limit)) return false;
  return operator === 'Gt' ? BigInt(found) > BigInt(limit) : BigInt(found) < BigInt(limit);
}
