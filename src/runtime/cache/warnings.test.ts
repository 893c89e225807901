import { afterEach, describe, expect, it, vi } from 'vitest';
import { apiError } from '../../../test/support/runtime/failures.ts';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import { noInformers } from '../../../test/support/runtime/no-informers.ts';
import { noTimePasses } from '../../../test/support/runtime/no-time-passes.ts';
import { listOf, ScriptedSource, type Thing, thing } from '../../../test/support/runtime/scripted-source.ts';
import { ConfigError, TransportError } from '../api/errors.ts';
import type { InformerOptions } from './informer/informer.ts';
import { SharedInformer } from './informer/shared-informer.ts';
import { namespacedLister } from './lister/lister.ts';

noTimePasses();

function unheard(clock: FakeClock, source: ScriptedSource, options: InformerOptions<Thing> = {}) {
  return new SharedInformer({
    informers: noInformers,
    name: 'things',
    resource: { group: 'example.com', version: 'v1', resource: 'things' },
    sources: [{ source }],
    lister: namespacedLister<Thing>,
    options,
    streaming: false,
    environment: { clock, random: () => 0 },
  });
}

describe('process warnings', () => {
  afterEach(() => void vi.restoreAllMocks());

  it.each([
    { response: apiError('forbidden'), warned: 1 },
    { response: apiError('bad'), warned: 1 },
    { response: new ConfigError('no such file'), warned: 1 },
    { response: apiError('absent'), warned: 1 },
    { response: apiError('internal'), warned: 0 },
  ])('$response causes $warned warnings without a listener', async ({ response, warned }) => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const clock = new FakeClock();
    const informer = unheard(clock, new ScriptedSource(response, response));
    informer.start();
    await clock.advance(1000);
    expect(warnings).toHaveBeenCalledTimes(warned);
    await informer.stop();
  });

  it('are emitted once for an unreachable server', async () => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const clock = new FakeClock();
    const refused = new TransportError('refused');
    const source = new ScriptedSource(...Array.from({ length: 12 }, () => refused));
    const informer = unheard(clock, source);
    informer.start();
    while (source.requested.length < 5) await clock.advance(100);
    expect(warnings.mock.calls).toEqual([['informer for things: request: refused', 'InformerWarning']]);
    while (source.requested.length < 12) await clock.advance(1000);
    expect(warnings).toHaveBeenCalledTimes(1);
    await informer.stop();
  });

  it('are emitted for the 1st, the 10th, the 100th object that fails', async () => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const objects = Array.from({ length: 150 }, (_, number) => thing(`n${number}`, number + 1));
    const transform = (): never => {
      throw new Error('oops');
    };
    const source = new ScriptedSource(listOf(500, objects));
    const informer = unheard(new FakeClock(), source, { transform });
    informer.start();
    await informer.synced;
    const warned = (name: string, more = '') => [
      `informer for things: transform of shop/${name}: oops${more}`,
      'InformerWarning',
    ];
    expect(warnings.mock.calls).toEqual([
      warned('n0'),
      warned('n9', " (10 so far; on('error') receives each)"),
      warned('n99', " (100 so far; on('error') receives each)"),
    ]);
    await informer.stop();
  });

  it('contain the object of a failed handler', async () => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const informer = unheard(new FakeClock(), new ScriptedSource(listOf(5, [thing('a', 3)])));
    const add = async () => {
      throw new Error('oops');
    };
    informer.start();
    await informer.handle({ add }).synced;
    expect(warnings.mock.calls).toEqual([
      ['informer for things: handler of shop/a: oops', 'InformerWarning'],
    ]);
    await informer.stop();
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('oops');
      },
    ],
    ['rejects', () => Promise.reject(new Error('oops'))],
  ])('are emitted for a listener that %s', async (_, listener) => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const informer = unheard(new FakeClock(), new ScriptedSource(apiError('forbidden')));
    informer.on('error', listener);
    informer.start();
    await settle();
    expect(warnings.mock.calls).toEqual([['a listener for error failed: oops', 'InformerWarning']]);
    await informer.stop();
  });
});
