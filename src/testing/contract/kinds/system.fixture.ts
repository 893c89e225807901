/** Objects that every server has. */
import type { Step } from '../exchange.fixture.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

export const systemSteps: Readonly<Record<string, readonly Step[]>> = {
  'objects of the system': [
    ...['default', 'kube-node-lease', 'kube-public', 'kube-system'].map((name) => ({
      method: 'GET',
      path: `/api/v1/namespaces/${name}`,
    })),
    { method: 'GET', path: '/apis/scheduling.k8s.io/v1/priorityclasses' },
    // Its port is that of the server.
    { method: 'GET', path: '/api/v1/namespaces/default/services/kubernetes', accept: table },
  ],
};
