// Writes the table from which `kgen codemod client-node` finds clients and types, from the descriptors and
// types of @kgen/kubernetes. Run after scripts/kubernetes.mjs and a build.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { catalog } from '../generated/kubernetes/dist/catalog.js';

const generated = new URL('../generated/kubernetes/', import.meta.url);
const out = fileURLToPath(new URL('../src/kgen/codemod/client-node/tables/facts.ts', import.meta.url));

const text = (path) => readFile(new URL(path, generated), 'utf8');
const descriptors = await Promise.all(Object.values(catalog).map((load) => load()));
const entries = [...(await text('index.ts')).matchAll(/type \* as (\w+) from '\.\/(.+)\/index\.js'/g)];

const lines = await Promise.all(
  entries.map(async ([, accessor, entry]) => {
    const [group, version] = [
      entry.slice(0, entry.lastIndexOf('/')),
      entry.slice(entry.lastIndexOf('/') + 1),
    ];
    const types = await text(`${entry}/types.ts`);
    const exported = [...types.matchAll(/^export (?:interface|type|class) (\w+)/gm)].map(([, name]) => name);
    const again = [...types.matchAll(/^export type \{([^}]*)\}/gm)].flatMap(
      ([, list]) => list.match(/\w+/g) ?? [],
    );
    const index = await text(`${entry}/index.ts`);
    const own = descriptors.filter((one) => (one.group || 'core') === group && one.version === version);
    const kinds = own.map(({ kind, plural, scope }) => {
      const name = index.match(new RegExp(`^export const (${plural}):`, 'im'))?.[1] ?? plural;
      return [kind, scope === 'Cluster' ? `${name}/` : name];
    });
    return JSON.stringify({
      accessor,
      entry,
      kinds: Object.fromEntries(kinds),
      types: [...exported, ...again].join(' '),
    });
  }),
);

await writeFile(
  out,
  `// Written by scripts/client-node-facts.mjs from @kgen/kubernetes; do not edit.

/**
 * Group versions of @kgen/kubernetes: the accessor of the clientset, the entry point, the accessors of kinds
 * (those of cluster-scoped kinds end with a slash), and all types.
 */
export const factLines: string = \`
${lines.join('\n')}
\`;
`,
);
