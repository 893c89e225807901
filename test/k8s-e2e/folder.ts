import { fileURLToPath } from 'node:url';

/** This folder, for the bundle of `run.mjs` too, which is in it. */
export const folder: string = fileURLToPath(new URL('.', import.meta.url));
