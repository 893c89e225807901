/** Checks of arguments that JavaScript callers may pass in violation of the types. */
import type { HandleOptions, InformerHandlers } from '../informer/informer.ts';

const names = ['add', 'update', 'delete'] as const;

/**
 * @throws {TypeError} if no handler would ever be called: misspelt names, and values that are not functions
 * @throws {RangeError} if `resyncMs` is invalid
 */
export function checkHandlers<T>(handlers: InformerHandlers<T>, { resyncMs }: HandleOptions): void {
  const problem = problemOf(handlers);
  if (problem !== undefined) throw new TypeError(`handle: ${problem}; expected { add, update, delete }`);
  if (resyncMs === undefined || (Number.isFinite(resyncMs) && resyncMs > 0)) return;
  throw new RangeError(`handle: resyncMs must be > 0, got ${resyncMs}; omit it to disable resyncs`);
}

/** A class may have other members besides its handlers, so they are an error only if it has no handlers. */
function problemOf(handlers: unknown): string | undefined {
  if (typeof handlers !== 'object' || handlers === null)
    return `handlers must be an object, got ${String(handlers)}`;
  const given = names.map((name) => [name, Reflect.get(handlers, name)] as const);
  const wrong = given.find(([, handler]) => handler !== undefined && typeof handler !== 'function');
  if (wrong !== undefined) return `${wrong[0]} is not a function`;
  const others = Object.keys(handlers).filter((name) => !names.some((known) => known === name));
  if (others.length === 0 || given.some(([, handler]) => handler !== undefined)) return undefined;
  return `unknown handlers: ${others.join(', ')}`;
}
