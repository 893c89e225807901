/** Extensions of a configuration file, in search order. */
export const formats = ['ts', 'js', 'json', 'yaml'] as const;

export type Format = (typeof formats)[number];

/** Names of a configuration file. The first existing file is used. */
export const configNames: readonly string[] = formats.map((format) => `kgen.config.${format}`);
