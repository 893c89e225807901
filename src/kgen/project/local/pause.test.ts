import { expect, test } from 'vitest';
import { pauseOf, pauseRefusal } from './pause.ts';
import { failedText } from './restore.ts';

const deployment = (replicas: number, annotations?: Readonly<Record<string, string>>) => ({
  metadata: { annotations: annotations ?? {} },
  spec: { replicas },
});
const paused = { 'kgen.dev/paused-by': 'ann@laptop/7', 'kgen.dev/paused-replicas': '3' };

test.each([
  { of: 'no Deployment', given: undefined, want: undefined },
  { of: 'a Deployment', given: deployment(2), want: undefined },
  { of: 'one that is scaled to 0', given: deployment(0), want: undefined },
  { of: 'a paused one', given: deployment(0, paused), want: { holder: 'ann@laptop/7', replicas: 3 } },
  { of: 'one that was scaled meanwhile', given: deployment(1, paused), want: undefined },
  {
    of: 'one without a valid number',
    given: deployment(0, { ...paused, 'kgen.dev/paused-replicas': 'x' }),
    want: { holder: 'ann@laptop/7', replicas: 1 },
  },
])('reads the pause of $of', ({ given, want }) => {
  expect(pauseOf(given)).toEqual(want);
});

test.each([
  { user: 'ann@laptop', running: [], want: undefined },
  { user: 'ann@laptop', running: [7], want: 'your own kgen dev --cluster (process 7) pauses it' },
  {
    user: 'bob@desk',
    running: [],
    want: 'ann@laptop/7 runs it by kgen dev --cluster, which pauses this one',
  },
  {
    user: 'ann@desk',
    running: [7],
    want: 'ann@laptop/7 runs it by kgen dev --cluster, which pauses this one',
  },
])('a pause of ann@laptop is open to $user, while $running run: $want', ({ user, running, want }) => {
  const isAlive = (pid: number): boolean => running.some((each) => each === pid);
  expect(pauseRefusal({ holder: 'ann@laptop/7', replicas: 1 }, { user, isAlive })).toBe(want);
});

test.each(['', '--kubeconfig k --context c'])('names the commands that restore with %j', (choice) => {
  const pause = { holder: 'ann@laptop/7', replicas: 3 };
  const plan = { name: 'op', namespace: 'ns', choice, pause };
  const options = choice === '' ? '' : ` ${choice}`;
  expect(failedText(plan, new Error('connection refused'))).toBe(
    [
      'Deployment ns/op is still paused (connection refused): restore the former state by one of',
      `  kgen deploy${options}`,
      `  kubectl${options} --namespace ns scale deployment op --replicas=3`,
    ].join('\n'),
  );
});

test('names the commands that remove the webhooks of this machine', () => {
  const ref = (kind: string, name: string) => ({ ref: { apiVersion: 'v1', kind, name }, parts: [] });
  const webhooks = [ref('ValidatingWebhookConfiguration', 'op'), ref('CustomResourceDefinition', 'bs.a')];
  const plan = { name: 'op', namespace: 'ns', choice: '--context c', webhooks };
  expect(failedText(plan, new Error('connection refused'))).toBe(
    [
      'Webhooks of this machine may still be registered (connection refused): restore the former state by one of',
      '  kgen deploy --context c',
      '  kubectl --context c delete validatingwebhookconfiguration op',
    ].join('\n'),
  );
});
