// What importing the clients costs at start, in a fresh process each time.
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
      limit: 30,
      unit: 'ms',
      ...(theirs === undefined ? {} : { clientNode: figures(theirs, undici).value }),
    },
  ];
}
