import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConfigError, TransportError } from '../errors.ts';
import { apiError } from '../testkit/failures.ts';
import { FakeClock, settle } from '../testkit/fake-clock.ts';
import { ScriptedSource, type Thing } from '../testkit/scripted-source.ts';
import { namespacedLister } from './lister.ts';
import { SharedInformer } from './shared-informer.ts';

function unheard(clock: FakeClock, source: ScriptedSource) {
  return new SharedInformer({
    name: 'things',
    sources: [{ source }],
    lister: namespacedLister<Thing>,
    options: {},
    streaming: false,
    environment: { clock, random: () => 0 },
  });
}

describe('warnings of the process', () => {
  afterEach(() => void vi.restoreAllMocks());

  it.each([
    { answer: apiError('forbidden'), warned: 1 },
    { answer: apiError('bad'), warned: 1 },
    { answer: new ConfigError('no such file'), warned: 1 },
    { answer: apiError('absent'), warned: 1 },
    { answer: apiError('internal'), warned: 0 },
  ])('without a listener, $answer is a warning $warned times', async ({ answer, warned }) => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const clock = new FakeClock();
    const informer = unheard(clock, new ScriptedSource(answer, answer));
    informer.start();
    await clock.advance(1000);
    expect(warnings).toHaveBeenCalledTimes(warned);
    await informer.stop();
  });

  it('warns once of a server that stays out of reach', async () => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const clock = new FakeClock();
    const refused = new TransportError('refused');
    const source = new ScriptedSource(...Array.from({ length: 12 }, () => refused));
    const informer = unheard(clock, source);
    informer.start();
    while (source.asked.length < 5) await clock.advance(100);
    expect(warnings.mock.calls).toEqual([['informer for things: request: refused', 'InformerWarning']]);
    while (source.asked.length < 12) await clock.advance(1000);
    expect(warnings).toHaveBeenCalledTimes(1);
    await informer.stop();
  });

  it('makes a warning of a listener that rejects', async () => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const informer = unheard(new FakeClock(), new ScriptedSource(apiError('forbidden')));
    informer.on('error', async () => {
      throw new Error('oops');
    });
    informer.start();
    await settle();
    expect(warnings.mock.calls).toEqual([['a listener for error failed: oops', 'InformerWarning']]);
    await informer.stop();
  });
});
