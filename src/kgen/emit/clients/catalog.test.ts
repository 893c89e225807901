import { expect, it } from 'vitest';
import { declaration, groupVersion, model, printed, resource } from '../emit.fixture.ts';

const all = model(
  groupVersion('', 'v1', { resources: [resource('Pod')] }),
  groupVersion('apps', 'v1', {
    resources: [resource('Deployment'), resource('Deployment', { plural: 'olddeployments' })],
  }),
  groupVersion('meta', 'v1'),
);

it('has each kind once and imports it on request', () => {
  const text = printed(all)('catalog.ts');
  expect(text).not.toMatch(/^import/m);
  expect(declaration(text, 'export interface Catalog')).toBe(
    "export interface Catalog { readonly 'v1/Pod': () => Promise<typeof import('./core/v1/index.js').pods>; readonly 'apps/v1/Deployment': () => Promise<typeof import('./apps/v1/index.js').deployments>; }",
  );
  expect(declaration(text, 'export const catalog:')).toBe(
    "export const catalog: Catalog = { 'v1/Pod': () => import('./core/v1/index.js').then((module) => module.pods), 'apps/v1/Deployment': () => import('./apps/v1/index.js').then((module) => module.deployments), };",
  );
});

it('is imported by no other module', () => {
  const files = printed(all);
  for (const path of ['index.ts', 'clientset.ts', 'informers.ts'])
    expect(files(path)).not.toContain('catalog');
});

it.each([
  ['.ts', "import('./core/v1/index.ts')"],
  ['', "import('./core/v1/index')"],
] as const)('writes imports that end in %j as %s', (importExtension, want) => {
  expect(printed(all, { importExtension })('catalog.ts')).toContain(want);
});
