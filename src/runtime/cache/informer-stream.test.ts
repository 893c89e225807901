/** States that change while they are streamed. */
import { describe, expect, it } from 'vitest';
import { ByteStream } from '../../../test/support/runtime/byte-stream.ts';
import { settle } from '../../../test/support/runtime/fake-clock.ts';
import {
  delivered,
  notingHandlers,
  informerWorld as world,
} from '../../../test/support/runtime/informer-world.ts';
import { noTimePasses } from '../../../test/support/runtime/no-time-passes.ts';
import { type Thing, thing } from '../../../test/support/runtime/scripted-source.ts';
import type { InformerOptions } from './informer/informer.ts';

noTimePasses();

const endOfState = (version: number) => ({
  type: 'BOOKMARK',
  object: {
    metadata: { resourceVersion: String(version), annotations: { 'k8s.io/initial-events-end': 'true' } },
  },
});
const expired = {
  type: 'ERROR',
  object: { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired' },
};

/** Creates an informer with `a` and `b` that loses its history, and the stream of the next state. */
async function relisting(options: InformerOptions<Thing> = {}) {
  const [first, second] = [new ByteStream(), new ByteStream()];
  const { informer, clock, errors } = world([first, second], options, true);
  const { calls, handlers } = notingHandlers();
  informer.handle(handlers);
  informer.start();
  await settle();
  for (const name of ['a', 'b']) first.line({ type: 'ADDED', object: thing(name, 3) });
  first.line(endOfState(4));
  await delivered(informer);
  first.line(expired);
  await clock.advance(1700);
  calls.length = 0;
  return { informer, second, calls, errors };
}

it('streams the state in one request, and follows the same stream', async () => {
  const stream = new ByteStream();
  const { informer, source } = world([stream], {}, true);
  informer.start();
  await settle();
  stream.line({ type: 'ADDED', object: thing('a', 3) });
  stream.line(endOfState(4));
  await informer.synced;
  expect(source.log).toEqual([
    'watch sendInitialEvents=true resourceVersionMatch=NotOlderThan allowWatchBookmarks=true',
  ]);
  await informer.stop();
});

describe('a deletion in a streamed state', () => {
  it('is delivered with the last state, and a duplicate event does not restore the object', async () => {
    const { informer, second, calls } = await relisting();
    second.line({ type: 'ADDED', object: thing('a', 3) });
    second.line({ type: 'ADDED', object: thing('b', 3) });
    second.line({ type: 'DELETED', object: thing('a', 6) });
    second.line({ type: 'MODIFIED', object: thing('b', 7) });
    for (const name of ['a', 'b']) second.line({ type: 'ADDED', object: thing(name, 3) });
    second.line(endOfState(8));
    await delivered(informer);
    expect(calls).toEqual(['delete a@6', 'update b@3 to b@7']);
    expect(informer.lister.list()).toEqual([thing('b', 7)]);
    await informer.stop();
  });

  it('is delivered as transformed, or as cached if the transform throws', async () => {
    const { informer, second, calls, errors } = await relisting({
      transform: (object) => {
        if (object.metadata.resourceVersion === '7') throw new Error('oops');
        return { ...object, spec: { size: 1 } };
      },
    });
    const seen: unknown[] = [];
    informer.handle({ delete: (object, { missed }) => void seen.push([object, missed]) });
    second.line({ type: 'DELETED', object: thing('a', 6) });
    second.line({ type: 'DELETED', object: thing('b', 7) });
    second.line(endOfState(8));
    await delivered(informer);
    expect(calls).toEqual(['delete a@6', 'delete b@3']);
    expect(seen).toEqual([
      [{ ...thing('a', 6), spec: { size: 1 } }, false],
      [{ ...thing('b', 3), spec: { size: 1 } }, false],
    ]);
    // No rejected object remains.
    expect([errors.length, informer.stats().unreadable]).toEqual([1, 0]);
    await informer.stop();
  });
});
