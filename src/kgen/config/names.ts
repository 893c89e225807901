/** Endings of a configuration file, in the order in which it is looked for. */
export const formats = ['ts', 'js', 'json', 'yaml'] as const;

export type Format = (typeof formats)[number];

/** Names of a configuration file; the first that exists is taken. */
export const configNames: readonly string[] = formats.map((format) => `kgen.config.${format}`);
