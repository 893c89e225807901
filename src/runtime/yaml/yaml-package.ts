/**
 * The package `yaml`, for modules that load it on first use. Bundlers that split programs convert an
 * `import()` of a CommonJS package to a module with a default export only.
 */
export * as yaml from 'yaml';
