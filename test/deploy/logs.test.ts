/** `kgen logs` of operators with several Pods, which are replaced, restarted or crash. */
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { deploy } from '../../src/kgen/project/cluster/deploy.ts';
import { type LogsOptions, showLogs } from '../../src/kgen/project/cluster/logs.ts';
import { openSession, type TestOperator, type TestSession, testOperator } from './operator.ts';

interface Line {
  readonly text: string;
  readonly time: Date;
}

let server: TestServer;
let ann: TestSession;
let count = 0;
/** Lines of a run of a container by the name of its Pod: a run that has ended has no lines any more. */
let runs = new Map<string, readonly Line[]>();
/** Pods whose container runs on after its lines. */
let endless = new Set<string>();

beforeAll(async () => {
  server = await startTestServer({ controllers: true, nodes: ['n1'] });
  server.onLogs(async function* ({ pod, follow, signal }) {
    yield* runs.get(pod) ?? [];
    if (!follow || !endless.has(pod)) return;
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  });
});
afterAll(() => server.stop());
afterEach(() => ann.cluster.close());

async function deployed(replicas = 2): Promise<TestOperator> {
  ann = openSession(server.admin);
  const target = testOperator(`logs-${++count}`, { replicas });
  await deploy(ann.cluster, target, ann.session);
  [runs, endless] = [new Map(), new Set()];
  return target;
}

async function podsOf({ namespace }: TestOperator): Promise<readonly string[]> {
  const found = await ann.cluster.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace });
  return found.map(({ metadata }) => String(Object(metadata).name)).toSorted();
}

async function logged(target: TestOperator, options: Partial<LogsOptions> = {}): Promise<readonly string[]> {
  const lines: string[] = [];
  await showLogs(ann.cluster, { ...target, ...options }, { print: (line) => void lines.push(line) });
  return lines;
}

const now = Date.now();
const line = (text: string, secondsAgo: number): Line => ({ text, time: new Date(now - secondsAgo * 1_000) });

describe('kgen logs', () => {
  it.each<readonly [title: string, options: Partial<LogsOptions>, lines: readonly string[]]>([
    ['all lines in the order of time', {}, ['a 1', 'b 1', 'a 2', 'b 2', 'b 3']],
    ['the last line of each Pod', { tail: 1 }, ['a 2', 'b 3']],
    ['the lines of the last minutes', { sinceSeconds: 600 }, ['a 2', 'b 2', 'b 3']],
    ['the last line of each Pod of the last minutes', { tail: 1, sinceSeconds: 200 }, ['b 3']],
  ])('print %s', async (_, options, expected) => {
    const target = await deployed();
    const [a = '', b = ''] = await podsOf(target);
    runs.set(a, [line('a 1', 9_000), line('a 2', 500)]);
    runs.set(b, [line('b 1', 8_000), line('b 2', 400), line('b 3', 10)]);
    const short = (text: string): string => (text.startsWith('a') ? a : b).replace(`${target.name}-`, '');
    expect(await logged(target, options)).toEqual(expected.map((text) => `${short(text)} | ${text}`));
  });

  it('say that there are none, and where to look', async () => {
    const target = await deployed();
    expect(await logged(target)).toEqual(['The Pods have written nothing: kgen doctor shows their state.']);
    await expect(logged({ ...target, name: 'other' })).rejects.toThrow(
      /^Deployment logs-\d+\/other does not exist: run kgen deploy, or choose another context$/,
    );
  });

  it('have the last run of a container that crashes', async () => {
    ann = openSession(server.admin);
    const target = testOperator(`logs-${++count}`, { replicas: 1 });
    onTestFinished(server.pods.add({ match: { namespace: target.namespace }, exit: { code: 3 } }));
    await expect(deploy(ann.cluster, { ...target, patienceMs: 100 }, ann.session)).rejects.toThrow(
      /exit code 3/,
    );
    const [pod = ''] = await podsOf(target);
    runs = new Map([[pod, [line('a fault', 10)]]]);
    expect(await logged(target)).toEqual([expect.stringMatching(/ \| a fault$/)]);
  });

  it('follow a container over its restart, and a Pod that replaces another one, until they are interrupted', async () => {
    const target = await deployed(1);
    const [first = ''] = await podsOf(target);
    runs.set(first, [line('before', 20)]);
    const lines: string[] = [];
    const interruption = new AbortController();
    const done = showLogs(
      ann.cluster,
      { ...target, follow: true, signal: interruption.signal },
      { print: (text) => void lines.push(text.replace(/^.* \| /, '')) },
    );
    await expect.poll(() => lines, { timeout: 10_000 }).toEqual(['before']);
    runs.set(first, [line('restarted', 10)]);
    await expect.poll(() => lines, { timeout: 10_000 }).toEqual(['before', 'restarted']);
    endless.add(first);
    await ann.cluster.delete({ apiVersion: 'v1', kind: 'Pod', namespace: target.namespace, name: first });
    await expect.poll(() => podsOf(target), { timeout: 10_000 }).not.toContain(first);
    await expect.poll(async () => (await podsOf(target)).length, { timeout: 10_000 }).toBe(1);
    const [second = ''] = await podsOf(target);
    runs.set(second, [line('replaced', 0)]);
    await expect.poll(() => lines, { timeout: 20_000 }).toEqual(['before', 'restarted', 'replaced']);
    interruption.abort();
    await done;
  }, 60_000);
});
