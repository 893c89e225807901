/** The page, which `scripts/view-page.mjs` builds from the folder `page`. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ViewDocument } from './format.ts';
import { liveDocument } from './opened.ts';

/** Element of the page for its document. */
const place = '<script id="document" type="application/json">';

let template: string | undefined;

/**
 * Returns the page as HTML, with a document inside. It loads nothing from other hosts.
 * @param document absent for a page onto which a user drops a file
 * @throws {Error} if the page is not built
 */
export function pageOf(document?: ViewDocument): string {
  template ??= builtPage();
  if (document === undefined) return template;
  // In this form, no string of the document can end the element.
  const json = JSON.stringify(document).replaceAll('<', '\\u003c');
  return template.replace(place, () => `${place}${json}`);
}

/**
 * Returns the page as HTML, which requests `document` of its server once a second, and nothing else.
 * @throws {Error} if the page is not built
 */
export function livePage(): string {
  const page = pageOf();
  const [policy, connected] = ["default-src 'none'", "default-src 'none'; connect-src 'self'"];
  return page.replace(policy, () => connected).replace(place, () => `${place}${liveDocument}`);
}

function builtPage(): string {
  // The path is the same from sources and from `dist`.
  const folder = dirname(createRequire(import.meta.url).resolve('kgen/package.json'));
  const file = join(folder, 'dist', 'view', 'page.html');
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`${file} cannot be read: run node scripts/view-page.mjs`, { cause });
  }
}
