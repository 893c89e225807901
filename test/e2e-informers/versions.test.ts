/** A short version of these tests, on older and newer servers. */
import { expect, it, onTestFinished } from 'vitest';
import { onControlPlane } from '../support/audited-plane.ts';
import { configMaps, fill } from './load.ts';
import type { ConnectionStep } from './steps.ts';
import { seed, startConnectionProxy, trial } from './trial.ts';

const menu: readonly [ConnectionStep, ...ConnectionStep[]] = [
  { type: 'cut', how: 'reset' },
  { type: 'cut after', how: 'reset', bytes: 700 },
  { type: 'refuse' },
];

for (const version of ['1.33.13', '1.37.1']) {
  onControlPlane(`informers of a server of Kubernetes ${version}`, { version }, (env) => {
    it(`resume after cuts and a restart (seed ${seed})`, async () => {
      const proxy = await startConnectionProxy(env, onTestFinished);
      const { config } = proxy;
      const options = { config, stage: proxy, menu, kinds: [configMaps], writes: 60 };
      const { followers, logs, requests } = await trial(env, options, onTestFinished);
      for (const all of followers) await all.agree(env, logs, { complete: true });
      expect(requests.filter(({ verb }) => verb === 'list')).toEqual([]);
      await env.plane.restart();
      const later = await fill(env.direct, configMaps, await env.namespaces(1), 20);
      for (const all of followers) await all.agree(env, [...logs, later], { complete: false });
    });
  });
}
