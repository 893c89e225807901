// Prints the table of the review of version 0.1 with the figures of the present sources, as Markdown:
// lengths, style, imports, exports, language, tests and documents. test/structure/review.ts measures them.
// --features prints the features with their lines and users, of test/structure/features.ts.
import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));
// Node 20 does not load TypeScript; the loader of the tests does.
const loader = await createViteServer({
  root,
  // With its aliases, sources are loaded without a build.
  configFile: `${root}vitest.config.ts`,
  logLevel: 'error',
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  optimizeDeps: { noDiscovery: true },
});
try {
  const print = process.argv.includes('--features') ? printFeatures : printReview;
  await print();
} finally {
  await loader.close();
}

async function printFeatures() {
  const { featureRows } = await loader.ssrLoadModule('/test/structure/features.ts');
  printTable(['feature', 'lines', 'modules', 'pages', 'tests'], featureRows().map(Object.values));
}

async function printReview() {
  const { reviewRows, scopes } = await loader.ssrLoadModule('/test/structure/review.ts');
  printTable(
    ['measure', '0.1', ...scopes.keys()],
    reviewRows().map(({ name, before, now }) => [
      name,
      before,
      ...now,
      ...Array(scopes.size - now.length).fill(''),
    ]),
  );
}

function printTable(titles, rows) {
  for (const cells of [titles, titles.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`);
}
