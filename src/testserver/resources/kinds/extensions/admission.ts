/** Webhooks and policies of admission, with their bindings. */
import { type JsonObject, object } from '@kgen/schema/values/json';
import { type Check, members } from '../support/checks.ts';
import { type Fill, fill } from '../support/fill.ts';
import { type KindRules, restoredMetadata } from '../support/rules.ts';
import { mutatingBinding, mutatingPolicy, validatingBinding, validatingPolicy } from './policies.ts';
import { webhooks as webhookRules } from './webhooks.ts';

/** These members are pointers: an empty string is a value. */
const rule: Fill = { when: (value) => ({ scope: '*', ...value }) };
const service: Fill = { in: { clientConfig: { in: { service: { set: { port: 443 } } } } } };

const matching: Fill = {
  each: { resourceRules: rule, excludeResourceRules: rule },
  when: (value) => ({ matchPolicy: 'Equivalent', ...withSelectors(value) }),
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
  in: { spec: { when: (spec) => ({ failurePolicy: 'Fail', ...spec }), in: { matchConstraints: matching } } },
};
const bindingFill: Fill = { in: { spec: { in: { matchResources: matching } } } };

const group = 'admissionregistration.k8s.io';

/** Rules by storage key. */
export const admissionRules: Readonly<Record<string, KindRules>> = {
  [`validatingwebhookconfigurations.${group}`]: webhooks({}),
  [`mutatingwebhookconfigurations.${group}`]: webhooks({ reinvocationPolicy: 'Never' }),
  [`validatingadmissionpolicies.${group}`]: policies(policyFill, validatingPolicy),
  [`validatingadmissionpolicybindings.${group}`]: policies(bindingFill, validatingBinding),
  [`mutatingadmissionpolicies.${group}`]: policies(policyFill, mutatingPolicy),
  [`mutatingadmissionpolicybindings.${group}`]: policies(bindingFill, mutatingBinding),
};

function policies(filled: Fill, check: Check): KindRules {
  return {
    generation: true,
    unconditionalUpdate: false,
    statusKeeps: restoredMetadata,
    defaults: (value) => fill(value, filled),
    check,
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
        ...service,
        each: { rules: rule },
        when: (webhook) => ({
          ...{ failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10 },
          ...more,
          ...withSelectors(webhook),
        }),
      },
    },
  };
}
