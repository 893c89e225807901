/** Content of a cluster in two rounds, so that no document of unselected kinds is requested. */
import { apiVersionOf } from '../common/names.ts';
import { type Checked, type InputProblem, limitPerFile } from '../common/problems.ts';
import { byText } from '../common/words.ts';
import type { CrdDefinition } from '../input/crd/crd.ts';
import type { ApiDocument, DiscoveredGroupVersion, GroupVersionKind } from '../openapi/types.ts';
import { type ListedCrd, listCrds, readCrds } from './crds.ts';
import { assertResponsive, type Discovery, discover } from './discover.ts';
import { type ReadDocument, readDocuments, readIndex, readWhole } from './documents.ts';
import { allInOrder } from './in-parallel.ts';
import type { IndexEntry } from './index-paths.ts';
import { mayWantGroup, type Selection, selectedCrds, selectedResources, versionsToRead } from './selected.ts';
import type { Server } from './server.ts';
import { readKubernetesVersion } from './version.ts';

/** Selects the parts of a cluster to read. */
export interface Reading {
  readonly selection: Selection;
  /** Whether all documents are needed themselves. */
  readonly needsDocuments: boolean;
  readonly onProgress: (done: number, total: number) => void;
}

/** Content of a cluster. */
export interface ClusterContent {
  /** Sorted by `file`. */
  readonly documents: readonly ApiDocument[];
  readonly discovery: readonly DiscoveredGroupVersion[];
  /** CRDs whose objects could be read. */
  readonly crds: readonly CrdDefinition[];
  readonly kubernetesVersion?: string;
  /**
   * Kinds that are served and were not read: they are not selected, or their group version was unavailable.
   */
  readonly unread: readonly GroupVersionKind[];
  /** Set if a group version that may be selected was unavailable. */
  readonly partial?: true;
}

/** Reads in two rounds: the list of resources, then the selected ones. */
export async function readCluster(server: Server, reading: Reading): Promise<Checked<ClusterContent>> {
  const [discovery, index, listed, version] = await allInOrder([
    discover(server),
    readIndex(server),
    listCrds(server),
    readKubernetesVersion(server),
  ]);
  const { groupVersions } = discovery.value;
  const names = selectedCrds(
    listed.value.map(({ name }) => name),
    groupVersions,
    reading.selection,
  );
  const crds = listed.value.filter(({ name }) => names.has(name));
  const read = await readTypes(server, reading, { groupVersions, entries: index.value, crds });
  const outage = outages(discovery.value, read.documents, reading.selection);
  if (outage.problems.length > 0) await assertResponsive(server);
  const isRead = (one: DiscoveredGroupVersion): boolean => isServed(one, reading, outage.lost);
  return {
    value: {
      documents: read.documents
        .flatMap(({ document }) => document ?? [])
        .sort((a, b) => byText(a.file, b.file)),
      discovery: groupVersions.filter(isRead),
      unread: groupVersions.filter((one) => !isRead(one)).flatMap(kindsOf),
      crds: read.crds,
      ...(version !== undefined && { kubernetesVersion: version }),
      ...(outage.problems.length > 0 && { partial: true }),
    },
    problems: limitPerFile([discovery, index, listed, read, outage].flatMap(({ problems }) => problems)),
  };
}

/** The list of resources. */
interface Available {
  readonly groupVersions: readonly DiscoveredGroupVersion[];
  readonly entries: readonly IndexEntry[];
  readonly crds: readonly ListedCrd[];
}

interface ReadTypes {
  readonly documents: readonly ReadDocument[];
  readonly crds: readonly CrdDefinition[];
  readonly problems: readonly InputProblem[];
}

/**
 * Reads CRDs, and the documents of all other resources, including those whose CRDs turn out to be unreadable.
 */
async function readTypes(server: Server, reading: Reading, available: Available): Promise<ReadTypes> {
  const { groupVersions, entries, crds } = available;
  const documents =
    entries.length === 0
      ? new WholeDocument(server)
      : new SplitDocuments(server, entries, reading.onProgress);
  const versionsBeside = (names: readonly string[]): ReadonlySet<string> =>
    versionsToRead(groupVersions, reading.selection, new Set(names));
  const [, read] = await allInOrder([
    reading.needsDocuments
      ? documents.readAll()
      : documents.read(versionsBeside(crds.map(({ name }) => name))),
    readCrds(server, crds),
  ]);
  if (!reading.needsDocuments) await documents.read(versionsBeside(read.value.map(({ name }) => name)));
  if (isUnselected(reading.selection)) await documents.readOfDiscovery();
  return { documents: documents.found, crds: read.value, problems: read.problems };
}

/** Returns whether the whole cluster is selected. */
function isUnselected({ include, exclude }: Selection): boolean {
  return include.length + exclude.length === 0;
}

/** Keys in the index of documents with the types of discovery, which v2 has in its single document. */
const ofDiscovery: ReadonlySet<string> = new Set(['api', 'apis', 'version']);

/** Documents of OpenAPI v3, one per group version. Each is read once. */
class SplitDocuments {
  readonly found: ReadDocument[] = [];
  readonly #server: Server;
  readonly #entries: readonly IndexEntry[];
  readonly #onProgress: Reading['onProgress'];
  readonly #requested: Set<IndexEntry> = new Set();
  #done = 0;

  constructor(server: Server, entries: readonly IndexEntry[], onProgress: Reading['onProgress']) {
    this.#server = server;
    this.#entries = entries;
    this.#onProgress = onProgress;
  }

  readAll(): Promise<void> {
    return this.#read(this.#entries);
  }

  /** Reads the documents of group versions such as `apps/v1`. */
  read(versions: ReadonlySet<string>): Promise<void> {
    return this.#read(
      this.#entries.filter(
        ({ groupVersion }) => groupVersion !== undefined && versions.has(apiVersionOf(groupVersion)),
      ),
    );
  }

  readOfDiscovery(): Promise<void> {
    return this.#read(this.#entries.filter(({ key }) => ofDiscovery.has(key)));
  }

  async #read(entries: readonly IndexEntry[]): Promise<void> {
    const missing = entries.filter((entry) => !this.#requested.has(entry));
    for (const entry of missing) this.#requested.add(entry);
    const onRead = (): void => {
      this.#done += 1;
      this.#onProgress(this.#done, this.#requested.size);
    };
    for (const document of await readDocuments(this.#server, missing, onRead)) this.found.push(document);
  }
}

/** The single document of OpenAPI v2, for servers without v3. */
class WholeDocument {
  readonly found: ReadDocument[] = [];
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  async readAll(): Promise<void> {
    if (this.found.length === 0) this.found.push({ document: await readWhole(this.#server) });
  }

  /** Reads the document if any version needs it. */
  async read(versions: ReadonlySet<string>): Promise<void> {
    if (versions.size > 0) await this.readAll();
  }

  /** The types of discovery are in the single document. */
  async readOfDiscovery(): Promise<void> {
    return Promise.resolve();
  }
}

interface Outages {
  /** Group versions that are dropped, as `apps/v1`. */
  readonly lost: ReadonlySet<string>;
  readonly problems: readonly InputProblem[];
}

/** Returns one warning per unavailable group version, whichever request failed. */
function outages(discovery: Discovery, documents: readonly ReadDocument[], selection: Selection): Outages {
  const groupOf = (name: string): string => (name.includes('/') ? name.slice(0, name.indexOf('/')) : '');
  const silent = new Map([...discovery.silent].filter(([name]) => mayWantGroup(groupOf(name), selection)));
  const lost = new Set<string>();
  const others: InputProblem[] = [];
  for (const { groupVersion, problem } of documents) {
    if (problem === undefined) continue;
    if (groupVersion === undefined) others.push(problem);
    else {
      lost.add(apiVersionOf(groupVersion));
      silent.set(apiVersionOf(groupVersion), problem);
    }
  }
  return { lost, problems: [...silent.values(), ...others] };
}

function kindsOf({ group, version, resources }: DiscoveredGroupVersion): readonly GroupVersionKind[] {
  return resources.map(({ kind: { kind } }) => ({ group, version, kind }));
}

function isServed(one: DiscoveredGroupVersion, reading: Reading, lost: ReadonlySet<string>): boolean {
  if (lost.has(apiVersionOf(one)) || one.resources.length === 0) return false;
  return reading.needsDocuments || selectedResources(one, reading.selection).length > 0;
}
