import { expect, test } from 'vitest';
import { array, type JsonObject, object, own, text } from '../../../../schema/values/json.ts';
import { call, start } from '../../../client.fixture.ts';
import type { TestServer } from '../../../server/testserver.ts';
import type { PodRule } from '../rules.ts';

const path = '/api/v1/namespaces/default/pods';

/** The container `b` ends with 42 after 5 seconds, once; init containers end after a second. */
const rule: PodRule = {
  *run({ name, restarts, log }) {
    log(`${name} ${restarts}`);
    if (name === 'i') {
      yield 1_000;
      return 0;
    }
    if (name === 'b' && restarts === 0) {
      yield 5_000;
      return 42;
    }
    for (;;) yield 60_000;
  },
};

const restartPolicyRules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }];

async function startWith(spec: JsonObject): Promise<TestServer> {
  const server = await start({ controllers: true, time: 'virtual', pods: [rule] });
  const created = await call(server, path, { method: 'POST', body: { metadata: { name: 'web-0' }, spec } });
  expect([created.code, own(created.body, 'message')]).toEqual([201, undefined]);
  return server;
}

const spec = {
  restartPolicy: 'Never',
  initContainers: [
    { name: 'i', image: 'i' },
    { name: 's', image: 's', restartPolicy: 'Always' },
  ],
  containers: [
    { name: 'a', image: 'a' },
    { name: 'b', image: 'b', restartPolicy: 'Never', restartPolicyRules },
  ],
};

/** Returns phase, and state, restarts and the reason of the last end of each container. */
async function summary(server: TestServer): Promise<string> {
  const pod = (await call(server, `${path}/web-0`)).body;
  const lists = ['initContainerStatuses', 'containerStatuses'];
  const states = lists
    .flatMap((list) => array(pod, 'status', list))
    .map((each) => {
      const [state = ''] = Object.keys(object(each, 'state'));
      const reason = text(each, 'state', state, 'reason') || state;
      const last = text(each, 'lastState', 'terminated', 'reason');
      return `${text(each, 'name')}:${reason}${own(object(each), 'restartCount')}${last === '' ? '' : `<${last}`}`;
    });
  const conditions = array(pod, 'status', 'conditions').filter((each) =>
    ['Initialized', 'AllContainersRestarting'].includes(text(each, 'type')),
  );
  const found = conditions.map((each) => text(each, 'status'));
  return [text(pod, 'status', 'phase'), ...states, ...found].join(' ');
}

const all = 'RestartingAllContainers';

test('a rule restarts all containers of a pod from its init containers, without a back-off', async () => {
  const server = await startWith(spec);
  const found: string[] = [];
  for (const ms of [1_000, 5_000, 1_000, 60_000]) {
    await server.time.advance(ms);
    found.push(await summary(server));
  }
  expect(found).toEqual([
    'Running i:Completed0 s:running0 a:running0 b:running0 True False',
    `Pending i:running1<${all} s:${all}1<${all} a:${all}1<${all} b:${all}1<${all} True False`,
    `Running i:Completed1<${all} s:running1<${all} a:running1<${all} b:running1<${all} True False`,
    `Running i:Completed1<${all} s:running1<${all} a:running1<${all} b:running1<${all} True False`,
  ]);
  const log = (query: string) => call(server, `${path}/web-0/log?container=a${query}`);
  expect((await log('')).body['text']).toBe('a 1\n');
  expect((await log('&previous=true')).body['text']).toBe('a 0\n');
});

test('containers that were removed start on a server that continues from a snapshot', async () => {
  const server = await startWith(spec);
  await server.time.advance(6_000);
  const snapshot = server.snapshot();
  const other = await start({ controllers: true, time: 'virtual', pods: [rule] });
  other.restore(snapshot);
  await other.time.advance(70_000);
  expect(await summary(other)).toMatch(/^Running i:Completed1.* s:running1.* a:running1.* b:running1/);
});
