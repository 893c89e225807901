/** Options that a connection with options of its own does not accept. */
import { Clientset, InformerFactory } from '@kgen/kubernetes';
import { RESTClient, InformerFactory as RuntimeFactory } from '@kgen/runtime';
import { DiscoveryClient } from '@kgen/runtime/discovery';
import { DynamicClient, MetadataClient, ObjectsClient, ScaleClient } from '@kgen/runtime/dynamic';
import { describe, expect, it } from 'vitest';

const config = { server: 'http://server.invalid' };
const rest = new RESTClient(config);
const shared = new InformerFactory(rest);
const userAgent = { userAgent: 'x' };

describe('options of requests', () => {
  it('are those of a client with connections of its own', () => {
    const clients = [
      new Clientset(config, userAgent),
      new DynamicClient(config, userAgent),
      new MetadataClient(config, userAgent),
      new ObjectsClient(config, { ...userAgent, namespace: 'shop' }),
      new ScaleClient(config, undefined, userAgent),
      new DiscoveryClient(config, { ...userAgent, timeoutMs: 1 }),
      new ObjectsClient(rest, { namespace: 'shop', fieldManager: 'me' }),
      new DiscoveryClient(rest, { timeoutMs: 1 }),
    ];
    expect(clients).toHaveLength(8);
  });

  it.each([
    // @ts-expect-error options belong to the RESTClient
    ['Clientset', () => new Clientset(rest, userAgent)],
    // @ts-expect-error options belong to the RESTClient of the clientset
    ['Clientset of a clientset', () => new Clientset(new Clientset(rest), userAgent)],
    // @ts-expect-error options belong to the RESTClient
    ['DynamicClient', () => new DynamicClient(rest, userAgent)],
    // @ts-expect-error options belong to the RESTClient
    ['MetadataClient', () => new MetadataClient(rest, userAgent)],
    // @ts-expect-error options belong to the RESTClient
    ['ObjectsClient', () => new ObjectsClient(rest, { userAgent: 'x' })],
    // @ts-expect-error options belong to the RESTClient
    ['ScaleClient', () => new ScaleClient(rest, undefined, userAgent)],
    // @ts-expect-error options belong to the RESTClient
    ['DiscoveryClient', () => new DiscoveryClient(rest, { userAgent: 'x' })],
  ])('%s over shared connections has none, in types and at run time', (_, create) => {
    expect(create).toThrow('options belong to the RESTClient');
  });

  it('a factory that shares informers has no option of their requests', () => {
    // @ts-expect-error streaming is an option of the first factory
    expect(() => new InformerFactory(shared, { streaming: false })).toThrow('options of the first factory');
    // @ts-expect-error streaming is an option of the first factory
    expect(() => new RuntimeFactory(shared, { streaming: false })).toThrow('options of the first factory');
    expect(new InformerFactory(shared, { namespace: 'shop' }).informers).toBe(shared.informers);
  });
});
