// Prints the table of the review of version 0.1 with the figures of the present sources, as Markdown:
// lengths, style, imports, exports, language, tests and documents. test/structure/review.ts measures them.
import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));
// Node 20 does not load TypeScript; the loader of the tests does.
const loader = await createViteServer({
  root,
  configFile: false,
  logLevel: 'error',
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  optimizeDeps: { noDiscovery: true },
});
try {
  const { reviewRows, scopes } = await loader.ssrLoadModule('/test/structure/review.ts');
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const titles = ['measure', '0.1', ...scopes.keys()];
  console.log(line(titles));
  console.log(line(titles.map(() => '---')));
  for (const { name, before, now } of reviewRows())
    console.log(line([name, before, ...now, ...Array(scopes.size - now.length).fill('')]));
} finally {
  await loader.close();
}
