import { array, type JsonObject, object, text } from '@kgen/schema/values/json';
import { describe, expect, it, test } from 'vitest';
import {
  planRegistration,
  type Registration,
  type RegistrationChange,
  releasePatch,
  undoRegistration,
} from './registration.ts';

const endpoint = { address: 'h:1', caBundle: 'Y2E=' };
const registeredAt = (path: string) => ({ url: `https://h:1${path}`, caBundle: 'Y2E=' });
const service = (path: string) => ({ service: { namespace: 'ns', name: 'op-webhook', path, port: 443 } });
const rules = [{ apiGroups: ['a'], apiVersions: ['v1'], resources: ['b'], operations: ['CREATE'] }];
const webhook = (name: string, more: object = {}): JsonObject => ({
  ...{ name, rules, sideEffects: 'None', admissionReviewVersions: ['v1'] },
  clientConfig: service(`/${name}`),
  ...more,
});
const managed = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  timeoutSeconds: 10,
  namespaceSelector: {},
  objectSelector: {},
};
const stored = (name: string, more: object = {}) => ({
  ...webhook(name, { ...managed, rules: rules.map((rule) => ({ ...rule, scope: '*' })) }),
  ...more,
});
const configuration = (webhooks: readonly JsonObject[], metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'op', resourceVersion: '1', ...metadata },
  webhooks,
});
const definition = (conversion: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'bs.a', resourceVersion: '1', ...metadata },
  spec: { conversion },
});
const converted = (clientConfig: JsonObject): JsonObject => ({
  strategy: 'Webhook',
  webhook: { clientConfig, conversionReviewVersions: ['v1'] },
});
/** Metadata of an object whose fields a process on this machine owns. */
const ownedBy = (manager: string, fields: JsonObject): JsonObject => ({
  managedFields: [{ manager, operation: 'Update', fieldsV1: fields }],
});
const urlOf = (name: string, more: JsonObject = {}): JsonObject => ({
  'f:webhooks': { [`k:{"name":"${name}"}`]: { 'f:clientConfig': { 'f:url': {} }, ...more } },
});

/** Applies a change as a server does. */
function changed(
  present: JsonObject | undefined,
  change: RegistrationChange,
  created: JsonObject,
): JsonObject | undefined {
  if (change === undefined || present === undefined) return change === 'create' ? created : present;
  if (change === 'delete') return undefined;
  if (change === 'create') throw new Error('the object exists');
  const [precondition, ...operations] = change;
  expect(precondition).toMatchObject({ op: 'test', path: '/metadata/resourceVersion', value: '1' });
  let webhooks = [...array(present, 'webhooks')];
  let spec = object(present, 'spec');
  for (const { op, path, ...more } of operations) {
    const value = Reflect.get(more, 'value');
    if (path === '/spec/conversion') {
      spec = { ...spec, conversion: value };
      continue;
    }
    const index = path.endsWith('-') ? webhooks.length : Number(path.split('/')[2]);
    webhooks = webhooks.toSpliced(index, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]));
  }
  return 'webhooks' in present ? { ...present, webhooks } : { ...present, spec };
}

/** Registers, lets others change the object, and returns it at the beginning, meanwhile and at the end. */
function registered(
  local: JsonObject,
  before: JsonObject | undefined,
  others: (present: JsonObject | undefined) => JsonObject | undefined = (present) => present,
) {
  const plan = planRegistration(local, before, endpoint, { namespace: 'ns' });
  const during = changed(before, plan.change, plan.created);
  const meanwhile = others(during);
  return { plan, during, after: changed(meanwhile, undoRegistration(plan, meanwhile), {}) };
}

describe('a registration', () => {
  it.each([
    { of: 'no configuration', before: undefined, local: [webhook('x')], during: ['x /x'] },
    { of: 'an equal one', before: [stored('x')], local: [webhook('x')], during: ['x /x'] },
    {
      of: 'one with fewer webhooks',
      before: [stored('x')],
      local: [webhook('x'), webhook('y')],
      during: ['x /x', 'y /y'],
    },
    {
      of: 'one with more webhooks',
      before: [stored('x'), stored('y')],
      local: [webhook('y')],
      during: ['y /y'],
    },
    { of: 'one for a program without webhooks', before: [stored('x'), stored('y')], local: [], during: [] },
    {
      of: 'one with a webhook of others',
      before: [stored('z', { clientConfig: { url: 'https://z/' } }), stored('y')],
      local: [webhook('x')],
      during: ['z https://z/', 'x /x'],
    },
    {
      of: 'one with other fields and a bundle',
      before: [stored('x', { timeoutSeconds: 3, clientConfig: { ...service('/old'), caBundle: 'b2xk' } })],
      local: [webhook('x', { failurePolicy: 'Ignore' })],
      during: ['x /x'],
    },
    { of: 'none for a program without webhooks', before: undefined, local: [], during: undefined },
  ])('of $of is undone', ({ before, local, during: expected }) => {
    const present = before && configuration(before);
    const { during, after } = registered(configuration(local), present);
    const called =
      during &&
      array(during, 'webhooks').map((each) => {
        const url = text(each, 'clientConfig', 'url');
        return `${text(each, 'name')} ${url.replace('https://h:1', '')}`;
      });
    expect(called).toEqual(expected);
    const sorted = (value: JsonObject | undefined) =>
      value && array(value, 'webhooks').toSorted((a, b) => text(a, 'name').localeCompare(text(b, 'name')));
    expect(sorted(after)).toEqual(sorted(present));
  });

  it.each([
    { strategy: 'None' },
    converted(service('/old')),
    converted({ ...service('/c'), caBundle: 'b2xk' }),
  ])('of a conversion is undone: %j', (before) => {
    const { during, after } = registered(definition(converted(service('/c'))), definition(before));
    expect(object(during, 'spec', 'conversion', 'webhook', 'clientConfig')).toEqual(registeredAt('/c'));
    expect(after).toEqual(definition(before));
  });

  it('has the fields of the manifests meanwhile', () => {
    const local = configuration([webhook('x', { failurePolicy: 'Ignore' })]);
    const { during } = registered(local, configuration([stored('x', { timeoutSeconds: 3 })]));
    expect(array(during, 'webhooks')).toEqual([
      stored('x', { failurePolicy: 'Ignore', clientConfig: registeredAt('/x') }),
    ]);
  });

  it('does not create a definition', () => {
    const { plan } = registered(definition(converted(service('/c'))), undefined);
    expect(plan.change).toBe(undefined);
  });
});

describe('changes of others remain', () => {
  const x = configuration([webhook('x')]);
  const others = stored('x', { clientConfig: service('/others') });

  it.each([
    {
      of: 'the address',
      before: configuration([stored('x')]),
      change: () => configuration([others]),
      after: configuration([others]),
    },
    {
      of: 'the address of a new one',
      before: undefined,
      change: () => configuration([others]),
      after: configuration([others]),
    },
    {
      of: 'another field',
      before: configuration([stored('x')]),
      change: () => configuration([stored('x', { timeoutSeconds: 7, clientConfig: registeredAt('/x') })]),
      after: configuration([stored('x', { timeoutSeconds: 7 })]),
    },
    { of: 'the deletion', before: configuration([stored('x')]), change: () => undefined, after: undefined },
    {
      of: 'another webhook',
      before: undefined,
      change: () => configuration([stored('x', { clientConfig: registeredAt('/x') }), stored('y')]),
      after: configuration([stored('y')]),
    },
  ])('$of', ({ before, change, after }) => {
    expect(registered(x, before, change).after).toEqual(after);
  });

  it('the conversion', () => {
    const changed = definition(converted(service('/others')));
    const { after } = registered(
      definition(converted(service('/c'))),
      definition({ strategy: 'None' }),
      () => changed,
    );
    expect(after).toEqual(changed);
  });
});

test('a second registration keeps the state before the first one', () => {
  const before = configuration([stored('x', { clientConfig: { ...service('/x'), caBundle: 'b2xk' } })]);
  const { plan, during = {} } = registered(configuration([webhook('x')]), before);
  const owned = {
    ...during,
    metadata: { ...object(during, 'metadata'), ...ownedBy('kgen-dev', urlOf('x')) },
  };
  const options = { namespace: 'ns', earlier: plan as Registration };
  const again = planRegistration(configuration([webhook('y')]), owned, endpoint, options);
  const second = changed(owned, again.change, {});
  expect(array(second, 'webhooks').map((each) => text(each, 'name'))).toEqual(['y']);
  const end = changed(second, undoRegistration(again, second), {});
  expect(array(end, 'webhooks')).toEqual(array(before, 'webhooks'));
});

describe('addresses that a killed process has left', () => {
  const local = configuration([webhook('x')]);
  const left = (manager: string, more: JsonObject = {}) =>
    configuration([stored('x', { clientConfig: registeredAt('/x') })], ownedBy(manager, urlOf('x', more)));

  it('are replaced by those of the manifests', () => {
    const released = changed(left('kgen-dev'), releasePatch(local, left('kgen-dev')), {});
    expect(array(released, 'webhooks')).toEqual([stored('x')]);
  });

  it('are removed with webhooks that the manifests do not have', () => {
    const none = configuration([]);
    expect(array(changed(left('kgen-dev'), releasePatch(none, left('kgen-dev')), {}), 'webhooks')).toEqual(
      [],
    );
  });

  it('are replaced in conversions', () => {
    const fields = { 'f:spec': { 'f:conversion': { 'f:webhook': { 'f:clientConfig': { 'f:url': {} } } } } };
    const present = definition(converted(registeredAt('/c')), ownedBy('kgen-dev', fields));
    const released = changed(present, releasePatch(definition(converted(service('/c'))), present), {});
    expect(object(released, 'spec', 'conversion')).toEqual(converted(service('/c')));
  });

  it('are not the state before the next registration', () => {
    expect(registered(local, left('kgen-dev')).after?.['webhooks']).toEqual([stored('x')]);
    const created = left('kgen-dev', { 'f:name': {} });
    expect(registered(local, created).after).toBe(undefined);
  });

  it('are kept if others have written them', () => {
    expect(releasePatch(local, left('helm'))).toBe(undefined);
    expect(releasePatch(local, undefined)).toBe(undefined);
  });
});
