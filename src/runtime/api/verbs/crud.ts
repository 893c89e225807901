/** Combinations of verbs that many resources support. */
import type { Get, List, WaitFor, Watch } from './read.ts';
import type { Apply, Create, CustomPatch, Delete, DeleteCollection, Patch, Update } from './write.ts';

/**
 * The verbs of all kinds except `patch`, whose body types differ. `L` is the type of the list, `Field` the
 * fields that field selectors accept.
 */
export interface BaseCrud<T, L, Field extends string = never>
  extends Get<T>,
    List<T, L, Field>,
    Watch<T, Field>,
    WaitFor<T>,
    Create<T>,
    Update<T>,
    Apply<T>,
    Delete<T>,
    DeleteCollection<L, Field> {}

/**
 * The verbs of custom resources. `L` is the type of their list, `Field` the fields that field selectors
 * accept.
 */
export interface CustomCrud<T, L, Field extends string = never>
  extends BaseCrud<T, L, Field>,
    CustomPatch<T> {}

/** The verbs of most built-in kinds. */
export interface Crud<T, L, Field extends string = never> extends BaseCrud<T, L, Field>, Patch<T> {}

/** The verbs that span all namespaces. */
export interface AllNamespaces<T, L, Field extends string = never>
  extends List<T, L, Field>,
    Watch<T, Field> {}
