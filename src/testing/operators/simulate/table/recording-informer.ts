/** Informers whose objects are passed through a function. */
import type { Informer, InformerIndex, Stored } from '@kgen/runtime';

/** Returns an informer whose lister, indices, handlers and `find` return `show` of each object. */
export function recordingInformer<T, L>(
  informer: Informer<T, L>,
  show: (object: Stored<T>) => Stored<T>,
): Informer<T, L> {
  const lister = shownBy(informer.lister, show);
  return new Proxy(informer, {
    get: (target, name) => {
      if (name === 'lister') return lister;
      if (name === 'find') return shown(target.find.bind(target), show);
      if (name === 'handle') return handleOf(target, show);
      if (name === 'addIndex') return addIndexOf(target, show);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Any function. */
type Call = (...args: readonly never[]) => unknown;

/** Returns an object whose methods return shown objects. */
function shownBy<L, T>(lister: L, show: (object: Stored<T>) => Stored<T>): L {
  if (typeof lister !== 'object' || lister === null) return lister;
  return new Proxy(lister, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      // seam: the methods of listers and indices return objects, lists of objects, or nothing.
      return typeof value === 'function' ? shown(value.bind(target) as Call, show) : value;
    },
  });
}

function shown<T>(call: Call, show: (object: Stored<T>) => Stored<T>): Call {
  return (...args) => {
    const result = call(...args);
    if (Array.isArray(result)) return result.map((item) => (isObject(item) ? show(seam<T>(item)) : item));
    return isObject(result) ? show(seam<T>(result)) : result;
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function seam<T>(object: object): Stored<T> {
  // seam: the objects of an informer have its type.
  return object as Stored<T>;
}

function handleOf<T, L>(
  informer: Informer<T, L>,
  show: (object: Stored<T>) => Stored<T>,
): Informer<T, L>['handle'] {
  return ({ add, update, delete: removed, ...others }, options) =>
    informer.handle(
      {
        ...others,
        ...(add && { add: (object, details) => add(show(object), details) }),
        ...(update && { update: (object, old) => update(show(object), show(old)) }),
        ...(removed && { delete: (object, details) => removed(show(object), details) }),
      },
      options,
    );
}

function addIndexOf<T, L>(
  informer: Informer<T, L>,
  show: (object: Stored<T>) => Stored<T>,
): (...args: Parameters<Informer<T, L>['addIndex']>) => InformerIndex<Stored<T>> {
  return (name, valuesOf) =>
    shownBy(
      informer.addIndex(name, (object) => valuesOf(show(object))),
      show,
    );
}
