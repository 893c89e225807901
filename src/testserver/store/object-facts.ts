/** Values that objects of several kinds have: names, conditions, controllers, deletion. */
import { array, type Json, own, text } from '@kgen/schema/values/json';

/** Returns the name of an object. */
export function nameOf(value: Json | undefined): string {
  return text(value, 'metadata', 'name');
}

/** Returns the namespace of an object; empty in a cluster scope. */
export function namespaceOf(value: Json | undefined): string {
  return text(value, 'metadata', 'namespace');
}

/** Returns the condition of a type, or `undefined`. */
export function conditionOf(value: Json | undefined, type: string): Json | undefined {
  return array(value, 'status', 'conditions').find((condition) => text(condition, 'type') === type);
}

/** Returns whether the condition of a type has the status `True`. */
export function isConditionTrue(value: Json | undefined, type: string): boolean {
  return text(conditionOf(value, type), 'status') === 'True';
}

/** Returns whether a pod is ready. */
export function isReady(pod: Json | undefined): boolean {
  return isConditionTrue(pod, 'Ready');
}

/** Returns the reference to the controller of an object, or `undefined`. */
export function controllerOf(value: Json | undefined): Json | undefined {
  return array(value, 'metadata', 'ownerReferences').find((owner) => own(owner, 'controller') === true);
}

/** Returns whether an object is being deleted. */
export function isDeleting(value: Json | undefined): boolean {
  return text(value, 'metadata', 'deletionTimestamp') !== '';
}
