/** Selection of nodes for pods. */

import { array, type Json, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';
import { nameOf } from '../../store/object-facts.ts';
import { isSelectedBy } from '../workloads/values.ts';

/** Returns whether a pod may run on a node: by its selector, its affinity and the taints of the node. */
export function fits(pod: JsonObject, node: JsonObject): boolean {
  const spec = object(pod, 'spec');
  if (own(object(node, 'spec'), 'unschedulable') === true && !tolerates(spec, unschedulable)) return false;
  return (
    isSelectedBy({ matchLabels: object(spec, 'nodeSelector') }, node) &&
    hasAffinity(spec, node) &&
    array(node, 'spec', 'taints').every((taint) => isHarmless(taint) || tolerates(spec, taint))
  );
}

const unschedulable = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

function isHarmless(taint: Json): boolean {
  return text(taint, 'effect') === 'PreferNoSchedule';
}

function tolerates(spec: JsonObject, taint: Json): boolean {
  return array(spec, 'tolerations').some((toleration) => {
    const [effect, key] = [text(toleration, 'effect'), text(toleration, 'key')];
    if (effect !== '' && effect !== text(taint, 'effect')) return false;
    const isAny = (text(toleration, 'operator') || 'Equal') === 'Exists';
    if (key === '') return isAny;
    return key === text(taint, 'key') && (isAny || text(toleration, 'value') === text(taint, 'value'));
  });
}

function hasAffinity(spec: JsonObject, node: JsonObject): boolean {
  const required = object(spec, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  const terms = array(required, 'nodeSelectorTerms');
  return terms.length === 0 || terms.some((term) => matchesTerm(term, node));
}

function matchesTerm(term: Json, node: JsonObject): boolean {
  const fields = array(term, 'matchFields').every((field) => {
    const isListed = strings(field, 'values').includes(nameOf(node));
    return text(field, 'operator') === 'NotIn' ? !isListed : isListed;
  });
  const expressions = array(term, 'matchExpressions');
  return fields && (expressions.length === 0 || isSelectedBy({ matchExpressions: expressions }, node));
}
