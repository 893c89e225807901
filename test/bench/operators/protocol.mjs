// The part of the operators in JavaScript that the bench talks to: settings in $SETTINGS; `converged` on the
// standard output when the status of every Foo has been written; the bytes of the live heap for each line of
// the standard input.
import { createInterface } from 'node:readline';

export const settings = JSON.parse(process.env.SETTINGS);

/** Returns a function that counts the first status of each Foo. */
export function counter(count) {
  let written = 0;
  return () => {
    written += 1;
    if (written === count) console.log('converged');
  };
}

export function reportHeap() {
  createInterface({ input: process.stdin }).on('line', () => {
    globalThis.gc();
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    console.log(heapUsed + external);
  });
}

/** Returns the Deployment of a Foo without its owner. */
export function deploymentOf({ metadata: { name, namespace }, spec: { image, replicas } }) {
  const labels = { app: 'foo', controller: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'foo', image }] } },
    },
  };
}
