/** Reports about keys that keep writing. */

import type { ObjectName } from '../runs/key.ts';
import { printObject } from './changes.ts';

/** A field that changes again and again. */
export interface LoopingField {
  /** Path of the field: `.spec.replicas`. Empty if the object is created or deleted. */
  readonly path: string;
  /** Last two values as JSON, at most 100 characters each: by the controller and by the other writer. */
  readonly values: readonly [string, string];
}

/** Report about a key that keeps writing without a reason outside of the controller. */
export interface LoopReport {
  /** `self`: only the controller changes the object. `two writers`: another writer reverts each change. */
  readonly kind: 'self' | 'two writers';
  readonly key: string;
  readonly object: ObjectName;
  /** Field managers: the controller's own, and for two writers the other one. */
  readonly writers: readonly string[];
  /** Fields that change, at most 20. */
  readonly fields: readonly LoopingField[];
  /** Number of reconciles with these writes. */
  readonly reconciles: number;
  /** Message with the cause and the possible fixes. */
  readonly message: string;
}

/** Name of a field manager that is not recorded, because informers remove `managedFields`. */
export const unknownWriter = '(unknown field manager)';

/** Creates a report with its message. */
export function loopReport(report: Omit<LoopReport, 'message'>): LoopReport {
  const { key, object, reconciles, fields, writers } = report;
  const values = fields.map(({ path, values: [own, other] }) => `${path || 'object'}: ${own} <- ${other}`);
  const what = `${key} wrote ${printObject(object)} in ${reconciles} consecutive reconciles`;
  const why =
    report.kind === 'self'
      ? `by ${writers[0]}, without a change by another writer`
      : `and each time ${writers[1]} reverted the change of ${writers[0]}`;
  return { ...report, message: `${what}, ${why}: ${values.join('; ')}. ${fixes[report.kind]}` };
}

const fixes = {
  self:
    'Write only if the desired value differs: avoid times, random values and counters, and order lists. ' +
    'Do not reconcile on changes of fields that the reconcile itself writes (predicates).',
  'two writers':
    'Let one writer own each field: remove it from the intent of one of them, or stop the other one. ' +
    '`kubectl get --show-managed-fields -o yaml` lists the owners.',
};
