/** Webhooks and policies of admission, with their bindings. */
import { invalidValue, notSupported, required } from '@kgen/runtime/objects';
import { array, isObject, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { all, type Check, each, first, members, present, whole } from '../support/checks.ts';
import { type Fill, fill } from '../support/fill.ts';
import type { KindRules } from '../support/rules.ts';
import { webhooks as webhookRules } from './webhooks.ts';

const rule: Fill = { set: { scope: '*' } };
const service: Fill = { in: { clientConfig: { in: { service: { set: { port: 443 } } } } } };

const matching: Fill = {
  set: { matchPolicy: 'Equivalent' },
  each: { resourceRules: rule, excludeResourceRules: rule },
  when: withSelectors,
};

/** An empty selector selects everything, and is written as such. */
function withSelectors(value: JsonObject): JsonObject {
  return {
    ...value,
    namespaceSelector: object(value, 'namespaceSelector'),
    objectSelector: object(value, 'objectSelector'),
  };
}

const policyFill: Fill = {
  in: { spec: { set: { failurePolicy: 'Fail' }, in: { matchConstraints: matching } } },
};
const bindingFill: Fill = { in: { spec: { in: { matchResources: matching } } } };

const oneRequired = 'validations or auditAnnotations must contain at least one item';

const validatingPolicies: KindRules = {
  generation: true,
  unconditionalUpdate: false,
  defaults: (value) => fill(value, policyFill),
  check: members({
    spec: whole((value, path) => {
      const isEmptyPolicy =
        array(value, 'validations').length + array(value, 'auditAnnotations').length === 0;
      return [
        ...(isObject(own(value, 'matchConstraints')) ? [] : [required(`${path}.matchConstraints`)]),
        ...(isEmptyPolicy
          ? [required(`${path}.validations`, oneRequired), required(`${path}.auditAnnotations`, oneRequired)]
          : []),
      ];
    }),
  }),
};

/** The member of each type of patch. */
const patches: Readonly<Record<string, string>> = {
  ApplyConfiguration: 'applyConfiguration',
  JSONPatch: 'jsonPatch',
};

const mutation: Check = whole((value, path) => {
  const type = text(value, 'patchType');
  if (type === '') return [required(`${path}.patchType`)];
  const member = patches[type];
  if (member === undefined) return [notSupported(`${path}.patchType`, type, Object.keys(patches))];
  const others = Object.values(patches).filter((key) => key !== member && own(value, key) !== undefined);
  return [
    ...(own(value, member) === undefined
      ? [required(`${path}.${member}`, `must be specified when patchType is ${type}`)]
      : []),
    ...others.map((key) =>
      invalidValue(`${path}.${key}`, `{${key}}`, `must not be specified when patchType is ${type}`),
    ),
  ];
});

const mutatingPolicies: KindRules = {
  generation: true,
  unconditionalUpdate: false,
  defaults: (value) => fill(value, policyFill),
  check: members({
    spec: members({
      matchConstraints: (value, path) => (isObject(value) ? [] : [required(path)]),
      mutations: first(present('mutations must contain at least one item'), each(mutation)),
      reinvocationPolicy: present(),
    }),
  }),
};

const group = 'admissionregistration.k8s.io';

/** Rules by storage key. */
export const admissionRules: Readonly<Record<string, KindRules>> = {
  [`validatingwebhookconfigurations.${group}`]: webhooks({}),
  [`mutatingwebhookconfigurations.${group}`]: webhooks({ reinvocationPolicy: 'Never' }),
  [`validatingadmissionpolicies.${group}`]: validatingPolicies,
  [`validatingadmissionpolicybindings.${group}`]: bindings(
    members({ validationActions: present('at least one validation action is required') }),
  ),
  [`mutatingadmissionpolicies.${group}`]: mutatingPolicies,
  [`mutatingadmissionpolicybindings.${group}`]: bindings(),
};

function bindings(...checks: readonly Check[]): KindRules {
  return {
    generation: true,
    unconditionalUpdate: false,
    defaults: (value) => fill(value, bindingFill),
    check: members({ spec: all(members({ policyName: present() }), ...checks) }),
  };
}

function webhooks(more: JsonObject): KindRules {
  return {
    generation: true,
    unconditionalUpdate: false,
    defaults: (value) => fill(value, webhookFill(more)),
    check: members({ webhooks: webhookRules }),
  };
}

function webhookFill(more: JsonObject): Fill {
  return {
    each: {
      webhooks: {
        set: { failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10, ...more },
        ...service,
        each: { rules: rule },
        when: withSelectors,
      },
    },
  };
}
