import { describe, expect, it } from 'vitest';
import type { RunWrite } from '../client/run-scope.ts';
import { LoopWatch } from './loop-watch.ts';
import type { LoopReport } from './report.ts';

const target = { group: '', version: 'v1', resource: 'configmaps', namespace: 'shop', name: 'web' };
let version = 0;

function state(data: object): object {
  version += 1;
  return { metadata: { name: 'web', resourceVersion: String(version) }, data };
}

function write(changes: Partial<RunWrite>): RunWrite {
  return {
    ...{ verb: 'apply', target, object: state({}), isNameGenerated: false, isVisible: true },
    ...{ fieldManager: 'me', before: undefined, isCreation: false, isDeletion: false, ...changes },
  };
}

/** Reports of runs with the writes that `writesOf` returns for each, one run per `intervalMs`. */
function reportsOf(
  writesOf: (run: number) => readonly RunWrite[],
  { runs = 30, intervalMs = 100 } = {},
): readonly LoopReport[] {
  const watch = new LoopWatch();
  const reports = Array.from({ length: runs }, (_, run) =>
    watch.reconciled('a', writesOf(run), run * intervalMs),
  );
  return reports.filter((report) => report !== undefined);
}

describe('keys that keep writing', () => {
  it('are reported once, with the field', () => {
    const changing = (run: number) => [write({ before: state({ a: run }), object: state({ a: run + 1 }) })];
    expect(reportsOf(changing)).toMatchObject([{ kind: 'self', fields: [{ path: '.data.a' }] }]);
  });

  it('are reported if they write each ten seconds', () => {
    const changing = (run: number) => [write({ before: state({ a: run }), object: state({ a: run + 1 }) })];
    expect(reportsOf(changing, { intervalMs: 10_000 })).toHaveLength(1);
  });

  it('are reported if they create objects with generated names', () => {
    const creating = (run: number) => [
      write({
        ...{ target: { ...target, name: undefined }, isNameGenerated: true, isCreation: true },
        object: { metadata: { name: `web-${run}`, generateName: 'web-', resourceVersion: String(run) } },
      }),
    ];
    expect(reportsOf(creating)).toMatchObject([{ object: { name: 'web-*' } }]);
  });

  it('are reported if no cache has the object', () => {
    expect(reportsOf((run) => [write({ object: state({ a: run }) })])).toHaveLength(1);
  });

  it.each<readonly [string, (run: number) => readonly RunWrite[]]>([
    ['nothing', () => []],
    [
      'writes that change no field which the cache keeps',
      (run) => [write({ before: state({}), after: state({}), object: state({ other: run }) })],
    ],
    ['writes without an effect to an object of no cache', () => [write({ object: state({ a: 1 }) })]],
    ['lost responses', () => [write({ object: undefined })]],
    ['other kinds of responses', () => [write({ target: { ...target, subresource: 'scale' } })]],
    [
      'writes to different fields',
      (run) => [write({ before: state({}), object: state({ [`a${run}`]: run }) })],
    ],
  ])('are not those with %s', (_, writesOf) => {
    expect(reportsOf(writesOf)).toEqual([]);
  });

  it('are not those that write rarely', () => {
    const changing = (run: number) => [write({ before: state({ a: run }), object: state({ a: run + 1 }) })];
    expect(reportsOf(changing, { intervalMs: 60_000 })).toEqual([]);
  });
});

describe('keys that do not keep writing', () => {
  it('cost no comparison of objects', () => {
    const watch = new LoopWatch();
    const unread = (): object =>
      Object.defineProperty(state({}), 'data', {
        enumerable: true,
        get: () => expect.fail('the object was compared'),
      });
    for (let key = 0; key < 100; key += 1) {
      for (let run = 0; run < 5; run += 1) {
        watch.event(`${key}`, { object: { ...target, name: 'web' }, before: unread(), after: unread() });
        watch.reconciled(`${key}`, [write({ before: unread(), object: unread() })], run);
      }
    }
  });
});
