/** `catalog.ts`: every resource by apiVersion and kind, loaded on first use. */
import type { Model } from '../../model/ir.ts';
import type { EmitOptions } from '../options.ts';
import { comment } from '../text/docs.ts';
import { quoted } from '../text/literals.ts';
import { Module } from '../text/module.ts';
import { extension, folder, runtimeSpecifier } from '../text/paths.ts';

/** One resource of the catalog. */
interface Entry {
  /** Quoted key such as `apps/v1/Deployment`. */
  readonly key: string;
  /** Quoted specifier of the group version's module. */
  readonly from: string;
  readonly constant: string;
}

/** Returns the module that maps every resource to a loader and imports none of them statically. */
export function catalogModule(model: Model, options: EmitOptions): Module {
  const module = new Module(runtimeSpecifier(options, 0), [
    'Catalog',
    'CatalogKey',
    'catalog',
    'isCatalogKey',
  ]);
  const entries = entriesOf(model, options);
  const types = entries.map(
    ({ key, from, constant }) => `  readonly ${key}: () => Promise<typeof import(${from}).${constant}>;\n`,
  );
  const docs = (text: string): string => comment([text], [], '');
  module.declare(
    `${docs('Loaders of resource descriptors, by apiVersion and kind.')}export interface Catalog {\n${types.join('')}}\n`,
  );
  module.declare(
    `${docs('Key of the catalog: apiVersion and kind, such as `v1/Pod` or `apps/v1/Deployment`.')}export type CatalogKey = keyof Catalog;\n`,
  );
  const values = entries.map(
    ({ key, from, constant }) => `  ${key}: () => import(${from}).then((module) => module.${constant}),\n`,
  );
  module.constant({
    docs: docs(
      "Every resource of this output. Nothing is loaded before a function is called: `await catalog['…']()`.",
    ),
    name: 'catalog',
    type: 'Catalog',
    value: `{\n${values.join('')}}`,
  });
  declareQuestion(
    module,
    docs('Returns whether the catalog has a resource for `key`, an apiVersion and a kind.'),
  );
  return module;
}

function declareQuestion(module: Module, docs: string): void {
  const body = 'Object.keys(catalog).includes(key)';
  module.constant({
    docs,
    name: 'isCatalogKey',
    type: '(key: string) => key is CatalogKey',
    value: `(key) => ${body}`,
    typedValue: `(key): key is CatalogKey => ${body}`,
  });
}

/**
 * Returns the entries in the order of the model. If several resources share a kind, the first one is used.
 */
function entriesOf(model: Model, options: EmitOptions): readonly Entry[] {
  const entries = model.groupVersions.flatMap((groupVersion) => {
    const from = quoted(`./${folder(groupVersion)}/index${extension(options)}`);
    return groupVersion.resources.map(({ kind, names }): [string, Entry] => {
      const key = quoted(`${groupVersion.apiVersion}/${kind}`);
      return [key, { key, from, constant: names.constant }];
    });
  });
  return [...new Map(entries.reverse()).values()].reverse();
}
