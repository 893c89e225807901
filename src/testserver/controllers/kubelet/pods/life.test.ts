import { describe, expect, test } from 'vitest';
import { array, type JsonObject, object, own, text } from '../../../../schema/values/json.ts';
import { call, start } from '../../../client.fixture.ts';
import type { TestServer } from '../../../server/testserver.ts';
import type { PodRule } from '../rules.ts';

const podsPath = '/api/v1/namespaces/default/pods';

/** Starts a server in virtual time, and creates a pod. */
async function podOf(spec: JsonObject, rules: readonly PodRule[]): Promise<TestServer> {
  const server = await start({ controllers: true, time: 'virtual', seed: 1, pods: rules });
  const containers = [{ name: 'a', image: 'web:1' }];
  const body = { metadata: { name: 'web-0' }, spec: { containers, ...spec } };
  const { code, body: created } = await call(server, podsPath, { method: 'POST', body });
  expect([code, own(created, 'message')]).toEqual([201, undefined]);
  await server.time.advance(0);
  return server;
}

async function read(server: TestServer): Promise<JsonObject | undefined> {
  const { code, body } = await call(server, `${podsPath}/web-0`);
  return code === 200 ? body : undefined;
}

/** Returns phase, readiness, and the state and restarts of each container. */
function summary(pod: JsonObject | undefined): string {
  if (pod === undefined) return 'gone';
  const statuses = ['initContainerStatuses', 'containerStatuses'].flatMap((list) =>
    array(pod, 'status', list),
  );
  const states = statuses.map((status) => {
    const state = object(status, 'state');
    const [kind = ''] = Object.keys(state);
    const reason = text(state, kind, 'reason') || kind;
    const isReady = own(object(status), 'ready') === true ? '+' : '';
    return `${text(status, 'name')}:${reason}${isReady}${own(object(status), 'restartCount')}`;
  });
  return [text(pod, 'status', 'phase'), ...states].join(' ');
}

/** Returns the summaries of a pod at some seconds. */
async function timeline(server: TestServer, ...seconds: readonly number[]): Promise<readonly string[]> {
  const found: string[] = [];
  let now = 0;
  for (const at of seconds) {
    await server.time.advance((at - now) * 1_000);
    now = at;
    found.push(summary(await read(server)));
  }
  return found;
}

interface Story {
  readonly spec?: JsonObject;
  readonly rule?: PodRule;
  /** Summaries by second. */
  readonly states: readonly (readonly [second: number, summary: string])[];
}

const init = { name: 'i', image: 'init:1' };
const sidecar = { name: 's', image: 'proxy:1', restartPolicy: 'Always' };

/** Runs containers named `a` or `s` for ever, and others for a second. */
const initRule: PodRule = {
  *run({ name }) {
    yield 1_000;
    while (name === 'a' || name === 's') yield 1_000;
    return 0;
  },
};

function ends(code: number): PodRule {
  return {
    *run() {
      yield 1_000;
      return code;
    },
  };
}

const stories: Readonly<Record<string, Story>> = {
  'run and are ready at once without a rule': { states: [[0, 'Running a:running+0']] },
  'wait for the start and for readiness': {
    rule: { startAfterMs: 1_000, readyAfterMs: 2_000 },
    states: [
      [0, 'Pending a:ContainerCreating0'],
      [1, 'Running a:running0'],
      [3, 'Running a:running+0'],
    ],
  },
  'never become ready': { rule: { readyAfterMs: false }, states: [[9_999, 'Running a:running0']] },
  'restart at once after the first end, and then with doubled delays': {
    rule: { exit: { afterMs: 2_000, code: 1 } },
    states: [
      [0, 'Running a:running+0'],
      [2, 'Running a:running+1'],
      [4, 'Running a:CrashLoopBackOff1'],
      [14, 'Running a:running+2'],
      [16, 'Running a:CrashLoopBackOff2'],
      [36, 'Running a:running+3'],
    ],
  },
  'keep running after the last end': {
    rule: { exit: { times: 1 } },
    states: [[50, 'Running a:running+1']],
  },
  'never run an image that cannot be pulled': {
    rule: { pullError: 'x' },
    states: [[99, 'Pending a:ImagePullBackOff0']],
  },
  'end for good with the restart policy Never': {
    spec: { restartPolicy: 'Never' },
    rule: ends(3),
    states: [[1, 'Failed a:Error0']],
  },
  'succeed with the restart policy OnFailure': {
    spec: { restartPolicy: 'OnFailure' },
    rule: ends(0),
    states: [[1, 'Succeeded a:Completed0']],
  },
  'start after the init containers, in order': {
    spec: { initContainers: [init, { ...init, name: 'j' }] },
    rule: initRule,
    states: [
      [0, 'Pending i:running0 j:PodInitializing0 a:PodInitializing0'],
      [1, 'Pending i:Completed+0 j:running0 a:PodInitializing0'],
      [2, 'Running i:Completed+0 j:Completed+0 a:running+0'],
    ],
  },
  'do not start if an init container fails for good': {
    spec: { initContainers: [init], restartPolicy: 'Never' },
    rule: ends(1),
    states: [[1, 'Failed i:Error0 a:PodInitializing0']],
  },
  'run beside a sidecar, which ends after them': {
    spec: { initContainers: [sidecar, init], restartPolicy: 'Never' },
    rule: {
      *run({ name }) {
        yield 1_000;
        while (name === 's') yield 1_000;
        return 0;
      },
    },
    states: [
      [0, 'Pending s:running+0 i:running0 a:PodInitializing0'],
      [1, 'Running s:running+0 i:Completed+0 a:running+0'],
      [2, 'Succeeded s:Error0 i:Completed+0 a:Completed0'],
    ],
  },
  'are killed at the deadline': {
    spec: { activeDeadlineSeconds: 5 },
    states: [
      [4, 'Running a:running+0'],
      [5, 'Failed a:Error0'],
    ],
  },
  'restart if the liveness probe fails': {
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name: 'a',
          image: 'web:1',
          livenessProbe: { tcpSocket: { port: 80 }, periodSeconds: 2, failureThreshold: 2 },
        },
      ],
    },
    rule: {
      *handle({ now, restarts }) {
        yield 0;
        return restarts === 0 && now() >= Date.parse('2026-01-01T00:00:04Z') ? 1 : 0;
      },
    },
    states: [
      [5, 'Running a:running+0'],
      [6, 'Running a:running+1'],
      [99, 'Running a:running+1'],
    ],
  },
  'are ready while the readiness probe succeeds, and a probe beyond its timeout fails': {
    spec: {
      containers: [
        { name: 'a', image: 'web:1', readinessProbe: { exec: { command: ['x'] }, failureThreshold: 1 } },
      ],
    },
    rule: {
      *handle({ now }) {
        yield now() < Date.parse('2026-01-01T00:00:20Z') ? 1_000 : 1_001;
        return 0;
      },
    },
    states: [
      [0, 'Running a:running+0'],
      [20, 'Running a:running0'],
    ],
  },
  'have started only after the startup probe': {
    spec: {
      containers: [
        {
          name: 'a',
          image: 'web:1',
          startupProbe: { httpGet: { port: 80 }, periodSeconds: 5 },
          readinessProbe: { httpGet: { port: 80 } },
        },
      ],
    },
    rule: {
      *handle({ now }, { cause }) {
        yield 0;
        return cause === 'startup' && now() < Date.parse('2026-01-01T00:00:05Z') ? 1 : 0;
      },
    },
    states: [
      [0, 'Running a:running0'],
      [5, 'Running a:running+0'],
    ],
  },
};

describe('containers', () => {
  test.each(Object.entries(stories))('%s', async (_title, { spec = {}, rule, states }) => {
    const server = await podOf(spec, rule === undefined ? [] : [rule]);
    const expected = states.map(([, summary]) => summary);
    expect(await timeline(server, ...states.map(([second]) => second))).toEqual(expected);
  });

  test('read variables and files, write logs and the termination message', async () => {
    const mounts = [{ name: 'data', mountPath: '/data' }];
    const env = [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }];
    const container = { name: 'a', image: 'web:1', args: ['hello $(NAME)'], env, volumeMounts: mounts };
    const spec = {
      restartPolicy: 'Never',
      containers: [container],
      volumes: [{ name: 'data', configMap: { name: 'settings' } }],
    };
    const server = await podOf(spec, [
      {
        *run({ args, file, log, write }) {
          yield 0;
          log(`${args[0]}: ${file('/data/key')?.content}`);
          write('/dev/termination-log', 'done');
          return 0;
        },
      },
    ]);
    expect(summary(await read(server))).toBe('Pending a:ContainerCreating0');
    const configMap = { metadata: { name: 'settings' }, data: { key: 'value' } };
    await call(server, '/api/v1/namespaces/default/configmaps', { method: 'POST', body: configMap });
    await server.time.advance(0);
    const pod = await read(server);
    const state = object(array(pod, 'status', 'containerStatuses')[0], 'state', 'terminated');
    expect([summary(pod), text(state, 'message')]).toEqual(['Succeeded a:Completed0', 'done']);
    const { body } = await call(server, `${podsPath}/web-0/log`);
    expect(body).toEqual({ text: 'hello web-0: value\n' });
  });

  test('are not created without their Secret', async () => {
    const envFrom = [{ secretRef: { name: 'keys' } }];
    const server = await podOf({ containers: [{ name: 'a', image: 'web:1', envFrom }] }, []);
    expect(summary(await read(server))).toBe('Pending a:CreateContainerConfigError0');
    await call(server, '/api/v1/namespaces/default/secrets', {
      method: 'POST',
      body: { metadata: { name: 'keys' } },
    });
    await server.time.advance(0);
    expect(summary(await read(server))).toBe('Running a:running+0');
  });

  test('are rejected with kernel parameters that are not safe', async () => {
    const sysctls = [{ name: 'kernel.msgmax', value: '1' }];
    const server = await podOf({ securityContext: { sysctls } }, []);
    const pod = await read(server);
    expect([text(pod, 'status', 'phase'), text(pod, 'status', 'reason')]).toEqual([
      'Failed',
      'SysctlForbidden',
    ]);
  });

  test('may not run as root with runAsNonRoot', async () => {
    const server = await podOf({ securityContext: { runAsNonRoot: true } }, [{ imageUser: 0 }]);
    expect(summary(await read(server))).toBe('Pending a:CreateContainerConfigError0');
  });

  test('follow a resize at once, and restart by their policy', async () => {
    const containers = ['NotRequired', 'RestartContainer'].map((restartPolicy, index) => ({
      name: `c${index}`,
      image: 'web:1',
      resources: { requests: { cpu: '100m' } },
      resizePolicy: [{ resourceName: 'cpu', restartPolicy }],
    }));
    const server = await podOf({ containers }, []);
    const change = ['c0', 'c1'].map((name) => ({ name, resources: { requests: { cpu: '200m' } } }));
    const reply = await call(server, `${podsPath}/web-0/resize`, {
      method: 'PATCH',
      body: { spec: { containers: change } },
      type: 'application/strategic-merge-patch+json',
    });
    expect([reply.code, own(object(reply.body, 'metadata'), 'generation')]).toEqual([200, 2]);
    await server.time.advance(0);
    const pod = await read(server);
    const [first] = array(pod, 'status', 'containerStatuses');
    expect([summary(pod), text(first, 'allocatedResources', 'cpu')]).toEqual([
      'Running c0:running+0 c1:running+1',
      '200m',
    ]);
  });

  test('restart with a changed image, and continue after a restore', async () => {
    const server = await podOf({}, []);
    const snapshot = server.snapshot();
    await call(server, `${podsPath}/web-0`, {
      method: 'PATCH',
      body: { spec: { containers: [{ name: 'a', image: 'web:2' }] } },
      type: 'application/strategic-merge-patch+json',
    });
    await server.time.advance(0);
    const pod = await read(server);
    const [status] = array(pod, 'status', 'containerStatuses');
    expect([summary(pod), text(status, 'image')]).toEqual(['Running a:running+1', 'web:2']);
    const [changes, seen] = [
      own(object(pod, 'metadata'), 'generation'),
      own(object(pod, 'status'), 'observedGeneration'),
    ];
    expect([changes, seen]).toEqual([2, 2]);
    server.restore(snapshot);
    await server.time.advance(60_000);
    expect(summary(await read(server))).toBe('Running a:running+0');
  });
});

describe('a deleted pod', () => {
  const lifecycle = { preStop: { sleep: { seconds: 5 } } };
  const containers = [{ name: 'a', image: 'web:1', lifecycle }];

  test.each<[string, JsonObject, PodRule, readonly (readonly [number, string])[]]>([
    ['is gone at once without a rule', {}, {}, [[0, 'gone']]],
    [
      'terminates for the time of its rule',
      {},
      { terminateAfterMs: 3_000 },
      [
        [2, 'Running a:running+0'],
        [3, 'gone'],
      ],
    ],
    [
      'is killed at the end of its grace period',
      { terminationGracePeriodSeconds: 2 },
      { terminateAfterMs: 3_000 },
      [
        [1, 'Running a:running+0'],
        [2, 'gone'],
      ],
    ],
    [
      'waits for its hook preStop',
      { containers },
      {},
      [
        [4, 'Running a:running+0'],
        [5, 'gone'],
      ],
    ],
    [
      'waits for a program that handles the signal',
      {},
      {
        *run() {
          try {
            for (;;) yield 1_000;
          } catch {
            yield 4_000;
            return 0;
          }
        },
      },
      [
        [3, 'Running a:running+0'],
        [4, 'gone'],
      ],
    ],
  ])('%s', async (_title, spec, rule, states) => {
    const server = await podOf(spec, [rule]);
    await call(server, `${podsPath}/web-0`, { method: 'DELETE' });
    await server.time.advance(0);
    const expected = states.map(([, summary]) => summary);
    expect(await timeline(server, ...states.map(([second]) => second))).toEqual(expected);
  });

  test('has ended while a finalizer holds it', async () => {
    const server = await podOf({}, []);
    await call(server, `${podsPath}/web-0`, {
      method: 'PATCH',
      body: { metadata: { finalizers: ['example.com/hold'] } },
      type: 'application/merge-patch+json',
    });
    await call(server, `${podsPath}/web-0`, { method: 'DELETE' });
    await server.time.advance(0);
    expect(summary(await read(server))).toBe('Failed a:Error0');
  });
});
