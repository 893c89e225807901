/** Navigation: groups of pages. A page without a group is in the last one. */
import { readdirSync, readFileSync } from 'node:fs';

/** Groups of pages in docs/, by title. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: ['getting-started', 'tutorial', 'generate', 'faq'],
  Clients: [
    ...['clients', 'watch-and-wait', 'informers', 'streams', 'dynamic', 'protobuf', 'configuration'],
    ...['errors-and-retries', 'manifests', 'import'],
  ],
  Operators: [
    ...['projects', 'custom-resources', 'controllers', 'webhooks', 'permissions', 'observability'],
    ...['reconcile-records', 'costs', 'manifest-changes'],
  ],
  Deployment: ['deploy', 'image', 'olm'],
  Testing: [
    ...['testing', 'test-server', 'serve', 'simulation', 'view', 'table-tests', 'replay'],
    ...['samples-and-contracts', 'control-plane'],
  ],
  'Coming from': ['migrating', 'from-kubebuilder', 'kubebuilder-walk'],
};

/** A page with its title. */
export interface GroupedPage {
  readonly text: string;
  /** Path of the page without an extension: `/clients`. */
  readonly link: string;
}

/** A group of pages. */
export interface PageGroup {
  readonly text: string;
  readonly items: readonly GroupedPage[];
}

/** Returns the groups of all pages of docs/ that are in the navigation. */
export function guide(root: string): readonly PageGroup[] {
  const names = readdirSync(`${root}docs`)
    .filter((file) => file.endsWith('.md') && file !== 'style.md')
    .map((file) => file.replace(/\.md$/, ''));
  const grouped = new Set(Object.values(groups).flat());
  const others = names.filter((name) => !grouped.has(name));
  return Object.entries({ ...groups, More: others })
    .map(([text, members]) => ({
      text,
      items: members.filter((name) => names.includes(name)).map((name) => pageIn(root, 'docs', name)),
    }))
    .filter(({ items }) => items.length > 0);
}

/** Returns the group of the reference: one page for each module of a package. */
export function reference(root: string): readonly PageGroup[] {
  const names = readdirSync(`${root}site/reference`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && file !== 'index.md')
    .map((file) => file.replace(/\.md$/, '').replaceAll('\\', '/'))
    .sort();
  const items = names.map((name) => ({
    ...pageIn(root, 'site/reference', name),
    link: `/reference/${name}`,
  }));
  const packageOf = ({ text }: GroupedPage): string => /^(?:@[^/]+\/)?[^/]+/.exec(text)?.[0] ?? text;
  return [...new Set(items.map(packageOf))].map((text) => ({
    text,
    items: items.filter((item) => packageOf(item) === text),
  }));
}

function pageIn(root: string, folder: string, name: string): GroupedPage {
  const [, heading = name] = /^# (.*)$/m.exec(readFileSync(`${root}${folder}/${name}.md`, 'utf8')) ?? [];
  return { text: heading.replaceAll(/[`\\]/g, ''), link: `/${name}` };
}
