import { Counter, Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { CounterFamily, HistogramFamily } from './series.ts';

const common = { help: 'Of a test.', labelNames: ['verb', 'host'] as const };
const buckets = [0.1, 1, 10];
const observations = [
  [0.05, 'GET', 'a:6443'],
  [0.1, 'GET', 'a:6443'],
  [5, 'GET', 'a:6443'],
  [11, 'GET', 'b:6443'],
  [1.5, 'PUT', 'a:6443'],
] as const;

function histograms(): { readonly ours: Registry; readonly theirs: Registry } {
  const [ours, theirs] = [new Registry(), new Registry()];
  const family = new HistogramFamily({ ...common, name: 'seconds', buckets, registry: ours });
  const reference = new Histogram({ ...common, name: 'seconds', buckets, registers: [theirs] });
  for (const [value, verb, host] of observations) {
    family.of(verb, host).record(value);
    reference.observe({ verb, host }, value);
  }
  return { ours, theirs };
}

describe('a family of histograms', () => {
  it('is printed as a histogram of prom-client, also as JSON', async () => {
    const { ours, theirs } = histograms();
    expect(await ours.metrics()).toBe(await theirs.metrics());
    // Members of exemplars, which it has not, are missing.
    expect(await theirs.getMetricsAsJSON()).toMatchObject(await ours.getMetricsAsJSON());
  });

  it('is empty after a reset of its registry', async () => {
    const { ours, theirs } = histograms();
    for (const registry of [ours, theirs]) registry.resetMetrics();
    expect(await ours.metrics()).toBe(await theirs.metrics());
  });
});

describe('a family of counters', () => {
  it('is printed as a counter of prom-client, with the sums of all scrapes', async () => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const family = new CounterFamily({ ...common, name: 'calls_total', registry: ours });
    const reference = new Counter({ ...common, name: 'calls_total', registers: [theirs] });
    for (let scrape = 0; scrape < 3; scrape += 1) {
      for (const [, verb, host] of observations) {
        family.of(verb, host).add(1);
        reference.inc({ verb, host });
      }
      family.of('DELETE', 'c:6443');
      reference.inc({ verb: 'DELETE', host: 'c:6443' }, 0);
      expect(await ours.metrics()).toBe(await theirs.metrics());
    }
  });
});
