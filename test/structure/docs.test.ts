import { describe, expect, test } from 'vitest';
import { entryPoints } from './entry-points.ts';
import {
  exportNamed,
  exportsOf,
  hasExample,
  isDocumented,
  silentMethods,
  silentOverloads,
} from './exported-symbols.ts';

/** Exports that programs use most, and methods of exported interfaces. */
const mostUsed: readonly string[] = [
  ...['loadConfig', 'inClusterConfig', 'loadKubeconfig', 'parseKubeconfig', 'withImpersonation'],
  ...['RESTClient', 'resource', 'DynamicClient', 'ObjectsClient', 'DiscoveryClient', 'RESTMapper'],
  ...['Get.get', 'List.list', 'List.iterate', 'Watch.watch', 'WaitFor.waitFor', 'ReadLog.streamLog'],
  ...['Create.create', 'Update.update', 'Patch.patch', 'CustomPatch.patch', 'Apply.apply'],
  ...['Delete.delete', 'Delete.deleteAndWait', 'DeleteCollection.deleteCollection'],
  ...['InformerFactory', 'Informer.handle', 'Informer.addIndex', 'NamespacedLister', 'byOwner'],
  ...['isNotFound', 'retryOnConflict', 'condition', 'until', 'untilObjects'],
  ...['setCondition', 'addFinalizer', 'ownerReference', 'setControllerReference'],
  ...['applyManifests', 'loadYaml', 'dumpYaml', 'parseJsonPath', 'nestedField', 'setNestedField'],
  ...['parseQuantity', 'compareQuantities', 'matchLabels', 'createJsonPatch'],
  ...['generate', 'defineConfig', 'startTestServer', 'startControlPlane'],
];

/** Returns whether an export, or a method for `INTERFACE.METHOD`, has an example. */
function isShown(name: string): boolean {
  const [exported = '', method] = name.split('.');
  const symbol = exportNamed(exported);
  if (symbol === undefined) throw new Error(`${exported} is not exported`);
  return hasExample(symbol, method);
}

test('the exports that programs use most have an @example in their doc comments', () => {
  expect(mostUsed.length).toBeGreaterThanOrEqual(40);
  expect(mostUsed.filter((name) => !isShown(name))).toEqual([]);
});

test('the main entry point of the runtime has at most 150 exports', () => {
  expect(exportsOf('src/runtime/exports/index.ts').length).toBeLessThanOrEqual(150);
});

describe.each(entryPoints)('the exports of %s', (door) => {
  test('have doc comments', () => {
    const exported = exportsOf(door);
    expect(exported.length).toBeGreaterThan(0);
    expect(exported.filter((symbol) => !isDocumented(symbol)).map(({ name }) => name)).toEqual([]);
  });

  test('have doc comments on each method', () => {
    expect(exportsOf(door).flatMap(silentMethods)).toEqual([]);
  });

  test('have doc comments on each overload', () => {
    expect(exportsOf(door).flatMap(silentOverloads)).toEqual([]);
  });

  test('mention no type of undici', () => {
    const own = exportsOf(door).flatMap(({ declarations = [] }) => declarations);
    const foreign = own.filter((declaration) =>
      /node_modules\/(undici|ws)\//.test(declaration.getSourceFile().fileName),
    );
    expect(foreign.map((declaration) => declaration.getText().slice(0, 80))).toEqual([]);
  });
});
