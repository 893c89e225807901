// Writes the facts about built-in resources that the test server needs at its start, from the descriptors of
// @kgen/kubernetes, whose modules would take longer to load. Run after scripts/kubernetes.mjs and a build.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { catalog } from '../generated/kubernetes/dist/catalog.js';

const out = fileURLToPath(new URL('../src/testserver/resources/builtin/resources.ts', import.meta.url));
const left = new Set(['protobuf', 'schema', 'builtIn', 'bodies']);

const descriptors = await Promise.all(Object.values(catalog).map((load) => load()));
const lines = descriptors.map((facts) => {
  const kept = Object.entries(facts).filter(([name]) => !left.has(name));
  return `  ${JSON.stringify(Object.fromEntries(kept))},`;
});

await writeFile(
  out,
  `// Written by scripts/testing-resources.mjs from the descriptors of @kgen/kubernetes; do not edit.
import type { ResourceFacts } from '@kgen/runtime/gen/v1';

/** All resources of Kubernetes that the server serves. */
export const builtInResources: readonly ResourceFacts[] = [
${lines.join('\n')}
];
`,
);
