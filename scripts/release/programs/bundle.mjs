// Bundles a program with the defaults of a bundler: node bundle.mjs BUNDLER PROGRAM FOLDER
import { join, resolve } from 'node:path';

const [bundler, program = '', folder = ''] = process.argv.slice(2);

const bundle = {
  esbuild: async () => {
    const { build } = await import('esbuild');
    const outfile = join(folder, 'main.mjs');
    await build({ entryPoints: [program], bundle: true, platform: 'node', format: 'esm', outfile });
  },
  rollup: async () => {
    const { rollup } = await import('rollup');
    const [resolution, commonjs, json] = await Promise.all(
      ['node-resolve', 'commonjs', 'json'].map((name) => import(`@rollup/plugin-${name}`)),
    );
    const plugins = [
      resolution.default({ preferBuiltins: true, exportConditions: ['node'] }),
      commonjs.default(),
      json.default(),
    ];
    const built = await rollup({ input: program, plugins, onwarn: () => undefined });
    await built.write({ dir: folder, format: 'esm', entryFileNames: 'main.mjs' });
    await built.close();
  },
  webpack: async () => {
    const { default: webpack } = await import('webpack');
    const compiler = webpack({
      mode: 'production',
      target: 'node20',
      entry: resolve(program),
      experiments: { outputModule: true },
      output: { path: folder, filename: 'main.mjs', module: true },
    });
    const stats = await new Promise((settle, fail) => {
      compiler.run((error, result) => (error ? fail(error) : settle(result)));
    });
    if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
  },
};
await bundle[bundler]();
