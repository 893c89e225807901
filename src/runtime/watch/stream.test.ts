import { expect, it } from 'vitest';
import { ByteStream } from '../testkit/byte-stream.ts';
import { FakeClock } from '../testkit/fake-clock.ts';
import { ScriptedSource, type Thing, thing } from '../testkit/scripted-source.ts';
import { EventStream } from './stream.ts';

it('a stream that is open is not silent before anybody reads it', async () => {
  const bytes = new ByteStream();
  const [clock, { signal }] = [new FakeClock(), new AbortController()];
  const action = { type: 'watch', params: { resourceVersion: '5' } } as const;
  const operation = { verb: 'watch', resource: 'things' };
  const stream = new EventStream<Thing>(operation, action, { clock, random: () => 0 }, signal);
  await stream.open(new ScriptedSource(bytes), action.params);
  await clock.advance(3_600_000);
  const change = { type: 'ADDED', object: thing('a', 9) };
  bytes.line(change);
  expect(await stream.read()).toEqual({ type: 'events', events: [change] });
  stream.close();
  expect([bytes.cancelled, clock.armed]).toEqual([true, 0]);
});
