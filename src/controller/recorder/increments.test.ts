import type { Informer, KubernetesObject } from '@kgen/runtime';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RunNotes } from '../records/run-notes.ts';
import { SecretValues } from '../secrecy/secret-values.ts';
import type { FlightRecorder } from './flight-recorder.ts';
import { context, fakeInformer, recorderInMemory } from './recorder.fixture.ts';

type Line = Readonly<Record<string, unknown>>;

const linesOf = (text: string): readonly Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const typesOf = (text: string): readonly unknown[] => linesOf(text).map(({ type }) => type);

const configMap = (name: string, resourceVersion = '1') => ({
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop', resourceVersion },
});

const increment = 'kgen recording increment';
const target = { group: '', version: 'v1', resource: 'configmaps', namespace: 'shop', name: 'b' };

/** Records a run with entries of all kinds that belong to runs. */
function runOnce(recorder: FlightRecorder): void {
  const run = recorder.started(context);
  const request = { request: { path: '/a' }, verb: 'get', target, isWrite: false, before: undefined };
  run.requested(request)({ type: 'response', response: configMap('b') });
  const call = { method: 'GET', url: new URL('http://a/'), headers: new Headers(), body: undefined };
  run.fetched?.(call)?.({ type: 'error', error: new Error('failed') });
  run.ended({ type: 'success' }, new RunNotes());
}

function reviewOnce(recorder: FlightRecorder): void {
  const resource = { group: '', version: 'v1', resource: 'configmaps' };
  const body = Buffer.from(JSON.stringify({ kind: 'AdmissionReview', request: { uid: '1', resource } }));
  recorder.reviewed({ at: 1, path: '/w', body, response: { status: 200, body: '{}' } });
}

describe('an increment of a recording', () => {
  type Recorder = Awaited<ReturnType<typeof recorderInMemory>>['recorder'];
  type Fake = ReturnType<typeof fakeInformer>;

  it.each<readonly [string, (recorder: Recorder, informer: Fake) => void, readonly string[]]>([
    ['nothing', () => undefined, []],
    ['a change', (_, informer) => informer.update(configMap('a', '2')), ['change']],
    ['a run', (recorder) => runOnce(recorder), ['start', 'request', 'response', 'fetch', 'fetched', 'end']],
    ['a review', (recorder) => reviewOnce(recorder), ['review']],
    [
      'an informer and a change of it',
      (recorder) => {
        const other = fakeInformer();
        recorder.follow(other.informer);
        other.add(configMap('z'));
      },
      ['informer', 'change'],
    ],
  ])('has what was recorded since: %s', async (_, act, types) => {
    const { recorder } = await recorderInMemory();
    const informer = fakeInformer();
    recorder.follow(informer.informer);
    informer.add(configMap('a'));
    const first = await recorder.since('');
    expect(typesOf(first.text)).toEqual([
      'kgen recording',
      'informer',
      'change',
      'state',
      'end of recording',
    ]);
    const [header] = linesOf(first.text);
    expect(first.tag).toBe(`"${String(header?.['instance'])}-${String(header?.['position'])}"`);
    act(recorder, informer);
    const second = await recorder.since(first.tag);
    expect(typesOf(second.text)).toEqual([increment, ...types, 'state']);
    const { instance, after, position } = linesOf(second.text)[0] ?? {};
    expect([instance, after]).toEqual([header?.['instance'], header?.['position']]);
    expect(second.tag).toBe(`"${String(instance)}-${String(position)}"`);
    expect(second.tag === first.tag).toBe(types.length === 0);
    const third = await recorder.since(second.tag);
    expect(typesOf(third.text)).toEqual([increment, 'state']);
    expect(third.tag).toBe(second.tag);
    // A page that is behind receives everything.
    expect(typesOf((await recorder.since(first.tag)).text)).toEqual(typesOf(second.text));
  });

  it.each<readonly [string, (tag: string, recorder: Recorder) => Promise<string>]>([
    ['no tag', async () => ''],
    ['another text', async () => '"x"'],
    ['the tag of another instance', async () => (await (await recorderInMemory()).recorder.since('')).tag],
    ['a later position', async (tag) => tag.replace(/\d+"$/, '9"')],
    [
      'an entry that was dropped',
      async (tag, recorder) => {
        for (let number = 0; number < 10_000; number += 1) recorder.started(context);
        return tag;
      },
    ],
  ])('is the whole recording for %s', async (_, tagOf) => {
    const { recorder } = await recorderInMemory();
    recorder.started(context);
    const after = await tagOf((await recorder.since('')).tag, recorder);
    expect(typesOf((await recorder.since(after)).text)[0]).toBe('kgen recording');
  });

  it('hides values of Secrets that became known after its entries', async () => {
    const secrets = new SecretValues();
    const { recorder } = await recorderInMemory({ secrets });
    const { tag } = await recorder.since('');
    recorder.started({ ...context, reconcileID: 'correct-horse-7' });
    secrets.keep(['correct-horse-7']);
    const { text } = await recorder.since(tag);
    expect(text).toContain('(redacted)');
    expect(text).not.toContain('correct-horse-7');
  });
});

it('computes nothing of a state without a request', async () => {
  const { recorder } = await recorderInMemory();
  const fake = fakeInformer();
  let calls = 0;
  const informer: Informer<KubernetesObject> = Object.create(fake.informer, {
    stats: {
      value: () => {
        calls += 1;
        return fake.informer.stats();
      },
    },
  });
  recorder.follow(informer);
  fake.add(configMap('a'));
  runOnce(recorder);
  expect(calls).toBe(0);
  const { text } = await recorder.since('');
  expect(calls).toBe(1);
  expect(linesOf(text).at(-2)).toMatchObject({
    type: 'state',
    informers: [{ informer: 0, objects: 1, isSynced: true, queued: 0, lagMs: 0 }],
  });
});

it('formats the entries after its position only', async () => {
  const secrets = new SecretValues();
  const { recorder } = await recorderInMemory({ secrets });
  for (let number = 0; number < 100; number += 1) recorder.started(context);
  const { tag } = await recorder.since('');
  recorder.started(context);
  const mask = vi.spyOn(secrets, 'mask');
  await recorder.since(tag);
  expect(mask).toHaveBeenCalledTimes(1);
});

describe('a recorder on demand', () => {
  const event = { regarding: configMap('a'), type: 'Normal', reason: 'R', action: 'A', note: 'n' } as const;

  /** Records one entry of each kind. */
  function everything(
    recorder: FlightRecorder,
    informer: ReturnType<typeof fakeInformer>,
    version: string,
  ): void {
    informer.update(configMap('a', version));
    runOnce(recorder);
    reviewOnce(recorder);
    recorder.reported({ ...event, regarding: { apiVersion: 'v1', ...event.regarding } });
    recorder.logged({ level: 'info', fields: {}, message: 'm' });
    recorder.leased({ lease: 'leader', isHeld: true, holder: version });
  }

  const entries = [
    'change',
    'start',
    'request',
    'response',
    'fetch',
    'fetched',
    'end',
    'review',
    'event',
    'log',
    'lease',
  ];

  it('records from the first request until a minute after the last one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { recorder } = await recorderInMemory({ isOnDemand: true });
    const informer = fakeInformer();
    recorder.follow(informer.informer);
    informer.add(configMap('a'));
    everything(recorder, informer, '2');

    const first = await recorder.since('');
    expect(typesOf(first.text)).toEqual([
      'kgen recording',
      'informer',
      'lease',
      'object',
      'state',
      'end of recording',
    ]);
    expect(first.text).toContain('"resourceVersion":"2"');
    everything(recorder, informer, '3');
    vi.setSystemTime(Date.now() + 59_000);
    const second = await recorder.since(first.tag);
    expect(typesOf(second.text)).toEqual([increment, ...entries, 'state']);

    vi.setSystemTime(Date.now() + 61_000);
    everything(recorder, informer, '4');
    const third = await recorder.since(second.tag);
    expect(typesOf(third.text)).toEqual([
      'kgen recording',
      'informer',
      'lease',
      'object',
      'state',
      'end of recording',
    ]);
    expect(third.text).toContain('"resourceVersion":"4"');
    expect(third.text).toContain('"holder":"4"');
  });

  it('has the whole recording for the tag of before a pause in which nothing was recorded', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { recorder } = await recorderInMemory({ isOnDemand: true });
    const { tag } = await recorder.since('');
    vi.setSystemTime(Date.now() + 61_000);
    expect(typesOf((await recorder.since(tag)).text)[0]).toBe('kgen recording');
  });

  it('does not record the end of a run whose start it has not', async () => {
    const { recorder } = await recorderInMemory({ isOnDemand: true });
    const run = recorder.started(context);
    const { tag } = await recorder.since('');
    run.ended({ type: 'success' }, new RunNotes());
    expect(typesOf((await recorder.since(tag)).text)).toEqual([increment, 'state']);
  });
});
