/** Entry point `@kgen/testing/fast-check`. It is separate, because fast-check is an optional dependency. */

export { arbitraryOf } from './samples/arbitrary.ts';
