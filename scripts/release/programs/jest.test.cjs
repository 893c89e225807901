require('@kgen/testing/jest');
const { Clientset } = require('@kgen/kubernetes');
const { startTestServer } = require('@kgen/testserver');

test('a server in memory serves Pods', async () => {
  const server = await startTestServer({ namespaces: ['shop'] });
  const clientset = new Clientset(server.config);
  const { items } = await clientset.coreV1.pods('shop').list();
  expect(items).toEqual([]);
  expect(typeof expect(0).toPassSimulation).toBe('function');
  await clientset.close();
  await server.stop();
});
