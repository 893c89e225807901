// Writes the facts about built-in resources that the test server needs at its start, from the descriptors of
// @kgen/kubernetes, whose modules would take longer to load. Run after scripts/kubernetes.mjs and a build.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { catalog } from '../generated/kubernetes/dist/catalog.js';

const out = fileURLToPath(new URL('../src/testserver/resources/builtin/resources.ts', import.meta.url));
const left = new Set(['protobuf', 'schema', 'builtIn', 'bodies']);

const descriptors = await Promise.all(Object.values(catalog).map((load) => load()));
const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** Members with these values are left out; `types.ts` adds them again. */
const usual = ({ kind }) => ({
  listKind: `${kind}List`,
  singular: kind.toLowerCase(),
  scope: 'Namespaced',
  verbs: allVerbs,
});

const lines = descriptors.map((facts) => {
  const expected = usual(facts);
  const kept = Object.entries(facts).filter(
    ([name, value]) => !left.has(name) && JSON.stringify(value) !== JSON.stringify(expected[name]),
  );
  return JSON.stringify(Object.fromEntries(kept));
});

await writeFile(
  out,
  `// Written by scripts/testing-resources.mjs from the descriptors of @kgen/kubernetes; do not edit.

/** All resources of Kubernetes that the server serves, each without the members that types.ts derives. */
export const resourceLines: string = \`
${lines.join('\n')}
\`;
`,
);
