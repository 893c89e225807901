/** The verbs that resources have in common, under one name each. */
import type { Get, List, WaitFor, Watch } from './read.ts';
import type { Apply, Create, CustomPatch, Delete, DeleteCollection, Patch, Update } from './write.ts';

/**
 * The verbs that all kinds have in common: all but `patch`, which differs in its types of body. `L` is the type of the
 * list, `Field` the fields that selectors accept.
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

/** The verbs that custom resources have. `L` is the type of their list, `Field` the fields that selectors accept. */
export interface CustomCrud<T, L, Field extends string = never>
  extends BaseCrud<T, L, Field>,
    CustomPatch<T> {}

/** The verbs that most built-in kinds have. */
export interface Crud<T, L, Field extends string = never> extends BaseCrud<T, L, Field>, Patch<T> {}

/** What can be asked of all namespaces at once. */
export interface AllNamespaces<T, L, Field extends string = never>
  extends List<T, L, Field>,
    Watch<T, Field> {}
