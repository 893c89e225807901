import { describe, expect, test } from 'vitest';
import { camel, isReservedMember, isReservedWord, piecesOf } from './names/casing.ts';
import { runtimeTypeOf } from './names/full-names.ts';
import { builtInSelectableFields } from './resources/selectable-fields.ts';

describe('fields of built-in kinds that selectors accept', () => {
  test.each<[group: string, plural: string, fields: string]>([
    [
      '',
      'events',
      'involvedObject.apiVersion involvedObject.fieldPath involvedObject.kind involvedObject.name involvedObject.namespace involvedObject.resourceVersion involvedObject.uid reason reportingComponent source type',
    ],
    ['', 'namespaces', 'status.phase'],
    ['', 'nodes', 'spec.unschedulable'],
    [
      '',
      'pods',
      'spec.hostNetwork spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName status.nominatedNodeName status.phase status.podIP',
    ],
    ['', 'replicationcontrollers', 'status.replicas'],
    ['', 'secrets', 'type'],
    ['', 'services', 'spec.clusterIP spec.type'],
    ['batch', 'jobs', 'status.successful'],
    ['certificates.k8s.io', 'certificatesigningrequests', 'spec.signerName'],
    [
      'events.k8s.io',
      'events',
      'reason regarding.apiVersion regarding.fieldPath regarding.kind regarding.name regarding.namespace regarding.resourceVersion regarding.uid reportingController type',
    ],
    ['resource.k8s.io', 'resourceslices', 'spec.driver spec.nodeName'],
  ])('of %s/%s', (group, plural, fields) => {
    expect(builtInSelectableFields(group, plural)).toEqual(fields.split(' '));
  });

  test('of other kinds are none', () => {
    expect(builtInSelectableFields('apps', 'deployments')).toEqual([]);
    expect(builtInSelectableFields('', '')).toEqual([]);
  });
});

describe('types of the runtime that stand for definitions', () => {
  const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
  const types =
    'Condition LabelSelector LabelSelectorRequirement ListMeta ManagedFieldsEntry MicroTime ObjectMeta OwnerReference Status StatusCause StatusDetails Time';

  test.each([
    ...types.split(' ').map((type) => [`${meta}.${type}`, type]),
    ...['Scale', 'ScaleSpec', 'ScaleStatus'].map((type) => [`io.k8s.api.autoscaling.v1.${type}`, type]),
    ['io.k8s.apimachinery.pkg.api.resource.Quantity', 'Quantity'],
  ])('%s', (name, type) => {
    expect(runtimeTypeOf(name ?? '')).toBe(type);
  });

  test.each([`${meta}.`, `${meta}.Patch`, 'io.k8s.api.apps.v1.Scale'])('%s has none', (name) => {
    expect(runtimeTypeOf(name)).toBeUndefined();
  });
});

describe('words', () => {
  test.each(['arguments', 'extends', 'private', 'yield'])('%s cannot name a constant', (word) => {
    expect(isReservedWord(word)).toBe(true);
  });

  test.each(['__proto__', 'toString', 'then', 'close', 'waitForSync'])('%s cannot name a member', (word) => {
    expect(isReservedMember(word)).toBe(true);
  });

  test('are split at what identifiers cannot hold, without empty pieces', () => {
    expect(piecesOf('--a..b--')).toEqual(['a', 'b']);
    expect(camel('-My-team')).toBe('myTeam');
    expect(camel('--')).toBe('');
  });
});
