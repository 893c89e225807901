import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import { emit } from '../emit/tree.ts';
import { definitions, document, model, options, v3 } from './paths.fixture.ts';
import { pathsText } from './paths-text.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'src/kgen/paths/in-memory');

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  isolatedDeclarations: true,
  declaration: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  paths: { '@kgen/runtime/gen/v1': [join(root, 'src/runtime/exports/gen/v1.ts')] },
};

/** Code that callers of the operations rely on. Lines that must not compile are marked. */
const use = `
import type { Foo } from './example.com/v1/types.js';
import type { components, paths } from './paths.js';
import type { RESTClient } from '${join(root, 'src/runtime/rest/client.ts')}';

export async function calls(rest: RESTClient<paths>): Promise<number | undefined> {
  const path = { namespace: 'default', name: 'a' };
  const foo: Foo = await rest.get('/apis/example.com/v1/namespaces/{namespace}/foos/{name}', { path });
  const count: number | string = await rest.get('/count/');
  const text: string = await rest.post('/apis/example.com/v1/namespaces/{namespace}/foos/{name}/shell/{path}', {
    path: { ...path, path: 'bin' },
    query: { command: ['ls', '-l'] },
  });
  const item = '/apis/example.com/v1/namespaces/{namespace}/foos/{name}';
  await rest.put(item, { path, body: { apiVersion: 'example.com/v1', kind: 'Foo', spec: { size: 1 } } });
  await rest.put(item, { path, body: { ...foo, apiVersion: 'example.com/v1', kind: 'Foo' } });
  // @ts-expect-error the server refuses a custom resource without apiVersion and kind
  await rest.put(item, { path, body: { spec: { size: 1 } } });
  // @ts-expect-error the kind is missing
  await rest.put(item, { path, body: { apiVersion: 'example.com/v1', spec: { size: 1 } } });
  // @ts-expect-error the apiVersion is missing
  await rest.put(item, { path, body: { kind: 'Foo', spec: { size: 1 } } });
  // @ts-expect-error another version
  await rest.put(item, { path, body: { apiVersion: 'example.com/v2', kind: 'Foo', spec: { size: 1 } } });
  // @ts-expect-error the spec is typed
  await rest.put(item, { path, body: { apiVersion: 'example.com/v1', kind: 'Foo', spec: { size: '1' } } });
  // @ts-expect-error a path parameter is missing
  await rest.get('/apis/example.com/v1/namespaces/{namespace}/foos/{name}', { path: { name: 'a' } });
  // @ts-expect-error there is no such path
  await rest.get('/apis/example.com/v1/foos');
  // @ts-expect-error the path is not put
  await rest.put('/count/', { body: 1 });
  // @ts-expect-error the query is typed
  await rest.patch('/apis/example.com/v1/namespaces/{namespace}/foos/{name}', { path, query: { force: 1 }, body: {} });
  return count === text ? undefined : foo.spec?.size;
}

export const same = (foo: Foo): components['schemas']['com.example.v1.Foo'] => foo;
`;

const files = new Map<string, string>();

beforeAll(async () => {
  const paths = await pathsText({ documents: [document(3, v3)], model, definitions }, options);
  for (const [path, text] of emit(model, options)) files.set(join(folder, path), text);
  files.set(join(folder, 'paths.ts'), paths.value);
  files.set(join(folder, 'use.ts'), use);
});

test('compiles paths.ts beside an output under strict flags and types a RESTClient', () => {
  const host = ts.createCompilerHost(compilerOptions);
  const { directoryExists, fileExists, getSourceFile, readFile } = host;
  const folders = [...files.keys()].map(dirname);
  host.directoryExists = (path) => folders.includes(path) || directoryExists?.call(host, path) === true;
  host.fileExists = (path) => files.has(path) || fileExists.call(host, path);
  host.readFile = (path) => files.get(path) ?? readFile.call(host, path);
  host.getSourceFile = (path, languageVersion, ...rest) => {
    const text = files.get(path);
    if (text === undefined) return getSourceFile.call(host, path, languageVersion, ...rest);
    return ts.createSourceFile(path, text, languageVersion);
  };
  const rootNames = [join(folder, 'use.ts')];
  const program = ts.createProgram({ rootNames, options: compilerOptions, host });
  const complaints = ['use.ts', 'paths.ts'].flatMap((name) => {
    const file = program.getSourceFile(join(folder, name));
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  expect(complaints.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});
