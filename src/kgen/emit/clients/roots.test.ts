import { expect, test } from 'vitest';
import { groupVersion, model, printed, resource } from '../emit.fixture.ts';

const virtual = resource('NodeMetric', { verbs: ['get', 'list'], stored: false });
const cases = [
  { title: 'what can be watched', resources: [resource('Pod')], clients: true, informers: true },
  { title: 'what cannot be watched', resources: [virtual], clients: true, informers: false },
  { title: 'types alone', resources: [], clients: false, informers: false },
];

test.each(cases)('imports exactly the used names in roots: $title', ({ resources, clients, informers }) => {
  const file = printed(model(groupVersion('x.io', 'v1', { resources })));
  expect([...file('clientset.ts').matchAll(/\bgroupClient\b/g)]).toHaveLength(clients ? 2 : 0);
  expect([...file('informers.ts').matchAll(/\bgroupInformers\b/g)]).toHaveLength(informers ? 2 : 0);
});
