import { describe, expect, test } from 'vitest';
import { at, type JsonObject, text } from '../../schema/values/json.ts';
import { call, crd, create, foosPath, type Reply, start } from '../client.fixture.ts';
import type { TestServer } from '../server/testserver.ts';
import type { AdmissionRequest, TestWebhook } from './hooks.ts';

const base = { name: 'hook.example.com', rules: [{ resources: ['foos'] }] } as const;

function startWith(...webhooks: readonly TestWebhook[]): Promise<TestServer> {
  return start({ crds: [{ yaml: crd }], webhooks });
}

const sized = (size: number): TestWebhook => ({
  ...base,
  type: 'mutating',
  handle: () => ({ patch: [{ op: 'add', path: '/spec/size', value: size }] }),
});

function outcome({ code, body }: Reply): readonly [number, string] {
  return [code, text(body, 'message')];
}

describe('webhooks in this process', () => {
  test('see the request and may change the object before it is validated and stored', async () => {
    const requests: AdmissionRequest[] = [];
    const server = await startWith(sized(3), {
      ...base,
      type: 'validating',
      handle: (request) => {
        requests.push(request);
        return { warnings: ['seen'] };
      },
    });
    const reply = await create(server, 'a', {}, { size: 1 });
    expect([reply.code, at(reply.body, 'spec', 'size')]).toEqual([201, 3]);
    expect(reply.headers.get('warning')).toContain('seen');
    expect(requests).toMatchObject([
      {
        operation: 'CREATE',
        name: 'a',
        namespace: 'default',
        kind: { group: 'test.example.com', version: 'v1', kind: 'Foo' },
        resource: { group: 'test.example.com', version: 'v1', resource: 'foos' },
        object: { spec: { size: 3 } },
        oldObject: null,
        dryRun: false,
      },
    ]);
  });

  test.each([
    [{ allowed: false, message: 'too big' }, 400, 'denied the request: too big'],
    [{ allowed: false, message: 'too big', code: 403 }, 403, 'denied the request: too big'],
    [{ allowed: false }, 400, 'denied the request without explanation'],
  ])('deny a request with %j', async (decision, code, message) => {
    const server = await startWith({ ...base, type: 'validating', handle: () => decision });
    expect(outcome(await create(server, 'a'))).toEqual([
      code,
      `admission webhook "hook.example.com" ${message}`,
    ]);
    expect((await call(server, `${foosPath}/a`)).code).toBe(404);
  });

  test.each([
    ['Fail', 500, /failed calling webhook "hook\.example\.com": failed to call webhook: broken/],
    ['Ignore', 201, /^$/],
  ] as const)('that throw fail the request with failurePolicy %s', async (failurePolicy, code, message) => {
    const handle = (): never => {
      throw new Error('broken');
    };
    const server = await startWith({ ...base, type: 'validating', failurePolicy, handle });
    const reply = await create(server, 'a');
    expect(reply.code).toBe(code);
    expect(text(reply.body, 'message')).toMatch(message);
  });

  test('are not called for a dry run if they have side effects', async () => {
    const server = await startWith({ ...sized(1), sideEffects: 'Some' });
    const body = { apiVersion: 'test.example.com/v1', kind: 'Foo', metadata: { name: 'a' } };
    expect(outcome(await call(server, `${foosPath}?dryRun=All`, { method: 'POST', body }))).toEqual([
      400,
      'admission webhook "hook.example.com" does not support dry run',
    ]);
  });

  test('are called again if a later one changed the object and they request it', async () => {
    const seen: unknown[] = [];
    const server = await startWith(
      {
        ...base,
        name: 'first.example.com',
        type: 'mutating',
        reinvocationPolicy: 'IfNeeded',
        handle: ({ object }) => {
          seen.push(at(object ?? {}, 'spec', 'size'));
          return undefined;
        },
      },
      sized(7),
    );
    await create(server, 'a', {}, { size: 1 });
    expect(seen).toEqual([1, 7]);
  });

  test('can be removed', async () => {
    const server = await startWith();
    const remove = server.webhooks.add({ ...base, type: 'validating', handle: () => ({ allowed: false }) });
    expect((await create(server, 'a')).code).toBe(400);
    remove();
    expect((await create(server, 'a')).code).toBe(201);
  });

  test('decide about deletions, with the object as the old one', async () => {
    const seen: AdmissionRequest[] = [];
    const server = await startWith({
      ...base,
      type: 'validating',
      rules: [{ resources: ['*'], operations: ['DELETE'] }],
      handle: (request) => {
        seen.push(request);
        return { allowed: false, message: 'kept' };
      },
    });
    await create(server, 'a');
    expect((await call(server, `${foosPath}/a`, { method: 'DELETE' })).code).toBe(400);
    expect((await call(server, `${foosPath}/a`)).code).toBe(200);
    expect(seen).toMatchObject([{ operation: 'DELETE', object: null, oldObject: { kind: 'Foo' } }]);
  });

  test('an update is repeated on the latest object if it changed while a webhook was called', async () => {
    const server = await startWith();
    await create(server, 'a', {}, { size: 1 });
    let isFirst = true;
    server.webhooks.add({
      ...base,
      type: 'validating',
      rules: [{ resources: ['foos'], operations: ['UPDATE'] }],
      handle: async () => {
        if (!isFirst) return undefined;
        isFirst = false;
        await label(server, 'second');
        return undefined;
      },
    });
    const reply = await label(server, 'first');
    expect([reply.code, at(reply.body, 'metadata', 'labels')]).toEqual([200, { first: 'x', second: 'x' }]);
  });
});

function label(server: TestServer, name: string): Promise<Reply> {
  return call(server, `${foosPath}/a`, {
    method: 'PATCH',
    type: 'application/merge-patch+json',
    body: { metadata: { labels: { [name]: 'x' } } },
  });
}

const policyPath = '/apis/admissionregistration.k8s.io/v1';
const rules = [
  { apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['foos'] },
];

async function installPolicy(
  server: TestServer,
  kind: 'Validating' | 'Mutating',
  spec: JsonObject,
  binding: JsonObject = {},
): Promise<void> {
  const plural = `${kind.toLowerCase()}admissionpolic`;
  const object = (type: string, more: JsonObject): JsonObject => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: type,
    metadata: { name: 'p' },
    spec: more,
  });
  const bodies: readonly [string, JsonObject][] = [
    [
      `${policyPath}/${plural}ies`,
      object(`${kind}AdmissionPolicy`, { matchConstraints: { resourceRules: rules }, ...spec }),
    ],
    [
      `${policyPath}/${plural}ybindings`,
      object(`${kind}AdmissionPolicyBinding`, { policyName: 'p', ...binding }),
    ],
  ];
  for (const [path, body] of bodies)
    expect((await call(server, path, { method: 'POST', body })).code).toBe(201);
}

describe('policies', () => {
  test.each([
    ['deny', 'Deny'],
    ['warn about', 'Warn'],
  ])('%s a request with the message of the validation', async (_, action) => {
    const server = await startWith();
    await installPolicy(
      server,
      'Validating',
      {
        variables: [{ name: 'size', expression: 'has(object.spec.size) ? object.spec.size : 0' }],
        validations: [
          {
            expression: 'variables.size < 5',
            messageExpression: "'size is ' + string(variables.size) + ' for ' + request.userInfo.username",
          },
        ],
      },
      { validationActions: [action] },
    );
    const reply = await create(server, 'a', {}, { size: 9 });
    const message = 'size is 9 for kubernetes-admin';
    const policy = "ValidatingAdmissionPolicy 'p' with binding 'p'";
    if (action === 'Deny') {
      const denied = `foos.test.example.com "a" is forbidden: ${policy} denied request: ${message}`;
      expect(outcome(reply)).toEqual([422, denied]);
    } else {
      expect(reply.code).toBe(201);
      expect(reply.headers.get('warning')).toContain(`Validation failed for ${policy}: ${message}`);
    }
    expect((await create(server, 'b', {}, { size: 1 })).code).toBe(201);
  });

  test('read parameters, and may ask the authorizer', async () => {
    const server = await startWith();
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'limits' }, data: { max: '3' } };
    await call(server, '/api/v1/namespaces/default/configmaps', { method: 'POST', body });
    await installPolicy(
      server,
      'Validating',
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        validations: [
          { expression: 'object.spec.size <= int(params.data.max)', reason: 'Forbidden' },
          { expression: "authorizer.group('').resource('pods').namespace('default').check('get').allowed()" },
        ],
      },
      { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' }, validationActions: ['Deny'] },
    );
    expect((await create(server, 'a', {}, { size: 4 })).code).toBe(403);
    expect((await create(server, 'a', {}, { size: 3 })).code).toBe(201);
  });

  test('mutate objects by JSON patches and apply configurations', async () => {
    const server = await startWith();
    await installPolicy(server, 'Mutating', {
      mutations: [
        {
          patchType: 'JSONPatch',
          jsonPatch: { expression: "[JSONPatch{op: 'add', path: '/spec/size', value: 4}]" },
        },
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: {
            expression: "Object{metadata: Object.metadata{labels: Object.metadata.labels{team: 'x'}}}",
          },
        },
      ],
      reinvocationPolicy: 'Never',
    });
    const { body } = await create(server, 'a', {}, { size: 1 });
    expect([at(body, 'spec', 'size'), at(body, 'metadata', 'labels')]).toEqual([4, { team: 'x' }]);
  });
});
