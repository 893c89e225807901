/** Rejected requests and false watch events, between informers and a real server. */
import { isDecodeError } from '@kgen/runtime';
import { expect, it, onTestFinished } from 'vitest';
import { deadline, type Env, onControlPlane } from '../support/audited-plane.ts';
import type { Finished } from '../support/cluster-tests.ts';
import { RequestProxy } from './http-proxy.ts';
import { configMaps } from './load.ts';
import type { RequestStep, Stage } from './steps.ts';
import { startTokens } from './tokens.ts';
import { seed, startRequestProxy, type Trial, trial } from './trial.ts';

type Menu = readonly [RequestStep, ...RequestStep[]];

/** Faults that do not expire the history: informers resume. */
const bearable: Readonly<Record<string, Menu>> = {
  'a proxy that ends every watch early': [{ type: 'watch lifetime', ms: 200 }],
  'cuts in the middle of an event': [{ type: 'cut in event' }, { type: 'end watches' }],
  'bursts of 429, 500, 503 and 504': [
    { type: 'answer', status: 429, times: 8 },
    { type: 'answer', status: 500, times: 8 },
    { type: 'answer', status: 503, times: 8 },
    { type: 'answer', status: 504, times: 8 },
  ],
  '429 and 503 with Retry-After': [
    { type: 'answer', status: 429, times: 2, retryAfterSeconds: 1 },
    { type: 'answer', status: 503, times: 2, retryAfterSeconds: 1 },
  ],
};

onControlPlane('informers behind a proxy that reads', {}, (env) => {
  it.each(Object.entries(bearable))(`resume after %s (seed ${seed})`, async (_, menu) => {
    const proxy = await startRequestProxy(env, onTestFinished);
    const { followers, logs, requests, played } = await disturbed(env, proxy, menu, onTestFinished);
    expect(played).toBeGreaterThan(5);
    for (const all of followers) await all.agree(env, logs, { complete: true });
    expect(requests.map(({ verb }) => verb)).toContain('watch');
    expect(statesOf(requests)).toEqual([]);
  });

  it(`ignore repeated and stale events (seed ${seed})`, async () => {
    const proxy = await startRequestProxy(env, onTestFinished);
    const menu: Menu = [
      { type: 'insert event', what: 'repeated' },
      { type: 'insert event', what: 'stale' },
    ];
    const { followers, logs, requests, played } = await disturbed(env, proxy, menu, onTestFinished);
    expect(played).toBeGreaterThan(5);
    for (const all of followers) await all.agree(env, logs, { complete: true });
    for (const { all } of followers) expect(Math.max(...all.map(({ stale }) => stale))).toBeGreaterThan(0);
    expect(statesOf(requests)).toEqual([]);
  });

  it.each([
    { what: 'garbage', reason: 'garbled' },
    { what: 'undecodable', reason: 'garbled' },
    { what: 'expired', reason: 'expired' },
  ] as const)(`relist after $what (seed ${seed})`, async ({ what, reason }) => {
    const proxy = await startRequestProxy(env, onTestFinished);
    const { followers, logs } = await disturbed(env, proxy, [{ type: 'insert event', what }], onTestFinished);
    for (const all of followers) await all.agree(env, logs, { complete: false });
    for (const { name, relists, errors } of followers.flatMap(({ all }) => all)) {
      expect(new Set(relists), name).toEqual(new Set([reason]));
      const unreadable = errors.filter(({ error }) => isDecodeError(error));
      expect(unreadable, name).toHaveLength(reason === 'garbled' ? relists.length : 0);
    }
  });

  it(`resume if a token expires in a long watch (seed ${seed})`, async () => {
    const tokens = await startTokens(env, onTestFinished);
    const { server, tls } = env.plane.config;
    const target = { server, tls: { ca: tls?.ca ?? '' }, auth: { tokenFile: tokens.file } };
    const proxy = await RequestProxy.start(target);
    onTestFinished(() => proxy.stop());
    const stage: Stage<RequestStep> = {
      apply: (step) => {
        if (step.type === 'calm') tokens.rotate();
        else proxy.apply(step);
      },
    };
    const { followers, logs, requests } = await trial(
      env,
      { config: proxy.config, stage, menu: [{ type: 'token lifetime', ms: 300 }] },
      onTestFinished,
    );
    tokens.rotate();
    proxy.apply({ type: 'calm' });
    for (const all of followers) await all.agree(env, logs, { complete: true });
    expect(proxy.tokens).toBeGreaterThan(2);
    expect(proxy.requests.filter(({ status }) => status === 401)).not.toEqual([]);
    expect(requests.filter(({ verb }) => verb === 'list')).toEqual([]);
  });

  it(`relist although lists are rejected or expired (seed ${seed})`, async () => {
    const proxy = await startRequestProxy(env, onTestFinished);
    const menu: Menu = [
      { type: 'answer', status: 410, times: 6, verb: 'list' },
      { type: 'answer', status: 410, times: 6, verb: 'watch' },
      { type: 'answer', status: 503, times: 6, verb: 'list' },
      { type: 'insert event', what: 'expired' },
    ];
    const { followers, logs } = await disturbed(env, proxy, menu, onTestFinished);
    await untilListIsRefused(env, proxy);
    for (const all of followers) await all.agree(env, logs, { complete: false });
  });
});

/** Ensures a rejected list: if all steps are over before any list, one step remains until a list arrives. */
async function untilListIsRefused(env: Env, proxy: RequestProxy): Promise<void> {
  const [namespace = ''] = await env.namespaces(1);
  const objects = env.direct.resource(configMaps.resource).namespace(namespace);
  proxy.apply({ type: 'answer', status: 410, times: 1, verb: 'list' });
  const isRefused = async (): Promise<boolean> => {
    if (proxy.requests.some(({ status, verb }) => verb === 'list' && status === 410)) return true;
    proxy.apply(expired);
    await objects.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'more-' } });
    return false;
  };
  await expect.poll(isRefused, deadline).toBe(true);
  proxy.apply({ type: 'calm' });
}

/** Returns the requests for a complete state: lists, and watches that begin with one. */
function statesOf(requests: Trial['requests']): Trial['requests'] {
  return requests.filter(({ verb, query }) => verb === 'list' || query.has('sendInitialEvents'));
}

const expired: RequestStep = { type: 'insert event', what: 'expired' };

/**
 * Runs a trial in which responses with errors meet requests: open watches are closed when such a step begins.
 */
function disturbed(env: Env, proxy: RequestProxy, menu: Menu, finished: Finished): Promise<Trial> {
  const stage: Stage<RequestStep> = {
    apply: (step) => {
      proxy.apply(step);
      // Lists are sent only after the history expired.
      if (step.type === 'answer') proxy.apply(step.verb === 'list' ? expired : { type: 'end watches' });
    },
  };
  return trial(env, { config: proxy.config, stage, menu }, finished);
}
