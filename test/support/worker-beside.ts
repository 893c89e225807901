/** The worker of elections of programs that are bundled with the sources of the packages. */
import type { Plugin } from 'esbuild';

/** Starts the module `election-worker.js` beside the bundle, as sources do not contain the built program. */
export const workerBeside: Plugin = {
  name: 'worker-beside',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]election[\\/]thread[\\/]worker-program\.ts$/ }, () => ({
      contents: "export const workerProgram = () => new URL('./election-worker.js', import.meta.url);",
    }));
  },
};
