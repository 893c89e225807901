/** Contract tests against servers that ignore dry runs, refuse, or do not respond. */
import { RESTClient, TransportError } from '@kgen/runtime';
import { defineResource } from '@kgen/runtime/client';
import type { APIRequest, APIResponse } from '@kgen/runtime/rest';
import { describe, expect, test } from 'vitest';
import { type ContractTestOptions, contractTests, type TestBody } from './contract-tests.ts';

const root = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
};
const verbSets = { requests: ['create', 'list'], objects: ['create', 'get', 'list'] } as const;

/** A resource of another server, or of a definition. */
function resourceOf(plural: keyof typeof verbSets): ReturnType<typeof defineResource> {
  return defineResource({
    ...{
      group: 'x.example.com',
      version: 'v1',
      kind: 'Thing',
      singular: 'thing',
      plural,
      listKind: 'ThingList',
    },
    scope: 'Cluster',
    verbs: verbSets[plural],
    schema: async () => ({ definitions: { it: root }, kinds: { Thing: 'it' }, imports: {} }),
  });
}

type Reply = readonly [status: number, body: unknown];

interface Given {
  /** `spec.service` of the APIService, or the status of its request. */
  readonly service?: unknown;
  readonly serviceStatus?: number;
  readonly definitionStatus?: number;
  readonly ignoresDryRun?: boolean;
  readonly postStatus?: number;
  readonly plural?: keyof typeof verbSets;
  readonly fail?: (request: APIRequest) => Error | undefined;
}

interface Outcome {
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly why?: string;
}

/** Runs the contract tests of one resource, in the way of vitest. */
async function run(
  given: Given,
  options: ContractTestOptions = {},
): Promise<{
  readonly outcomes: readonly Outcome[];
  readonly stored: readonly string[];
  readonly posts: number;
}> {
  const { plural = 'objects' } = given;
  const stored = new Map<string, unknown>();
  let posts = 0;
  const home = '/apis/x.example.com/v1';
  const failed = (code: number): Reply => [
    code,
    { kind: 'Status', status: 'Failure', code, reason: reasons.get(code), message: 'no' },
  ];
  const respond = ({ method, path, body }: APIRequest): Reply => {
    if (path === '/version') return [200, { gitVersion: 'v1.36.0' }];
    if (path === '/api') return [200, { kind: 'APIVersions', versions: [] }];
    if (path === '/apis') {
      const groupVersion = { groupVersion: 'x.example.com/v1', version: 'v1' };
      return [200, { kind: 'APIGroupList', groups: [{ name: 'x.example.com', versions: [groupVersion] }] }];
    }
    if (path === home) {
      const entry = { name: plural, kind: 'Thing', namespaced: false, verbs: verbSets[plural] };
      return [200, { kind: 'APIResourceList', groupVersion: 'x.example.com/v1', resources: [entry] }];
    }
    if (path.endsWith('/apiservices/v1.x.example.com')) {
      const { serviceStatus = 200 } = given;
      return serviceStatus === 200 ? [200, { spec: { service: given.service } }] : failed(serviceStatus);
    }
    if (path.endsWith(`/customresourcedefinitions/${plural}.x.example.com`))
      return given.definitionStatus === 200 ? [200, { spec: {} }] : failed(given.definitionStatus ?? 404);
    if (method === 'POST' && path === `${home}/${plural}`) {
      posts += 1;
      if (given.postStatus !== undefined) return failed(given.postStatus);
      const sent = JSON.parse(String(body));
      const object = { ...sent, metadata: { ...sent.metadata, uid: `uid-${posts}` } };
      if (given.ignoresDryRun === true) stored.set(object.metadata.name, object);
      return [201, object];
    }
    if (path === `${home}/${plural}`) return [200, { kind: 'ThingList', items: [...stored.values()] }];
    const object = stored.get(path.slice(`${home}/${plural}/`.length));
    return object === undefined ? failed(404) : [200, object];
  };
  const rest = new RESTClient(
    { server: 'https://fake.invalid' },
    {
      transport: async (request): Promise<APIResponse> => {
        const error = given.fail?.(request);
        if (error !== undefined) throw error;
        const [status, value] = respond(request);
        const body = (async function* () {
          yield Buffer.from(JSON.stringify(value));
        })();
        return { status, headers: { 'content-type': 'application/json' }, body, cancel: () => undefined };
      },
    },
  );
  const tests: (readonly [string, TestBody])[] = [];
  const framework = {
    describe: (_: string, body: () => void) => body(),
    test: (name: string, body: TestBody) => tests.push([name, body]),
    afterAll: () => undefined,
  };
  await contractTests([resourceOf(plural)], rest, { onDrift: () => undefined, ...options, framework });
  const outcomes: Outcome[] = [];
  for (const [name, body] of tests) outcomes.push(await outcomeOf(name, body));
  return { outcomes, stored: [...stored.keys()], posts };
}

const reasons = new Map([
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
]);

class Skipped extends Error {}

async function outcomeOf(name: string, body: TestBody): Promise<Outcome> {
  try {
    await body({
      skip: (why: string) => {
        throw new Skipped(why);
      },
    });
    return { name, result: 'passed' };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { name, result: error instanceof Skipped ? 'skipped' : 'failed', why };
  }
}

const samples = 'accepts samples in dry runs';

describe('samples', () => {
  test.each<[string, Given]>([
    ['has no service', {}],
    ['has no service, with null', { service: null }],
    ['does not exist', { serviceStatus: 404 }],
    ['cannot be read, and the definition can', { serviceStatus: 403, definitionStatus: 200 }],
  ])('are created if the APIService %s', async (_, given) => {
    const { outcomes, posts } = await run(given);
    expect(outcomes.at(-1)).toEqual({ name: samples, result: 'passed' });
    expect(posts).toBeGreaterThan(0);
  });

  test.each<[string, Given, RegExp]>([
    [
      'has a service',
      { service: { namespace: 'a', name: 'b' } },
      /x\.example\.com\/v1 is served by the service a\/b/,
    ],
    [
      'has a service, and the kind a definition',
      { service: { namespace: 'a', name: 'b' }, definitionStatus: 200 },
      /served by the service a\/b/,
    ],
    [
      'cannot be read',
      { serviceStatus: 403, definitionStatus: 403 },
      /the APIService of x\.example\.com\/v1 cannot be read/,
    ],
  ])('are not created if the APIService %s, which skips the test', async (_, given, why) => {
    for (const plural of ['objects', 'requests'] as const) {
      const { outcomes, posts, stored } = await run({ ...given, plural, ignoresDryRun: true });
      expect(outcomes.at(-1)).toEqual({ name: samples, result: 'skipped', why: expect.stringMatching(why) });
      expect([posts, stored]).toEqual([0, []]);
    }
  });

  test.each(['objects', 'requests'] as const)(
    'fail with the name of the one that a server stored, and no other one is created: %s',
    async (plural) => {
      for (const given of [{ service: { name: 'b' } }, {}]) {
        const { outcomes, stored, posts } = await run(
          { ...given, plural, ignoresDryRun: true },
          { sampled: 'all' },
        );
        expect(posts).toBe(1);
        expect(stored).toHaveLength(1);
        expect(outcomes.at(-1)).toEqual({
          name: samples,
          result: 'failed',
          why: expect.stringContaining(
            `the server stored the sample ${stored[0]} although it was created in a dry run`,
          ),
        });
      }
    },
  );

  test('are created for other servers if that is requested', async () => {
    const { outcomes, posts } = await run({ service: { name: 'b' } }, { sampled: 'all', samples: 2 });
    expect(outcomes.at(-1)).toEqual({ name: samples, result: 'passed' });
    expect(posts).toBeGreaterThan(0);
  });

  test.each([403, 405, 503])(
    'that may not be created skip the test with the reason: %i',
    async (postStatus) => {
      const { outcomes, posts } = await run({ postStatus });
      expect(outcomes.at(-1)).toEqual({
        name: samples,
        result: 'skipped',
        why: expect.stringMatching(/^samples are not checked: .*no/),
      });
      expect(posts).toBe(1);
    },
  );
});

describe('a cluster that cannot be read', () => {
  test.each([
    ['no connection', (): Error => new TransportError('connection refused')],
    ['a wrong token', (): Error => new Error('401')],
  ])('fails one test, and skips the others: %s', async (_, fail) => {
    const { outcomes } = await run({ fail });
    expect(outcomes.map(({ result }) => result)).toEqual(['failed', 'skipped', 'skipped']);
    expect(outcomes[0]?.why).toMatch(/^the cluster cannot be read: /);
    expect(outcomes[1]?.why).toBe('the cluster cannot be read: see the first test');
  });

  test('fails one test if its connection is lost during the tests', async () => {
    let isLost = false;
    const fail = ({ method, path }: APIRequest): Error | undefined => {
      isLost ||= method === 'POST' || path.includes('apiservices');
      return isLost ? new TransportError('connection refused') : undefined;
    };
    const { outcomes } = await run({ fail });
    expect(outcomes.map(({ result }) => result)).toEqual(['passed', 'passed', 'failed']);
  });
});
