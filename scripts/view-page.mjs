// Builds the page of `kgen view` into the build output of kgen: one file without a document, which loads
// nothing.
// Usage: node scripts/view-page.mjs FOLDER, the build output of kgen
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { licences, packagesOf } from './licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = 'src/kgen/view/page';

/** Maximum size of the compressed page. */
const mostBytes = 600_000;

function built(entry, options) {
  return buildSync({
    absWorkingDir: root,
    entryPoints: [`${sources}/${entry}`],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    target: 'es2022',
    logLevel: 'error',
    ...options,
  });
}

function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** @param {string} folder */
export function buildViewPage(folder) {
  const program = built('main.tsx', { format: 'iife', jsx: 'automatic', jsxImportSource: 'preact' });
  // An end tag in a string would end the element.
  const script = (
    licences('This page', packagesOf(Object.keys(program.metafile.inputs))) + program.outputFiles[0].text
  )
    .trim()
    .replaceAll('</script', '<\\/script');
  const style = built('page.css', {}).outputFiles[0].text.trim();
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>kgen view</title>
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<script id="document" type="application/json"></script>
<script>${script}</script>
</body>
</html>
`;
  const { length } = gzipSync(page);
  if (length > mostBytes) throw new Error(`the page has ${length} bytes compressed: at most ${mostBytes}`);
  const file = join(folder, 'view', 'page.html');
  if (existsSync(file) && readFileSync(file, 'utf8') === page) return;
  mkdirSync(join(folder, 'view'), { recursive: true });
  writeFileSync(file, page);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const folder of process.argv.slice(2)) buildViewPage(resolve(folder));
}
