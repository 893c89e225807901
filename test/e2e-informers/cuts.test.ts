/**
 * Connections that are lost, slow or silent: informers resume from their last version, which the audit log of
 * the server proves.
 */
import { expect, it, onTestFinished } from 'vitest';
import { onControlPlane } from '../support/audited-plane.ts';
import type { ConnectionStep, Stage } from './steps.ts';
import { seed, startConnectionProxy, trial } from './trial.ts';

const menus: Readonly<Record<string, readonly [ConnectionStep, ...ConnectionStep[]]>> = {
  'cuts, between events and in the middle of them': [
    { type: 'cut', how: 'reset' },
    { type: 'cut', how: 'end', share: 0.5 },
    { type: 'cut after', how: 'reset', bytes: 700 },
    { type: 'cut after', how: 'end', bytes: 2_500 },
  ],
  'a server that is out of reach now and then': [
    { type: 'refuse' },
    { type: 'cut', how: 'reset' },
    { type: 'delay', ms: 30 },
  ],
  'a proxy that ends every connection early': [{ type: 'lifetime', ms: 200 }],
  'a connection that is slow or stalls': [
    { type: 'throttle', bytesPerSecond: 100_000 },
    { type: 'stall', towards: 'client' },
    { type: 'stall', towards: 'both' },
    { type: 'delay', ms: 20 },
  ],
};

/** Steps that leave no open connection. */
const ends: ReadonlySet<string> = new Set(['cut', 'cut after', 'refuse', 'lifetime']);

onControlPlane('informers behind a proxy', {}, (env) => {
  it.each(Object.entries(menus))(`resume after %s (seed ${seed})`, async (_, menu) => {
    const proxy = await startConnectionProxy(env, onTestFinished);
    const { followers, logs, requests, played } = await trial(
      env,
      { config: proxy.config, stage: proxy, menu },
      onTestFinished,
    );
    expect(played).toBeGreaterThan(5);
    for (const all of followers) await all.agree(env, logs, { complete: true });
    // Watches may survive a connection that only stalls for a while.
    if (menu.some(({ type }) => ends.has(type))) expect(requests.map(({ verb }) => verb)).toContain('watch');
    expect(requests.filter(({ verb }) => verb === 'list')).toEqual([]);
    expect(requests.filter(({ query }) => query.has('sendInitialEvents'))).toEqual([]);
  });

  it(`detect connections that are silent forever (seed ${seed})`, async () => {
    const proxy = await startConnectionProxy(env, onTestFinished);
    // One fault in the middle of the load, from which the informers must recover by themselves.
    let frozen = 0;
    const stage: Stage<ConnectionStep> = {
      apply: () => {
        if (frozen === 0) proxy.apply({ type: 'freeze' });
        frozen += 1;
      },
    };
    const options = { config: proxy.config, stage, menu: [{ type: 'freeze' }], speed: 100 } as const;
    const { followers, logs, requests } = await trial(env, options, onTestFinished);
    for (const all of followers) await all.agree(env, logs, { complete: true });
    expect(frozen).toBeGreaterThan(0);
    expect(requests.filter(({ verb }) => verb === 'list')).toEqual([]);
  });
});
