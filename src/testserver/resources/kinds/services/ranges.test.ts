import { expect, test } from 'vitest';
import { text } from '../../../../schema/values/json.ts';
import { call, start } from '../../../client.fixture.ts';
import { freeAddress } from './ranges.ts';

const range = { first: 0x0a000001, last: 0x0a000006 };

test.each([
  [[], 0, '10.0.0.2'],
  [[], 0.99, '10.0.0.6'],
  [['10.0.0.2', '10.0.0.4', '192.0.2.1', 'None'], 0, '10.0.0.3'],
  [['10.0.0.2', '10.0.0.4'], 0.5, '10.0.0.5'],
  [['10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5', '10.0.0.6'], 0, undefined],
])('beside %j, the free address at %s is %s', (taken, random, address) => {
  expect(freeAddress([range], new Set(taken), () => random)).toBe(address);
});

test('services have addresses of other ranges', async () => {
  const server = await start({ controllers: true });
  const cidrs = '/apis/networking.k8s.io/v1/servicecidrs';
  await call(server, cidrs, {
    method: 'POST',
    body: { metadata: { name: 'more' }, spec: { cidrs: ['10.168.0.0/30'] } },
  });
  const create = async (name: string, clusterIP: string): Promise<unknown> => {
    const body = { metadata: { name }, spec: { clusterIP, ports: [{ port: 80 }] } };
    const response = await call(server, '/api/v1/namespaces/default/services', { method: 'POST', body });
    return text(response.body, 'spec', 'clusterIP') || response.code;
  };
  expect(await create('first', '10.168.0.1')).toBe('10.168.0.1');
  expect(await create('last', '10.168.0.3')).toBe(422);
  expect(await create('other', '10.169.0.1')).toBe(422);
});
