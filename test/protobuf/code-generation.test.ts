/** The codec does not generate code from strings: it works if Node.js disallows it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, expect, it } from 'vitest';
import { repository } from '../support/emitted.ts';
import { definition, pod } from './seeds.ts';

const folder = mkdtempSync(join(tmpdir(), 'kgen-protobuf-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Fails if code generation from strings is allowed, which verifies the flag. */
const program = `
import { decode, encode } from ${JSON.stringify(join(repository, 'generated/kubernetes/protobuf.ts'))};
try { new Function('return 1')(); throw new TypeError('code from text is allowed'); }
catch (error) { if (!(error instanceof EvalError)) throw error; }
for (const text of process.argv.slice(2)) {
  const bytes = Buffer.from(text, 'base64');
  const object = await decode(bytes);
  const again = await decode(await encode(object));
  console.log(object.kind, object.metadata.name, JSON.stringify(again) === JSON.stringify(object));
}
`;

it('decodes and encodes if code generation from strings is disabled', async () => {
  const file = join(folder, 'program.mjs');
  await build({
    stdin: { contents: program, resolveDir: repository, loader: 'ts' },
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    alias: {
      '@kgen/runtime/gen/v1/protobuf': join(repository, 'src/runtime/exports/gen/v1-protobuf.ts'),
      '@kgen/runtime/gen/v1': join(repository, 'src/runtime/exports/gen/v1.ts'),
    },
  });
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disallow-code-generation-from-strings',
    file,
    pod.toString('base64'),
    definition.toString('base64'),
  ]);
  expect(stdout.trim().split('\n')).toEqual(['Pod a true', 'CustomResourceDefinition as.example.com true']);
});
