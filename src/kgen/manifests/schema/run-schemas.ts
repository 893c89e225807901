import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { JsonObject } from '@kgen/schema/values/json';
import { codeProblem } from '../../common/code-problem.ts';
import { type Checked, error } from '../../common/problems.ts';

/** The JSON schema of a version, or the reason why there is none. */
export type RunSchema = { readonly schema: JsonObject } | { readonly fault: string };

/** Message of the thread. */
type Message =
  | { readonly schemas: readonly (readonly [version: string, schema: RunSchema])[] }
  | { readonly cause: { readonly message: string; readonly stack: string; readonly code?: string } };

/** Program of the thread, in which modules are run anew each time. */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const read = ({ schema }) => {
  try {
    const { jsonSchema } = schema?.['~standard'] ?? {};
    if (jsonSchema === undefined) return [];
    return [{ schema: JSON.parse(JSON.stringify(jsonSchema.input({ target: 'draft-2020-12' }))) }];
  } catch (cause) {
    return [{ fault: 'the schema has no JSON schema: ' + String(cause?.message ?? cause).split('\\n')[0] }];
  }
};
import(workerData).then(
  ({ default: api }) => {
    const versions = Object.entries(api?.versions ?? {});
    parentPort.postMessage({ schemas: versions.flatMap(([name, each]) => read(each).map((one) => [name, one])) });
  },
  (cause) => {
    const { message = String(cause), stack = '', code, name } = cause ?? {};
    parentPort.postMessage({ cause: { message, stack, code, name } });
  },
);`;

/**
 * Runs a module, whose default export is the result of `api`, and returns the JSON schemas of its versions by
 * name. The module is trusted like a build script.
 * @param file path of the module, as in messages
 */
export async function runSchemas(
  path: string,
  file: string,
): Promise<Checked<ReadonlyMap<string, RunSchema>>> {
  const worker = new Worker(program, { eval: true, workerData: pathToFileURL(path).href });
  const ended = new Promise<undefined>((resolve) => {
    worker.once('exit', () => resolve(undefined));
  });
  try {
    const [message]: readonly (Message | undefined)[] = await Promise.race([
      once(worker, 'message'),
      ended.then(() => [undefined]),
    ]);
    if (message === undefined) {
      const what = 'the module cannot be run: it awaits a promise that never settles, or ends the process';
      return { value: new Map(), problems: [error(what, { file })] };
    }
    if ('schemas' in message) return { value: new Map(message.schemas), problems: [] };
    const { message: text, ...others } = message.cause;
    const cause = Object.assign(new Error(text), others);
    return { value: new Map(), problems: [codeProblem(cause, path, file, advice)] };
  } catch (cause) {
    return { value: new Map(), problems: [codeProblem(cause, path, file, advice)] };
  } finally {
    await worker.terminate();
  }
}

const advice = { typescript: 'declare the version with a type', commonJs: 'name the module .mts' };
