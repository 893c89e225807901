/** `catalog.ts`: every resource by apiVersion and kind, loaded when it is asked for. */
import type { Model } from '../model/ir.ts';
import { comment } from './docs.ts';
import { quoted } from './literals.ts';
import { Module } from './module.ts';
import type { EmitOptions } from './options.ts';
import { extension, folder, runtimeSpecifier } from './paths.ts';

/** A resource in the catalog. */
interface Entry {
  /** Such as `apps/v1/Deployment`, quoted. */
  readonly key: string;
  /** The module of its group version, quoted. */
  readonly from: string;
  readonly constant: string;
}

/** The module that knows all resources and loads none of them. */
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
    `${docs('What loads the descriptor of a resource, by apiVersion and kind.')}export interface Catalog {\n${types.join('')}}\n`,
  );
  module.declare(
    `${docs('An apiVersion and a kind of this output, such as `v1/Pod` or `apps/v1/Deployment`.')}export type CatalogKey = keyof Catalog;\n`,
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
  declareQuestion(module, docs('Whether the catalog has a resource for `key`, an apiVersion and a kind.'));
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

/** Sorted like the model; of several resources with one kind, the first. */
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
