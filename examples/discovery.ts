/**
 * Prints the version of the server and the resources that it serves: `kubectl version`,
 * `kubectl api-resources`.
 */
import { loadConfig } from '@kgen/runtime';
import { DiscoveryClient } from '@kgen/runtime/discovery';

const discovery = new DiscoveryClient(await loadConfig());
const { gitVersion } = await discovery.serverVersion();
console.log(`server ${gitVersion}`);

const { resources, failed } = await discovery.serverPreferredResources();
for (const list of resources) {
  for (const { name, kind, namespaced, verbs } of list.resources) {
    console.log(
      `${name}  ${list.groupVersion}  ${kind}  ${namespaced ? 'namespaced' : 'cluster'}  ${verbs.join(',')}`,
    );
  }
}
// Discovery can be incomplete: one aggregated API that is unavailable is enough.
for (const [groupVersion, error] of failed) console.error(`${groupVersion}: ${error.message}`);
await discovery.close();
