/** Transforms of informers that remove members which every stored object has. */
import { Clientset, InformerFactory } from '@kgen/kubernetes';
import { expect, it } from 'vitest';

it('a transform may remove spec or status of a built-in kind', async () => {
  const clientset = new Clientset({ server: 'http://server.invalid' });
  const { coreV1 } = new InformerFactory(clientset);
  const pods = coreV1.pods({ transform: ({ status: _, ...pod }) => pod });
  const nodes = coreV1.nodes({ transform: ({ spec: _, status: __, ...node }) => node });
  // @ts-expect-error metadata must remain
  const unnamed = coreV1.pods({ transform: ({ metadata: _, ...pod }) => pod });
  expect([pods, nodes, unnamed]).toHaveLength(3);
  await clientset.close();
});
