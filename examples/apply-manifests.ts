/** Applies the YAML files of a folder, as `kubectl apply -f FOLDER` does, and deletes their objects. */
import { loadConfig, RESTClient } from '@kgen/runtime';
import { applyManifests, deleteManifests, isManifestsError } from '@kgen/runtime/manifests';

const files = process.argv[2] ?? 'examples/manifests'; // a file, a folder or a glob pattern
const rest = new RESTClient(await loadConfig());

try {
  // Namespaces and CustomResourceDefinitions are applied first, whatever the order of the files.
  const results = await applyManifests(rest, { files }, { fieldManager: 'example' });
  for (const { action, object, place } of results) {
    console.log(`${object?.kind} ${object?.name}: ${action} (${place})`);
  }
} catch (error) {
  if (!isManifestsError(error)) throw error;
  console.error(error.message); // One line for each object that failed, with file:line; the others were applied.
  process.exitCode = 1;
}

for (const { action, object } of await deleteManifests(rest, { files })) {
  console.log(`${object?.kind} ${object?.name}: ${action}`);
}
await rest.close();
