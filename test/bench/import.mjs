// Time to import the clients, in a fresh process each time.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { figures, importMs, interleaved, printAll } from './measure.mjs';

export function benchImport({ node, project, clientNode, rounds }) {
  const raw = interleaved(rounds, {
    "import('undici')": () => importMs(node, 'undici', project),
    "import('@kgen/kubernetes')": () => importMs(node, '@kgen/kubernetes', project),
    "import('@kgen/kubernetes/core/v1')": () => importMs(node, '@kgen/kubernetes/core/v1', project),
    ...(clientNode === undefined
      ? {}
      : { "import('@kubernetes/client-node')": () => importMs(node, '@kubernetes/client-node', clientNode) }),
  });
  printAll(raw, 'ms');
  const [undici, kubernetes, , theirs] = Object.values(raw);
  return [
    {
      what: "import('@kgen/kubernetes') over import('undici')",
      ...figures(kubernetes, undici),
      unit: 'ms',
      ...(theirs === undefined ? {} : { clientNode: figures(theirs, undici).value }),
    },
  ];
}

/** Returns the total size of the files below a folder, in MB. */
function sizeMb(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1e6;
}

/** Measures import time and installed size of @kgen/runtime. */
export function benchRuntime({ node, root, project, rounds }) {
  const raw = interleaved(rounds, {
    "import('undici')": () => importMs(node, 'undici', project),
    "import('@kgen/runtime')": () => importMs(node, '@kgen/runtime', project),
  });
  printAll(raw, 'ms');
  const [undici, runtime] = Object.values(raw);
  const { dependencies } = JSON.parse(
    readFileSync(join(project, 'node_modules/@kgen/runtime/package.json'), 'utf8'),
  );
  const folders = Object.keys(dependencies).map((name) => join(root, 'node_modules', name));
  const sizes = [join(project, 'node_modules/@kgen/runtime'), ...folders].map(sizeMb);
  return [
    {
      what: "import('@kgen/runtime') over import('undici')",
      ...figures(runtime, undici),
      unit: 'ms',
    },
    {
      what: '@kgen/runtime installed, with its dependencies',
      value: sizes.reduce((sum, size) => sum + size, 0),
      unit: 'MB',
    },
  ];
}
