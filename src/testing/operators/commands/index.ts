/** Entry point for `kgen`. */
export { commands } from './commands.ts';
