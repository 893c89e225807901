/** How an output is to look. All of it is decided before the first line is printed. */
export interface EmitOptions {
  /** Version of kgen, for the headers. */
  readonly version: string;
  /** `ts`: sources. `js`: `.js` beside `.d.ts`, with a `package.json` that marks them as ES modules. */
  readonly emit: 'ts' | 'js';
  /** Extension of the relative imports between `.ts` files; `''` for bundlers that add their own. */
  readonly importExtension: '.js' | '.ts' | '';
  /**
   * Module that takes the place of `@kgen/runtime/gen/v1`; a relative one is relative to the output folder. What is below
   * it under the name `protobuf` takes the place of `@kgen/runtime/gen/v1/protobuf`.
   */
  readonly runtimeImport: string;
  /**
   * What comments say. `full`: descriptions and facts. `facts`: default, format, validation, deprecated, immutable, a
   * link to the reference, and nothing that another author wrote. `none`: `@deprecated` marks only.
   */
  readonly docs: 'full' | 'facts' | 'none';
  readonly listers: boolean;
  readonly informers: boolean;
}

/** What the command line does when nothing is said. */
export const defaultEmitOptions: Omit<EmitOptions, 'version'> = {
  emit: 'ts',
  importExtension: '.js',
  runtimeImport: '@kgen/runtime/gen/v1',
  docs: 'full',
  listers: true,
  informers: true,
};
