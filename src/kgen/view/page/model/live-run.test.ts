/** Runs of live pages: in increments, in limited memory, and of two sources. */
import { describe, expect, test } from 'vitest';
import { recordingEntries } from '../../recording.fixture.ts';
import { viewOfRecording } from '../../recording.ts';
import { LiveRun } from './live-run.ts';
import { eventAt, idOf, modelOf } from './run-model.ts';

const [header, ...entries] = recordingEntries;

function linesOf(...lines: readonly (object | undefined)[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function runOf(live: LiveRun) {
  const run = live.shown?.document.runs[0];
  const model = live.shown?.models[0];
  if (run === undefined || model === undefined) throw new Error('no run');
  return { run, model };
}

test('increments result in the run of the whole recording, with the same indices', () => {
  const whole = viewOfRecording(linesOf(header, ...entries)).runs[0];
  if (whole === undefined) throw new Error('no run');
  for (let first = 0; first <= entries.length; first += 1) {
    const live = new LiveRun();
    const at = { ...header, instance: 'a', position: first };
    const rest = { type: 'kgen recording increment', version: 1, instance: 'a', at: whole.to };
    const texts = [linesOf(at, ...entries.slice(0, first)), linesOf(rest, ...entries.slice(first))];
    for (const text of texts) live.add({ sources: [{ name: 'operator', tag: '', text }], hasActions: false });
    const { run, model } = runOf(live);
    // Compact events have their content on demand.
    expect(plain(run.events)).toEqual(plain(whole.events));
    expect(run.reconciles).toEqual(whole.reconciles);
    const expected = modelOf(whole);
    expect([...model.objects.keys()]).toEqual([...expected.objects.keys()]);
    for (const [id, { states, owners, reconciles }] of model.objects) {
      const other = expected.objects.get(id);
      expect([owners, reconciles]).toEqual([other?.owners, other?.reconciles]);
      expect(states.map(({ content }) => content)).toEqual(other?.states.map(({ content }) => content));
      expect(model.childrenOf(id).map((each) => each.id)).toEqual(
        expected.childrenOf(id).map((each) => each.id),
      );
    }
  }
});

/** Returns values with the members that their prototypes have. */
function plain(events: readonly object[]): readonly object[] {
  return events.map((event) => {
    const { content, body } = { content: Reflect.get(event, 'content'), body: Reflect.get(event, 'body') };
    return { ...event, ...(content !== undefined && { content }), ...(body !== undefined && { body }) };
  });
}

const informer = {
  type: 'informer',
  informer: 0,
  group: '',
  version: 'v1',
  resource: 'configmaps',
  kind: 'ConfigMap',
};

/** Returns the change of an object, whose version is the time. */
function changeOf(at: number, name: string, change = 'update'): object {
  const metadata = { name, namespace: 'shop', uid: name, resourceVersion: `${at}` };
  return {
    type: 'change',
    at,
    informer: 0,
    change,
    object: { metadata, data: { text: 'x'.repeat(100), at } },
  };
}

describe('in limited memory', () => {
  test('the oldest events are dropped, and each object has its last state', () => {
    const live = new LiveRun(100_000);
    const first = { ...header, instance: 'a', position: 0 };
    live.add({
      sources: [{ name: 'operator', tag: '', text: linesOf(first, informer, changeOf(1, 'idle')) }],
      hasActions: false,
    });
    for (let at = 2; at < 3_000; at += 1) {
      const cause = [{ type: 'update', informer: 'configmaps', object: 'shop/busy' }];
      const key = { namespace: 'shop', name: 'busy' };
      const lines = [
        changeOf(at, 'busy'),
        changeOf(at, `gone-${at}`, 'delete'),
        { type: 'start', at, run: at, controller: 'c', key, attempt: 1, cause },
        { type: 'end', at, run: at, outcome: { type: 'success' } },
      ];
      const head = { type: 'kgen recording increment', version: 1, instance: 'a', at };
      live.add({
        sources: [{ name: 'operator', tag: '', text: linesOf(head, ...lines) }],
        hasActions: false,
      });
    }
    const { run, model } = runOf(live);
    expect(run.firstEvent).toBeGreaterThan(4_000);
    expect(run.events.length).toBeLessThan(600);
    expect(run.from).toBe(run.events[0]?.at);
    const [idle, busy] = ['idle', 'busy'].map((name) =>
      model.objects.get(idOf({ group: '', resource: 'configmaps', namespace: 'shop', name })),
    );
    expect(idle?.states.map(({ content }) => content)).toMatchObject([{ data: { at: 1 } }]);
    expect(busy?.states.at(-1)?.content).toMatchObject({ data: { at: 2_999 } });
    expect(
      busy?.states.map(({ at, content }) => Reflect.get(Object(content), 'data').at === at),
    ).not.toContain(false);
    // Of the deleted ones, those of the events that remain.
    expect(model.objects.size).toBeLessThan(400);
    expect([...model.reconciles.keys()]).toEqual(run.reconciles.map(({ number }) => number));
    for (const { from, causes } of run.reconciles)
      expect(eventAt(run, causes[0]?.event)?.at ?? from).toBe(from);
    expect(busy?.reconciles).toEqual(run.reconciles.map(({ number }) => number));
  });

  test('objects follow their owner: one that appears later, and one that is dropped', () => {
    const live = new LiveRun(20_000);
    const add = (...lines: readonly object[]): void =>
      live.add({ sources: [{ name: 'operator', tag: '', text: linesOf(...lines) }], hasActions: false });
    const owned = (at: number): object => {
      const metadata = { name: 'child', namespace: 'shop', uid: 'child', resourceVersion: `${at}` };
      const object = { metadata: { ...metadata, ownerReferences: [{ uid: 'owner' }] }, data: { at } };
      return { type: 'change', at, informer: 0, change: 'update', object };
    };
    const idOfMap = (name: string): string =>
      idOf({ group: '', resource: 'configmaps', namespace: 'shop', name });
    const head = { type: 'kgen recording increment', version: 1, instance: 'a', at: 0 };
    add({ ...header, instance: 'a', position: 0 }, informer, owned(1), owned(2), owned(3));
    add(head, changeOf(4, 'owner', 'add'));
    const children = runOf(live).model.childrenOf(idOfMap('owner'));
    expect(children.map(({ id }) => id)).toEqual([idOfMap('child')]);
    add(head, changeOf(5, 'owner', 'delete'));
    for (let at = 6; at < 600; at += 1) add(head, changeOf(at, 'busy'));
    const { objects } = runOf(live).model;
    expect(objects.has(idOfMap('owner'))).toBe(false);
    expect(objects.get(idOfMap('child'))?.owners).toEqual([]);
  });

  test('a large number of objects remains', () => {
    const live = new LiveRun(10_000);
    const objects = Array.from({ length: 500 }, (_, index) => changeOf(index, `o${index}`, 'add'));
    const first = { ...header, instance: 'a', position: 0 };
    live.add({
      sources: [{ name: 'operator', tag: '', text: linesOf(first, informer, ...objects) }],
      hasActions: false,
    });
    expect(runOf(live).model.objects.size).toBe(500);
  });
});

describe('of an operator and its cluster', () => {
  const path = '/api/v1/namespaces/shop/configmaps/a';
  const request = { type: 'request', at: 5, request: 1, method: 'PATCH', path, query: [] };
  const own = [
    { ...request, run: 1, body: { data: {} } },
    { type: 'response', at: 6, run: 1, request: 1, result: 'response', body: {} },
  ];
  const ofServer = [
    { ...request, user: 'system:serviceaccount:shop:operator', process: 'node' },
    { type: 'response', at: 6, request: 1, result: 'response', status: 200 },
  ];
  const other = { ...request, request: 2, method: 'DELETE', user: 'admin', process: 'kubectl' };

  test.each([
    ['in one response', [[...own], [...ofServer, other]]],
    ['one after the other', [own, [], [], [...ofServer, other]]],
    ['the server first', [[], [...ofServer, other], own, []]],
  ])('a request is one, with the user that the server knows: %s', (_, responses) => {
    const live = new LiveRun();
    for (let index = 0; index < responses.length; index += 2) {
      const sources = ['operator', 'cluster'].map((name, place) => {
        const type = index === 0 ? 'kgen recording' : 'kgen recording increment';
        const first = { ...header, type, instance: name, at: 9 };
        const lines = responses[index + place] ?? [];
        return { name, tag: `${index}`, text: linesOf(first, ...(index === 0 ? [informer] : []), ...lines) };
      });
      live.add({ sources, hasActions: true });
    }
    const { run } = runOf(live);
    expect(
      run.events.map((event) => ('user' in event ? [event.user, event.status, event.reconcile] : [])),
    ).toEqual(
      expect.arrayContaining([
        ['system:serviceaccount:shop:operator', 200, 1],
        ['admin', undefined, undefined],
      ]),
    );
    expect(run.events).toHaveLength(2);
    expect(runOf(live).model.requestsOf(1)).toHaveLength(1);
    expect(live.after).toEqual([
      ['after.cluster', `${responses.length - 2}`],
      ['after.operator', `${responses.length - 2}`],
    ]);
  });

  test('a change that both have is one, to which causes refer', () => {
    const live = new LiveRun();
    const cause = [{ type: 'update', informer: 'configmaps', object: 'shop/a' }];
    const start = {
      type: 'start',
      at: 7,
      run: 1,
      controller: 'c',
      key: { namespace: 'shop', name: 'a' },
      attempt: 1,
      cause,
    };
    const text = (name: string, ...more: readonly object[]): string =>
      linesOf({ ...header, instance: name }, informer, changeOf(3, 'a'), changeOf(4, 'a', 'delete'), ...more);
    live.add({
      sources: [
        { name: 'operator', tag: '', text: text('operator', start) },
        { name: 'cluster', tag: '', text: text('cluster') },
      ],
      hasActions: false,
    });
    const { run } = runOf(live);
    expect(run.events.map(({ at }) => at)).toEqual([3, 4]);
    expect(run.reconciles[0]?.causes[0]?.event).toBe(0);
  });
});

test('a state is shown if it differs from the one before, or a second has passed', () => {
  const live = new LiveRun();
  const text = (at: number, waiting: number): string => {
    const key = { namespace: 'shop', name: 'a', since: 0 };
    const queue = { controller: 'c', workers: 1, running: [], waiting: Array(waiting).fill(key), more: 0 };
    const head = { type: 'kgen recording increment', version: 1, instance: 'a', at };
    return linesOf(head, { type: 'state', at, queues: [queue], informers: [] });
  };
  const begun = Date.parse(String(Reflect.get(header ?? {}, 'to')));
  const add = (each: string): unknown => {
    live.add({ sources: [{ name: 'operator', tag: '', text: each }], hasActions: false });
    return live.shown;
  };
  const shown = [
    linesOf({ ...header, instance: 'a' }),
    text(begun + 1, 0),
    text(begun + 2, 0),
    text(begun + 3, 1),
  ].map(add);
  expect(shown.map((each, index) => each === shown[index - 1])).toEqual([false, false, true, false]);
  expect(add(text(begun + 4, 1))).toBe(shown[3]);
  expect(add(text(begun + 1_100, 1))).not.toBe(shown[3]);
  for (let second = 2; second < 1_000; second += 1) add(text(begun + second * 1_000, 0));
  expect(runOf(live).run.states).toHaveLength(600);
});

test('a source that is missing has its reason, and the others are shown', () => {
  const live = new LiveRun();
  live.add({
    sources: [
      { name: 'operator', problem: 'it does not run' },
      { name: 'cluster', tag: '1', text: linesOf(header) },
    ],
    hasActions: false,
  });
  expect([live.problem, live.shown?.document.title]).toEqual(['it does not run', 'shop: recording']);
  const before = live.shown;
  live.add({ sources: [{ name: 'cluster', tag: '1', text: '' }], hasActions: false });
  expect([live.problem, live.shown]).toEqual(['', before]);
});
