/** Configurations of webhooks, written to servers and removed from them. */

import { rootCertificates } from 'node:tls';
import {
  admissionPolicy,
  defaults,
  policyObjects,
  type RegisterOptions,
  registerWebhooks,
  unregisterWebhooks,
  validates,
} from '@kgen/controller/webhooks';
import { pods, services } from '@kgen/kubernetes/core/v1';
import { isApiError, RESTClient } from '@kgen/runtime';
import { DynamicClient, dynamicResource, nestedField } from '@kgen/runtime/dynamic';
import { createManifests } from '@kgen/runtime/manifests';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invalidWebhooks } from './invalid-webhooks.ts';

const isAvailable = controlPlaneAvailability().available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const group = 'registration.example.com';
const things = dynamicResource({
  group,
  version: 'v1',
  kind: 'Thing',
  resource: 'things',
  scope: 'Namespaced',
});
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${group}` },
  spec: {
    group,
    names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' },
    scope: 'Namespaced',
    versions: ['v1', 'v1alpha1'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
        },
      },
    })),
  },
};
const handle = () => undefined;
const conversion = {
  type: 'converts',
  resource: { group, version: 'v1', kind: 'Thing', plural: 'things', scope: 'Namespaced' },
  options: { versions: { v1alpha1: {} } },
} as const;
const all = [
  defaults(things, {
    reinvocationPolicy: 'IfNeeded',
    sideEffects: 'NoneOnDryRun',
    timeoutSeconds: 30,
    handle,
  }),
  validates(things, {
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    matchConditions: Array.from({ length: 64 }, (_, index) => ({ name: `c${index}`, expression: 'true' })),
    objectSelector: { matchLabels: { a: 'b' } },
    matchPolicy: 'Exact',
    handle,
  }),
  validates(things, { subresource: 'status', operations: ['UPDATE'], handle }),
  validates(pods, { subresource: 'exec', operations: ['CONNECT'], handle }),
  validates(pods, { subresource: 'eviction', operations: ['CREATE'], failurePolicy: 'Ignore', handle }),
  defaults(pods, { namespaceSelector: { matchLabels: { inject: 'true' } }, handle }),
  validates(services, { failurePolicy: 'Ignore', handle }),
  conversion,
];
const settings: RegisterOptions = { name: 'things', namespace: 'things-system', url: 'https://127.0.0.1:1' };
const [authority = '', nextAuthority = ''] = rootCertificates;
const keeper = { fieldManager: 'things-certificates', force: true };

/** A configuration with the fields of one field manager. */
interface WebhookObject {
  apiVersion?: string;
  kind?: string;
  metadata: { name?: string };
  webhooks: { name: string; clientConfig: { caBundle?: string } }[];
}

const planes = [
  { title: 'in memory', isSkipped: false, start: () => startTestServer() },
  { title: 'on a real server', isSkipped: !isAvailable, start: () => startControlPlane() },
];

describe.each(planes)('webhooks $title', ({ isSkipped, start }) => {
  describe.skipIf(isSkipped)('are', () => {
    let plane: Awaited<ReturnType<typeof start>>;
    let rest: RESTClient;
    const configurations = (kind: 'mutating' | 'validating') =>
      new DynamicClient(rest).resource<WebhookObject>({
        group: 'admissionregistration.k8s.io',
        version: 'v1',
        resource: `${kind}webhookconfigurations`,
        scope: 'Cluster',
        kind: kind === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
      });
    const definitions = () =>
      new DynamicClient(rest).resource({
        group: 'apiextensions.k8s.io',
        version: 'v1',
        resource: 'customresourcedefinitions',
        scope: 'Cluster',
        kind: 'CustomResourceDefinition',
      });
    beforeAll(async () => {
      plane = await start();
      rest = new RESTClient(plane.config);
      await definitions().create(definition);
    }, 120_000);
    afterAll(async () => {
      await rest?.close();
      await plane?.stop();
    });

    it.each(Object.entries(invalidWebhooks))(
      'refused with all errors of their fields: %s',
      async (title, webhooks) => {
        const metadata = { name: title };
        const causesOf = async (kind: 'mutating' | 'validating'): Promise<readonly string[]> => {
          // seam: the webhooks are invalid on purpose.
          const object = { metadata, webhooks } as unknown as WebhookObject;
          const error = await configurations(kind)
            .create(object, { dryRun: 'All' })
            .catch((thrown: unknown) => thrown);
          return causeLines(error);
        };
        const lines = [await causesOf('mutating'), await causesOf('validating')].flatMap((causes) => [
          ...causes,
          '',
        ]);
        await expect(lines.join('\n')).toMatchFileSnapshot(`./invalid/${title}.txt`);
      },
    );

    it('registered, registered again and removed', async () => {
      await registerWebhooks(rest, all, settings);
      const mutating = await configurations('mutating').get('things');
      expect(mutating.webhooks.map(({ name }) => name)).toEqual([
        `defaults-thing.${group}`,
        'defaults-pod.core.k8s.io',
      ]);
      expect((await configurations('validating').get('things')).webhooks).toHaveLength(5);
      expect(await definitions().get(`things.${group}`)).toMatchObject({
        spec: { conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } } },
      });

      await registerWebhooks(
        rest,
        [all[0], conversion].filter((each) => each !== undefined),
        settings,
      );
      expect((await configurations('mutating').get('things')).webhooks).toHaveLength(1);
      expect(await configurations('validating').find('things')).toBe(undefined);

      await unregisterWebhooks(rest, [conversion], { name: 'things' });
      expect(await configurations('mutating').find('things')).toBe(undefined);
      expect(await definitions().get(`things.${group}`)).toMatchObject({
        spec: { conversion: { strategy: 'None' } },
      });
      await unregisterWebhooks(rest, [conversion], { name: 'things' });
    });

    it('replaced by policies, which the server accepts', async () => {
      const resource = conversion.resource;
      const policies = [
        admissionPolicy(resource, {
          name: 'things-short',
          variables: [{ name: 'size', expression: 'size(object.spec.a)' }],
          matchConditions: [{ name: 'other', expression: "request.userInfo.username != 'admin'" }],
          validations: [
            { expression: 'variables.size < 9', messageExpression: "'long'", reason: 'Forbidden' },
          ],
          bindings: [{ name: 'things-warn', actions: ['Warn', 'Audit'], namespaceSelector: {} }, {}],
        }),
        admissionPolicy(resource, {
          name: 'things-labels',
          reinvocationPolicy: 'IfNeeded',
          mutations: [
            { applyConfiguration: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
            { jsonPatch: '[JSONPatch{op: "remove", path: "/spec/a"}]' },
          ],
        }),
      ];
      const manifests = policies.flatMap(policyObjects).map((each) => ({ ...each }));
      const results = await createManifests(rest, manifests, {});
      expect(results.map(({ action }) => action)).toEqual(manifests.map(() => 'created'));
    });

    it('registered with an authority, which later registrations leave to its own field manager', async () => {
      const name = `things.${group}`;
      const written = async () => {
        const { webhooks } = await configurations('validating').get('things');
        const found = await definitions().get(name);
        const path = ['spec', 'conversion', 'webhook', 'clientConfig', 'caBundle'];
        return [webhooks[0]?.clientConfig.caBundle, nestedField(found, ...path)];
      };
      const bundle = (text: string) => Buffer.from(text).toString('base64');
      const own = all.filter((each) => each.resource.group === group);
      await registerWebhooks(rest, own, { ...settings, caBundle: authority });
      expect(await written()).toEqual([bundle(authority), bundle(authority)]);
      for (const text of [authority, nextAuthority]) {
        const clientConfig = { caBundle: bundle(text) };
        const webhooks = [{ name: `validates-thing.${group}`, clientConfig }];
        await configurations('validating').apply({ metadata: { name: 'things' }, webhooks }, keeper);
        const conversion = { strategy: 'Webhook', webhook: { clientConfig } };
        await definitions().apply({ metadata: { name }, spec: { conversion } }, keeper);
      }
      await registerWebhooks(rest, own, { ...settings, caBundle: authority });
      expect(await written()).toEqual([bundle(nextAuthority), bundle(nextAuthority)]);

      // The field manager of the authority owns a field of the removed webhook, and of the conversion.
      const others = own.filter((each) => each.type !== 'validates' || each.options.subresource === 'status');
      await registerWebhooks(rest, others, { ...settings, caBundle: authority });
      const { webhooks } = await configurations('validating').get('things');
      expect(webhooks.map((each) => each.name)).toEqual([`validates-thing-status.${group}`]);
      await unregisterWebhooks(rest, [conversion], { name: 'things' });
      expect(nestedField(await definitions().get(name), 'spec', 'conversion')).toEqual({ strategy: 'None' });
    });
  });
});

/** Returns the errors of fields. The end of the message of a syntax error depends on the parser. */
function causeLines(error: unknown): readonly string[] {
  if (!isApiError(error)) throw error;
  const lines = (error.details?.causes ?? []).map(
    ({ reason, field, message }) => `${reason} ${field}: ${message?.replace(/ expecting .*/s, '')}`,
  );
  return lines.sort();
}
