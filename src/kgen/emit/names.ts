/** Names that only generated modules need, beside those that the model decided. */
import type { GroupVersion, Resource } from '../model/ir.ts';
import { capitalised } from './literals.ts';
import { typeNames } from './types-file.ts';

/** Names of one resource that the model does not know. */
export interface HelperNames {
  /** Of the type of its watch events. */
  readonly event: string;
  /** Of its watch helper. */
  readonly watch: string;
}

/** Names that the index module of a group version declares beside its types. */
export interface IndexNames {
  /** Of the interface of the group version's clients. */
  readonly clients: string;
  /** Of the interface of its informers. */
  readonly informers: string;
  readonly helpers: ReadonlyMap<Resource, HelperNames>;
  /** Everything that the module exports, types included. */
  readonly all: ReadonlySet<string>;
}

/** Decides the names of an index module. A name that is taken is followed by underscores. */
export function indexNames(groupVersion: GroupVersion): IndexNames {
  const all = new Set(typeNames(groupVersion));
  for (const { names } of groupVersion.resources) {
    for (const name of [names.client, names.lister, names.informer, names.constant]) all.add(name);
  }
  const claim = (name: string): string => {
    let free = name;
    while (all.has(free)) free += '_';
    all.add(free);
    return free;
  };
  const helpers = new Map<Resource, HelperNames>();
  for (const resource of groupVersion.resources) {
    helpers.set(resource, {
      event: claim(`${resource.names.type}WatchEvent`),
      watch: claim(`watch${capitalised(resource.names.accessor)}`),
    });
  }
  const stem = capitalised(groupVersion.accessor);
  return { clients: claim(`${stem}Client`), informers: claim(`${stem}Informers`), helpers, all };
}
