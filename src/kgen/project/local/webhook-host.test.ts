import { expect, test } from 'vitest';
import { webhookHost } from './webhook-host.ts';

const kind = { context: 'kind-a', server: 'https://127.0.0.1:1' };

test.each([
  { config: kind, stated: 'laptop.local:8443', output: '', want: { host: 'laptop.local', port: '8443' } },
  { config: kind, stated: '10.0.0.7', output: '', want: { host: '10.0.0.7', port: undefined } },
  { config: kind, output: 'fc00:f853:ccd:e793::1 172.18.0.1 \n', want: { host: '172.18.0.1' } },
  { config: kind, output: 'fc00::1 ', want: { problem: expect.stringContaining('kind-a') } },
  { config: kind, output: undefined, want: { problem: expect.stringContaining('--webhook-host HOST') } },
  {
    config: { context: 'k3d-a', server: 'https://0.0.0.0:1' },
    output: undefined,
    want: { host: 'host.k3d.internal' },
  },
  {
    config: { context: 'prod', server: 'https://api.example.com' },
    output: '172.18.0.1',
    want: { problem: expect.stringContaining('kgen deploy') },
  },
])('returns the host of $config.context, stated as $stated', async ({ config, stated, output, want }) => {
  const run = async (): Promise<string> => {
    if (output === undefined) throw new Error('spawn docker ENOENT');
    return output;
  };
  expect(await webhookHost(config, stated, { platform: 'linux', run })).toEqual(want);
});
