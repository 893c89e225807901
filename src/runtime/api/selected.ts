/**
 * Types of objects of which only some fields are held: the selection of an informer, and its objects. As in
 * `types.ts`, conditional types are one level below the names that editors show.
 */
import type { ObjectMeta, Time } from './meta.ts';

type Scalar = string | number | boolean | bigint | null | undefined;

/** The objects in a value: items of lists, and the members of a union that are objects. */
type Holder<V> = V extends Scalar ? never : V extends readonly (infer Item)[] ? Holder<Item> : V;

/**
 * Fields of an object of type `T` that an informer holds: `true` selects a field with all that it contains,
 * an object selects fields of it. Selections pass through lists to their items. Members of a map are selected
 * by their keys, and `'*'` stands for every key: `{ metadata: { labels: { app: true } } }`,
 * `{ spec: { servers: { '*': { port: true } } } }`. Fields whose type is unknown accept any selection.
 */
export type FieldSelection<T> = { readonly [K in keyof T]?: SelectionOf<T[K]> };

/** Selection of fields whose type is not known at compile time. */
export interface AnySelection {
  readonly [field: string]: true | AnySelection;
}

/** Option of lists and watches: the fields to which objects are reduced. Without it they are whole. */
export interface SelectFields<S> {
  readonly select: S;
}

type SelectionOf<V> = unknown extends V ? true | AnySelection : true | SelectionIn<Holder<NonNullable<V>>>;

type SelectionIn<V> = V extends object ? FieldSelection<V> : never;

declare const selection: unique symbol;

/**
 * Metadata of every selected object, besides its namespace. It differs from the metadata of a whole object,
 * so that a selected object cannot be passed to an update, which would remove the fields that are not
 * selected.
 */
export interface SelectedMeta {
  readonly [selection]: true;
  name: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: Time;
  deletionTimestamp?: Time | undefined;
}

/** Metadata of an object that is not a selected part of another one. */
export interface UnselectedMeta {
  readonly [selection]?: never;
}

/**
 * An object of type `T` with the fields of a selection `S`, and those that every selected object has:
 * apiVersion, kind, name, namespace, uid, resourceVersion, creationTimestamp and deletionTimestamp.
 */
export type Selected<T, S> = SelectedFields<T, Omit<S, 'apiVersion' | 'kind' | 'metadata'>> &
  TypeNames<T> & {
    metadata: SelectedMeta & NamespaceOf<T> & SelectedMetaOf<T, S>;
  };

type TypeNames<T> = { [K in keyof T & ('apiVersion' | 'kind')]: T[K] };

type MetaOf<T> = T extends { metadata?: infer Meta } ? NonNullable<Meta> : ObjectMeta;

type NamespaceOf<T> = Pick<MetaOf<T> & ObjectMeta, 'namespace'>;

type SelectedMetaOf<T, S> = S extends { readonly metadata: infer M }
  ? M extends true
    ? MetaOf<T>
    : SelectedFields<MetaOf<T>, M>
  : unknown;

/** The fields of an object, or the members of a map. */
type SelectedFields<V, S> = string extends keyof V
  ? '*' extends keyof S
    ? { [K in keyof V]: SelectedField<V[K], S['*']> }
    : { [K in keyof S & keyof V]?: SelectedField<V[K], S[K]> }
  : {
      [K in keyof V as K extends keyof S ? K : never]: K extends keyof S ? SelectedField<V[K], S[K]> : never;
    };

type SelectedField<V, S> = S extends true ? V : unknown extends V ? V : SelectedIn<V, S>;

type SelectedIn<V, S> = V extends Scalar
  ? V
  : V extends readonly (infer Item)[]
    ? SelectedField<Item, S>[]
    : SelectedFields<V, S>;
