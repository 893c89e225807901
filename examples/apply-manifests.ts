/** Applies the YAML files of a folder, as `kubectl apply -f FOLDER` does, and deletes their objects. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyManifests, deleteManifests, isManifestsError, loadConfig, RESTClient } from '@kgen/runtime';

const folder = process.argv[2] ?? 'examples/manifests';
const rest = new RESTClient(await loadConfig());

// All files in one call: namespaces and CustomResourceDefinitions are applied first, whatever their order.
const files = (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name)).sort();
const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
const manifests = texts.join('\n---\n');

try {
  const results = await applyManifests(rest, manifests, { fieldManager: 'example', source: folder });
  for (const { action, object } of results) console.log(`${object?.kind} ${object?.name}: ${action}`);
} catch (error) {
  if (!isManifestsError(error)) throw error;
  console.error(error.message); // One line for each object that failed, with its place; the others were applied.
  process.exitCode = 1;
}

for (const { action, object } of await deleteManifests(rest, manifests)) {
  console.log(`${object?.kind} ${object?.name}: ${action}`);
}
await rest.close();
