/** Options of the emitter, which are final before the first line is printed. */
export interface EmitOptions {
  /** Version of kgen, for the headers of the files. */
  readonly version: string;
  /** `ts`: sources. `js`: `.js` beside `.d.ts`, with a `package.json` that marks them as ES modules. */
  readonly emit: 'ts' | 'js';
  /** Extension of relative imports between `.ts` files. `''` is for bundlers that resolve extensions. */
  readonly importExtension: '.js' | '.ts' | '';
  /**
   * Module that replaces `@kgen/runtime/gen/v1`. A relative specifier is relative to the output folder. The
   * modules `protobuf` and `streams` below it replace those of `@kgen/runtime/gen/v1`.
   */
  readonly runtimeImport: string;
  /**
   * Content of comments. `full`: descriptions and facts. `facts`: default, format, validation, deprecation,
   * immutability and a link to the reference, but no text of other authors. `none`: only `@deprecated` tags.
   */
  readonly docs: 'full' | 'facts' | 'none';
  readonly listers: boolean;
  readonly informers: boolean;
  readonly schemas: boolean;
}

/** Defaults of the command line. */
export const defaultEmitOptions: Omit<EmitOptions, 'version'> = {
  emit: 'ts',
  importExtension: '.js',
  runtimeImport: '@kgen/runtime/gen/v1',
  docs: 'full',
  listers: true,
  informers: true,
  schemas: true,
};
