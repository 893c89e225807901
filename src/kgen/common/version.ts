import { createRequire } from 'node:module';

/** Version of this kgen, as in its `package.json`. */
export const version: string = readVersion();

function readVersion(): string {
  // seam: the package's own manifest; the path is the same from sources and from `dist`
  const manifest = createRequire(import.meta.url)('kgen/package.json') as { readonly version: string };
  return manifest.version;
}
