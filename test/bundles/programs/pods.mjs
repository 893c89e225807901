/** Prints the names of the Pods of a namespace. */
import { Clientset } from '@kgen/kubernetes';
import { loadConfig } from '@kgen/runtime';

async function run() {
  const clientset = new Clientset(await loadConfig());
  const { items } = await clientset.coreV1.pods('shop').list();
  console.log(items.map(({ metadata }) => metadata.name).join());
  await clientset.close();
}

run().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
