/** The site: the pages of docs/, the reference and the playground. Nothing is loaded from other hosts. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig, type Plugin } from 'vitepress';
import { anchorOf, linkRewriter } from '../links.ts';
import { writeLlms } from '../llms.ts';
import { pageOf, repositoryUrl } from '../pages.ts';
import { guide, type PageGroup, reference } from '../sidebars.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Version {
  readonly label: string;
  /** Address of the site of the version: a path below `/`, or a whole URL. */
  readonly link: string;
}

const versions: readonly Version[] = JSON.parse(
  readFileSync(new URL('../versions.json', import.meta.url), 'utf8'),
);

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../src/kgen/package.json', import.meta.url), 'utf8'),
);

/** Path of the site on its host: versions are in folders beside each other. */
const base = process.env['KGEN_SITE_BASE'] ?? '/';

/**
 * Returns the language of a code block; the rest of its line is for the tests of the documentation. Pages of
 * the reference have thousands of signatures, which are not highlighted: only examples are.
 */
function languageOf({ info, content }: { info: string; content: string }, isReference: boolean): string {
  const [language = 'txt'] = /^\w+/.exec(info) ?? [];
  return isReference && !/^import /m.test(content) ? 'txt' : language;
}

/** Returns the content of a page for the search: of the reference, the names of the symbols only. */
const searched: DefaultTheme.LocalSearchOptions['_render'] = (source, env, md) => {
  const isReference = pageOf(env.relativePath).startsWith('reference/');
  const headings = source.split('\n').filter((line) => /^(#|###) /.test(line));
  return md.render(isReference ? headings.join('\n\n') : source, env);
};

function itemsOf(groups: readonly PageGroup[]): DefaultTheme.SidebarItem[] {
  return groups.map(({ text, items }) => ({ text, items: [...items] }));
}

/** Pages are outside of the folder with the dependencies: while they are rendered, Node.js resolves Vue. */
const sharedVue: Plugin = {
  name: 'shared-vue',
  enforce: 'pre',
  resolveId: (id, _importer, { ssr }) =>
    ssr === true && /^vue(\/server-renderer)?$/.test(id) ? { id, external: true } : undefined,
};

export default defineConfig({
  title: 'kgen',
  description: 'Typed Kubernetes clients, operators and tests for TypeScript.',
  lang: 'en',
  base,
  srcDir: '..',
  srcExclude: [
    '!(docs|site)/**',
    '*.md',
    'docs/design/**',
    'docs/style.md',
    'site/{dist,node_modules,playground,public}/**',
  ],
  rewrites: pageOf,
  outDir: './dist',
  cacheDir: '../node_modules/.cache/site',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}logo.svg` }]],
  metaChunk: true,
  vite: {
    publicDir: fileURLToPath(new URL('../public', import.meta.url)),
    plugins: [sharedVue],
    worker: { format: 'es' },
    define: { __KGEN_VERSION__: JSON.stringify(version) },
    build: { chunkSizeWarningLimit: 1_000 },
  },
  markdown: {
    anchor: { slugify: anchorOf },
    // Pages are read on the host of the repository, too, which has neither.
    attrs: { disable: true },
    emoji: { defs: {}, shortcuts: {} },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => {
      md.use(linkRewriter, root);
      // Text of a page is not a template of Vue.
      const printText = md.renderer.rules.text;
      md.renderer.rules.text = (...args) => (printText?.(...args) ?? '').replaceAll('{', '&#123;');
      md.core.ruler.push('languages', ({ tokens, env }) => {
        const isReference = env.relativePath?.startsWith('reference/') === true;
        for (const token of tokens) if (token.type === 'fence') token.info = languageOf(token, isReference);
      });
    },
  },
  transformPageData: ({ relativePath, filePath, frontmatter }) => ({
    frontmatter: {
      ...frontmatter,
      ...((relativePath.startsWith('reference/') || !filePath.startsWith('docs/')) && { editLink: false }),
    },
  }),
  buildEnd: ({ outDir, pages, site }) => writeLlms({ root, outDir, pages, site }),
  themeConfig: {
    logo: { src: '/logo.svg', alt: '' },
    nav: [
      { text: 'Guide', link: '/getting-started' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Playground', link: '/playground' },
      { text: versions[0]?.label ?? '', items: versions.map(({ label, link }) => ({ text: label, link })) },
    ],
    sidebar: { '/reference/': itemsOf(reference(root)), '/': itemsOf(guide(root)) },
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { _render: searched } },
    editLink: { pattern: `${repositoryUrl}/edit/main/:path` },
    socialLinks: [{ icon: 'github', link: repositoryUrl }],
    externalLinkIcon: true,
    footer: { message: 'Apache-2.0' },
  },
});
