import { expect, test } from 'vitest';
import { fieldTable, parseTable } from './table.ts';
import { isNullIfZero, mayBeNull } from './written-nulls.ts';

test.each([
  ['a=1 $Time', true],
  ['a?=1 $Time', true],
  ['a??=1 $Time', false],
  ['a?=1 *$Time', false],
  ['a=1 *$Time', true],
  ['a?=1 $MicroTime', true],
  ['a=1 $RawExtension', true],
  ['a=1 $Duration', false],
  ['a=1 $Quantity', false],
  ['a=1 $IntOrString', false],
  ['a=1 *$Quantity', true],
  ['a=1 []string', true],
  ['a?=1 []string', false],
  ['a=1 {}string', true],
  ['a=1 *string', true],
  ['a?=1 *string', false],
  ['a=1 bytes', true],
  ['a?=1 bytes', false],
  ['a=1 string', false],
  ['a=1 B', false],
  ['a=1 *B', true],
])('the zero value of %s is null in JSON: %s', (line, want) => {
  const [field] = parseTable(`x/v1\nA ${line}`, '').messages.get('x/v1.A')?.fields ?? [];
  expect(field && isNullIfZero(field)).toBe(want);
});

test.each([
  ['core/v1.PodCondition', 'lastProbeTime', false, true],
  ['core/v1.PodCondition', 'reason', false, false],
  ['core/v1.PodCondition', 'nothing', false, false],
  ['core/v1.Nothing', 'lastProbeTime', false, false],
  ['rbac.authorization.k8s.io/v1.ClusterRole', 'rules', false, true],
  ['rbac.authorization.k8s.io/v1beta1.ClusterRole', 'rules', false, true],
  // Required by the schema: refused if it is empty.
  ['rbac.authorization.k8s.io/v1.PolicyRule', 'verbs', true, false],
  // Required, but not for events that were created in core/v1.
  ['events.k8s.io/v1.Event', 'eventTime', true, true],
  // The server sets a default.
  ['networking.k8s.io/v1.IngressClassParametersReference', 'scope', false, false],
  // Members of a message that is inlined.
  ['core/v1.CSIPersistentVolumeSource', 'driver', true, false],
  ['admissionregistration.k8s.io/v1.NamedRuleWithOperations', 'apiGroups', false, false],
])('%s.%s, required: %s, may be null: %s', (message, member, isRequired, want) => {
  expect(mayBeNull(fieldTable(), message, member, isRequired)).toBe(want);
});

test('finds members of inlined messages', () => {
  const table = parseTable('x/v1\nA =1 B\nB time?=1 $Time', '');
  expect(mayBeNull(table, 'x/v1.A', 'time', false)).toBe(true);
});
