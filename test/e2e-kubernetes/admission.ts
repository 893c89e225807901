import type { admissionregistrationV1 } from '@kgen/kubernetes';
import { isInvalid } from '@kgen/runtime';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { deadline, unique } from '../support/cluster-tests.ts';
import { apiErrorOf, causesOf } from '../support/errors.ts';
import type { Env } from './env.ts';

/**
 * Returns a policy that rejects ConfigMaps without a value of `owner`, in namespaces with a certain label.
 */
function policySpec(message: string): admissionregistrationV1.ValidatingAdmissionPolicySpec {
  const rule = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CREATE', 'UPDATE'],
    resources: ['configmaps'],
  };
  return {
    failurePolicy: 'Fail',
    matchConstraints: { resourceRules: [rule] },
    variables: [{ name: 'data', expression: 'has(object.data) ? object.data : {}' }],
    validations: [{ expression: "'owner' in variables.data", message, reason: 'Invalid' }],
  };
}

/** Registers tests of admission policies and webhooks. */
export function admissionTests(env: Env): void {
  describe('a validating admission policy', () => {
    it('rejects objects that match its binding', async () => {
      const { admissionregistrationV1, coreV1 } = env.clientset;
      const namespace = await env.namespace();
      const name = unique('policy');
      const message = `${name} requires an owner`;
      const policies = admissionregistrationV1.validatingAdmissionPolicies();
      await policies.create({ metadata: { name }, spec: policySpec(message) });
      onTestFinished(() => policies.deleteAndWait(name));
      const bindings = admissionregistrationV1.validatingAdmissionPolicyBindings();
      const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
      await bindings.create({
        metadata: { name },
        spec: { policyName: name, validationActions: ['Deny'], matchResources: { namespaceSelector } },
      });
      onTestFinished(() => bindings.deleteAndWait(name));
      const maps = coreV1.configMaps(namespace);
      const metadata = { name: 'free' };
      const error = await vi.waitFor(
        () => apiErrorOf(isInvalid, maps.create({ metadata }, { dryRun: 'All' })),
        deadline,
      );
      expect(error.message).toContain(message);
      const created = await maps.create({ metadata, data: { owner: 'me' } });
      expect(created.data).toEqual({ owner: 'me' });
    });

    it('is rejected with an invalid expression', async () => {
      const policies = env.clientset.admissionregistrationV1.validatingAdmissionPolicies();
      const spec = { ...policySpec('no'), validations: [{ expression: 'object.(' }] };
      const error = await apiErrorOf(
        isInvalid,
        policies.create({ metadata: { name: unique('policy') }, spec }),
      );
      expect(causesOf(error)).toEqual(['spec.validations[0].expression: FieldValueInvalid']);
    });
  });

  webhookTests(env);
}

function webhookTests(env: Env): void {
  it('merges webhooks of a configuration by name in a patch', async () => {
    const webhooks = env.clientset.admissionregistrationV1.validatingWebhookConfigurations();
    const name = unique('webhooks');
    const webhook = (label: string): admissionregistrationV1.ValidatingWebhook => ({
      name: `${label}.example.com`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { service: { namespace: 'default', name: 'hooks' } },
    });
    const created = await webhooks.create({ metadata: { name }, webhooks: [webhook('one'), webhook('two')] });
    onTestFinished(() => webhooks.deleteAndWait(name));
    expect(created.webhooks?.map(({ clientConfig }) => clientConfig.service?.port)).toEqual([443, 443]);
    const patched = await webhooks.patch(name, {
      webhooks: [
        { name: 'one.example.com', failurePolicy: 'Ignore' },
        { name: 'two.example.com', $patch: 'delete' },
      ],
    });
    expect(patched.webhooks).toEqual([
      expect.objectContaining({ name: 'one.example.com', failurePolicy: 'Ignore' }),
    ]);
    const mutating = env.clientset.admissionregistrationV1.mutatingWebhookConfigurations();
    await mutating.create({
      metadata: { name },
      webhooks: [{ ...webhook('one'), reinvocationPolicy: 'IfNeeded' }],
    });
    onTestFinished(() => mutating.deleteAndWait(name));
    expect((await mutating.get(name)).webhooks?.[0]?.reinvocationPolicy).toBe('IfNeeded');
  });
}
