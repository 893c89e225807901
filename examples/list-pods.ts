/** Lists Pods: of one namespace by label, and of the whole cluster page by page. */

import { Clientset } from '@kgen/kubernetes';
import { loadConfig } from '@kgen/runtime';

const clientset = new Clientset(await loadConfig());

// One request. A list has no size limit; `limit` and `continue` request single pages.
const { items } = await clientset.coreV1.pods('default').list({ labelSelector: { app: 'web' } });
console.log(`Pods with app=web in namespace default: ${items.length}`);

// Without a namespace the client lists all namespaces. `iterate` requests pages of 500 objects as they are
// needed.
for await (const pod of clientset.coreV1.pods().iterate({ fieldSelector: { 'status.phase': 'Pending' } })) {
  console.log(`pending: ${pod.metadata.namespace}/${pod.metadata.name}`);
}

await clientset.close();
