// OpenAPI and discovery documents of a live server, saved as with `kubectl get --raw`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESTClient } from '../../src/runtime/dist/exports/index.js';

const json = 'application/json';
const aggregated = `${json};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,${json}`;

/** Saves the v3 documents of all group versions and the aggregated discovery into `folder`. */
export async function saveDocuments(config, folder) {
  mkdirSync(folder, { recursive: true });
  const rest = new RESTClient(config);
  const save = (name, value) => writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
  try {
    for (const name of ['api', 'apis']) save(`discovery-${name}`, await read(rest, `/${name}`, aggregated));
    const { paths } = await read(rest, '/openapi/v3');
    for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
      save(path.replaceAll('/', '_'), await read(rest, serverRelativeURL));
    }
  } finally {
    await rest.close();
  }
}

/**
 * Reads a document. Servers send some JSON as text/plain, so the response is parsed regardless of its media
 * type.
 */
function read(rest, url, accept = json) {
  const { pathname, searchParams } = new URL(url, 'https://server');
  const operation = { verb: 'get', resource: pathname };
  return rest.request({
    method: 'GET',
    path: pathname,
    query: [...searchParams],
    headers: { accept },
    operation,
  });
}
