/** Policies of `admissionPolicy`, enforced by servers. */

import { admissionPolicy, policyObjects } from '@kgen/controller/webhooks';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { isInvalid, RESTClient } from '@kgen/runtime';
import { DynamicClient, dynamicResource, nestedField } from '@kgen/runtime/dynamic';
import { createManifests } from '@kgen/runtime/manifests';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AuditLog, auditLog } from '../support/audit.ts';
import { deadline } from '../support/cluster-tests.ts';
import { crd } from '../support/crd.ts';
import { apiErrorOf } from '../support/errors.ts';

const isAvailable = controlPlaneAvailability().available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const group = 'policies.example.com';
const things = dynamicResource({
  group,
  version: 'v1',
  kind: 'Thing',
  resource: 'things',
  scope: 'Namespaced',
});
const limits = dynamicResource({ group, version: 'v1', kind: 'Limit', resource: 'limits', scope: 'Cluster' });

function definition(kind: string, scope: 'Namespaced' | 'Cluster', properties: object): object {
  const schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  return crd({ kind, group, scope, versions: [{ schema }] });
}

const definitions = [
  definition('Thing', 'Namespaced', { name: { type: 'string' } }),
  definition('Limit', 'Cluster', { max: { type: 'integer' } }),
];

const policies = [
  admissionPolicy(things, {
    name: 'limited-things',
    params: limits,
    variables: [{ name: 'size', expression: 'size(object.spec.name)' }],
    matchConditions: [{ name: 'limited', expression: 'params == null || params.spec.max >= 0' }],
    validations: [
      {
        expression: 'params != null && variables.size <= params.spec.max',
        messageExpression: "'at most ' + string(params.spec.max)",
        reason: 'Invalid',
      },
    ],
    auditAnnotations: [{ key: 'size', valueExpression: 'string(variables.size)' }],
    bindings: [{ name: 'limited', paramRef: { name: 'names' } }],
  }),
  admissionPolicy(things, {
    name: 'owned-things',
    params: configMaps,
    mutations: [
      { applyConfiguration: 'Object{metadata: Object.metadata{labels: {"team": params.data.team}}}' },
    ],
    bindings: [
      {
        paramRef: { selector: { matchLabels: { owns: 'things' } }, parameterNotFoundAction: 'Allow' },
      },
    ],
  }),
];

const planes = [
  { title: 'in memory', recordsAudits: false, isSkipped: false, start: () => startTestServer() },
  {
    title: 'on a real server',
    recordsAudits: true,
    isSkipped: !isAvailable,
    start: (log: AuditLog) => startControlPlane({ apiServerFlags: log.flags }),
  },
];

describe.each(planes)('policies $title', ({ recordsAudits, isSkipped, start }) => {
  describe.skipIf(isSkipped)('are', { timeout: 180_000 }, () => {
    let log: AuditLog;
    let plane: Awaited<ReturnType<typeof start>>;
    let rest: RESTClient;
    let client: DynamicClient;
    beforeAll(async () => {
      log = await auditLog({ verbs: ['create'] });
      plane = await start(log);
      rest = new RESTClient(plane.config);
      client = new DynamicClient(rest);
      const items = [...definitions, ...policies.flatMap(policyObjects)];
      await createManifests(rest, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }), {});
    }, 120_000);
    afterAll(async () => {
      await rest?.close();
      await plane?.stop();
      await log?.remove();
    });

    const create = (name: string, dryRun = true) =>
      client
        .resource(things)
        .namespace('default')
        .create(
          { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name }, spec: { name } },
          dryRun ? { dryRun: 'All' } : {},
        );
    const labelOf = async (name: string) => nestedField(await create(name), 'metadata', 'labels', 'team');
    const limit = (max: number) =>
      client.resource(limits).apply({ metadata: { name: 'names' }, spec: { max } }, { fieldManager: 'test' });
    const refusal = async (name: string) => (await apiErrorOf(isInvalid, create(name))).message;
    const denial = (message: string) =>
      `things.${group} "long" is forbidden: ValidatingAdmissionPolicy 'limited-things' with binding 'limited' denied request: ${message}`;

    it('enforced, with parameters that change the decision', async () => {
      const absent =
        'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction';
      await vi.waitFor(async () => expect(await refusal('long')).toContain(denial(absent)), deadline);
      await vi.waitFor(() => limit(3), deadline);
      await vi.waitFor(async () => expect(await refusal('long')).toContain(denial('at most 3')), deadline);
      expect(await labelOf('abc')).toBe(undefined);
      const maps = client.resource(configMaps).namespace('default');
      const metadata = { name: 'owner', labels: { owns: 'things' } };
      await maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { team: 'shop' } });
      await vi.waitFor(async () => expect(await labelOf('abc')).toBe('shop'), deadline);
      expect(await create('abc', false)).toMatchObject({ metadata: { labels: { team: 'shop' } } });

      await limit(4);
      await vi.waitFor(async () => expect(await labelOf('long')).toBe('shop'), deadline);
      await maps.delete('owner');
      await vi.waitFor(async () => expect(await labelOf('long')).toBe(undefined), deadline);
    });

    if (recordsAudits) {
      it('recorded in the annotations of audit events', async () => {
        await vi.waitFor(() => limit(4), deadline);
        await vi.waitFor(() => create('four'), deadline);
        const found = log.requests().filter(({ path }) => path.endsWith('/things'));
        expect(found.at(-1)?.annotations).toMatchObject({ 'limited-things/size': '4' });
      });
    }
  });
});
