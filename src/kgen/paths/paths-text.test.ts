import { expect, test } from 'vitest';
import type { JsonObject } from '../input/crd/crd-input.ts';
import type { Schema } from '../model/ir.ts';
import { definitions, document, model, options, v2, v3 } from './paths.fixture.ts';
import { pathsText } from './paths-text.ts';

const gone: Schema = {
  shape: 'ref',
  name: 'Count',
  from: { group: 'gone.example.com', version: 'v1' },
  nullable: false,
  facts: { rules: [] },
};

async function textOf(
  documents: Parameters<typeof pathsText>[0]['documents'],
  docs = options.docs,
): Promise<string> {
  const { value, problems } = await pathsText({ documents, model, definitions }, { ...options, docs });
  expect(problems).toEqual([]);
  return value;
}

test('writes the interfaces of openapi-typescript over the types of the output', async () => {
  expect(await textOf([document(3, v3)])).toMatchInlineSnapshot(`
    "import type { Status } from '@kgen/runtime/gen/v1';
    import type { Foo } from './example.com/v1/types.js';

    /** Every operation of the server by path and method: for \`RESTClient<paths>\`. */
    export interface paths {
      "/apis/example.com/v1/namespaces/{namespace}/foos/{name}": {
        parameters: {
          query?: never;
          header?: never;
          path?: never;
          cookie?: never;
        };
        get: {
          parameters: {
            query?: never;
            header?: never;
            path: {
              name: string;
              namespace: string;
            };
            cookie?: never;
          };
          requestBody?: never;
          responses: {
            200: {
              headers: {
                [name: string]: unknown;
              };
              content: {
                "application/json": components["schemas"]["com.example.v1.Foo"];
              };
            };
            401: {
              headers: {
                [name: string]: unknown;
              };
              content?: never;
            };
          };
        };
        put: {
          parameters: {
            query?: never;
            header?: never;
            path: {
              name: string;
              namespace: string;
            };
            cookie?: never;
          };
          requestBody: {
            content: {
              "application/json": components["schemas"]["com.example.v1.Foo"] & {
                apiVersion: "example.com/v1";
                kind: "Foo";
              };
            };
          };
          responses: {
            200: {
              headers: {
                [name: string]: unknown;
              };
              content: {
                "application/json": components["schemas"]["com.example.v1.Foo"];
              };
            };
            401: {
              headers: {
                [name: string]: unknown;
              };
              content?: never;
            };
          };
        };
        post?: never;
        delete: {
          parameters: {
            query?: never;
            header?: never;
            path: {
              name: string;
              namespace: string;
            };
            cookie?: never;
          };
          requestBody?: {
            content: {
              "application/json": unknown;
            };
          };
          responses: {
            200: {
              headers: {
                [name: string]: unknown;
              };
              content: {
                "application/json": components["schemas"]["com.example.v1.Foo"] | components["schemas"]["io.k8s.apimachinery.pkg.apis.meta.v1.Status"];
              };
            };
            401: {
              headers: {
                [name: string]: unknown;
              };
              content?: never;
            };
          };
        };
        options?: never;
        head?: never;
        patch: {
          parameters: {
            query?: {
              force?: boolean;
            };
            header?: never;
            path: {
              name: string;
              namespace: string;
            };
            cookie?: never;
          };
          requestBody: {
            content: {
              "application/apply-patch+yaml": components["schemas"]["io.k8s.apimachinery.pkg.apis.meta.v1.Patch"];
              "application/json-patch+json": components["schemas"]["io.k8s.apimachinery.pkg.apis.meta.v1.Patch"];
              "application/merge-patch+json": components["schemas"]["io.k8s.apimachinery.pkg.apis.meta.v1.Patch"];
            };
          };
          responses: {
            200: {
              headers: {
                [name: string]: unknown;
              };
              content: {
                "application/json": components["schemas"]["com.example.v1.Foo"];
              };
            };
            401: {
              headers: {
                [name: string]: unknown;
              };
              content?: never;
            };
          };
        };
        trace?: never;
      };
      "/apis/example.com/v1/namespaces/{namespace}/foos/{name}/shell/{path}": {
        parameters: {
          query?: never;
          header?: never;
          path?: never;
          cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
          parameters: {
            query?: {
              command?: string[];
            };
            header?: never;
            path: {
              name: string;
              namespace: string;
              path: string;
            };
            cookie?: never;
          };
          requestBody?: never;
          responses: {
            200: {
              headers: {
                [name: string]: unknown;
              };
              content: {
                "text/plain": string;
              };
            };
          };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
      };
      "/count/": {
        parameters: {
          query?: never;
          header?: never;
          path?: never;
          cookie?: never;
        };
        get: {
          parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
          };
          requestBody?: never;
          responses: {
            200: {
              headers: {
                [name: string]: unknown;
              };
              content: {
                "application/json": components["schemas"]["com.example.Count"];
              };
            };
            401: {
              headers: {
                [name: string]: unknown;
              };
              content?: never;
            };
          };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
      };
    }

    /** The types of the operations, by their full names in OpenAPI. */
    export interface components {
      schemas: {
        "com.example.Count": number | string;
        "com.example.v1.Foo": Foo;
        "io.k8s.apimachinery.pkg.apis.meta.v1.Patch": unknown;
        "io.k8s.apimachinery.pkg.apis.meta.v1.Status": Status;
      };
      responses: never;
      parameters: never;
      requestBodies: never;
      headers: never;
      pathItems: never;
    }
    "
  `);
});

test.each([
  { given: { emit: 'js', importExtension: '' }, want: ['@kgen/runtime/gen/v1', './example.com/v1/types.js'] },
  { given: { importExtension: '' }, want: ['@kgen/runtime/gen/v1', './example.com/v1/types'] },
  {
    given: { importExtension: '.ts', runtimeImport: './door.ts' },
    want: ['./door.ts', './example.com/v1/types.ts'],
  },
] as const)('imports according to $given', async ({ given, want }) => {
  const { value } = await pathsText(
    { documents: [document(3, v3)], model, definitions },
    { ...options, ...given },
  );
  expect([...value.matchAll(/ from '(.*)';$/gm)].map(([, from]) => from)).toEqual(want);
});

test('types a type of a group version outside of the model as unknown', async () => {
  const { value } = await pathsText(
    {
      documents: [document(3, v3)],
      model: { groupVersions: [], sources: [] },
      definitions: new Map([['com.example.Count', gone]]),
    },
    options,
  );
  expect(value).toContain('"com.example.Count": unknown;');
  expect(value).not.toContain('com.example.v1.Foo');
});

test.each(['none', 'facts', 'full'] as const)(
  'writes equal output for both dialects with docs %s',
  async (docs) => {
    expect(await textOf([document(2, v2)], docs)).toBe(await textOf([document(3, v3)], docs));
  },
);

test('has descriptions with full docs only', async () => {
  const lines = async (docs: 'facts' | 'full'): Promise<readonly string[]> =>
    (await textOf([document(3, v3)], docs)).split('\n').filter((line) => line.includes('@description'));
  expect(await lines('facts')).toEqual([]);
  expect(new Set((await lines('full')).map((line) => line.trim()))).toEqual(
    new Set(['/** @description read Foo */', '/** @description name of the Foo */']),
  );
});

test('merges the paths of documents; the first operation is used', async () => {
  const answering = (type: string): JsonObject => ({
    responses: { '200': { content: { 'application/json': { schema: { type } } } } },
  });
  const first = document(3, { paths: { '/b': { get: answering('boolean') } } }, 'a');
  const second = document(
    3,
    {
      paths: {
        '/b': { get: answering('integer'), post: answering('number') },
        '/a': { get: answering('integer') },
      },
    },
    'b',
  );
  const text = await textOf([first, second]);
  expect(text.match(/^ {2}"\/.": |"application\/json": \w+/gm)).toEqual([
    '  "/a": ',
    '"application/json": number',
    '  "/b": ',
    '"application/json": boolean',
    '"application/json": number',
  ]);
});

test('writes empty interfaces without paths and definitions', async () => {
  expect(await textOf([])).toBe(`
/** Every operation of the server by path and method: for \`RESTClient<paths>\`. */
export type paths = Record<string, never>;

/** The types of the operations, by their full names in OpenAPI. */
export interface components {
  schemas: never;
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
`);
});
