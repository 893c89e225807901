import type { CrdDefinition } from '../input/crd.ts';
import { apiVersionOf } from '../names.ts';
import type { ApiDocument, DiscoveredGroupVersion, GroupVersionKind } from '../openapi/types.ts';
import { type Checked, limitPerFile, type Problem } from '../problems.ts';
import { byText } from '../words.ts';
import { type ListedCrd, listCrds, readCrds } from './crds.ts';
import { type Discovery, discover } from './discover.ts';
import { type ReadDocument, readDocuments, readIndex, readWhole } from './documents.ts';
import { allInOrder } from './in-parallel.ts';
import type { IndexEntry } from './index-paths.ts';
import type { Server } from './server.ts';
import { readKubernetesVersion } from './version.ts';
import { mayWantGroup, type Selection, versionsToRead, wantedCrds, wantedResources } from './wanted.ts';

/** What of a cluster is to be read. */
export interface Reading {
  readonly selection: Selection;
  /** True when all documents are needed themselves. */
  readonly needsDocuments: boolean;
  readonly onProgress: (done: number, total: number) => void;
}

/** What was read of a cluster. */
export interface ClusterContent {
  /** Sorted by `file`. */
  readonly documents: readonly ApiDocument[];
  readonly discovery: readonly DiscoveredGroupVersion[];
  /** Those whose objects could be read. */
  readonly crds: readonly CrdDefinition[];
  readonly kubernetesVersion?: string;
  /** Kinds that are served and were not read: nobody wants them, or their group version did not answer. */
  readonly unread: readonly GroupVersionKind[];
  /** Set where a group version that may be wanted did not answer. */
  readonly partial?: true;
}

/** Asks in two rounds: what there is, then what is wanted of it. */
export async function readCluster(server: Server, reading: Reading): Promise<Checked<ClusterContent>> {
  const [discovery, index, listed, version] = await allInOrder([
    discover(server),
    readIndex(server),
    listCrds(server),
    readKubernetesVersion(server),
  ]);
  const { groupVersions } = discovery.value;
  const names = wantedCrds(
    listed.value.map(({ name }) => name),
    groupVersions,
    reading.selection,
  );
  const crds = listed.value.filter(({ name }) => names.has(name));
  const read = await readTypes(server, reading, { groupVersions, entries: index.value, crds });
  const told = outages(discovery.value, read.documents, reading.selection);
  const isRead = (one: DiscoveredGroupVersion): boolean => isServed(one, reading, told.lost);
  return {
    value: {
      documents: read.documents
        .flatMap(({ document }) => document ?? [])
        .sort((a, b) => byText(a.file, b.file)),
      discovery: groupVersions.filter(isRead),
      unread: groupVersions.filter((one) => !isRead(one)).flatMap(kindsOf),
      crds: read.crds,
      ...(version !== undefined && { kubernetesVersion: version }),
      ...(told.problems.length > 0 && { partial: true }),
    },
    problems: limitPerFile([discovery, index, listed, read, told].flatMap(({ problems }) => problems)),
  };
}

/** What there is. */
interface Available {
  readonly groupVersions: readonly DiscoveredGroupVersion[];
  readonly entries: readonly IndexEntry[];
  readonly crds: readonly ListedCrd[];
}

interface ReadTypes {
  readonly documents: readonly ReadDocument[];
  readonly crds: readonly CrdDefinition[];
  readonly problems: readonly Problem[];
}

/** CRDs, and the documents of everything else; also of what CRDs define that turn out not to be readable. */
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

/** True when all of the cluster is wanted. */
function isUnselected({ include, exclude }: Selection): boolean {
  return include.length + exclude.length === 0;
}

/** Names in the index of what has the types of discovery, which v2 has beside all others. */
const ofDiscovery: ReadonlySet<string> = new Set(['api', 'apis', 'version']);

/** Documents of OpenAPI v3, one for each group version; each is read once. */
class SplitDocuments {
  readonly found: ReadDocument[] = [];
  readonly #server: Server;
  readonly #entries: readonly IndexEntry[];
  readonly #onProgress: Reading['onProgress'];
  readonly #asked: Set<IndexEntry> = new Set();
  #done = 0;

  constructor(server: Server, entries: readonly IndexEntry[], onProgress: Reading['onProgress']) {
    this.#server = server;
    this.#entries = entries;
    this.#onProgress = onProgress;
  }

  readAll(): Promise<void> {
    return this.#read(this.#entries);
  }

  /** Reads the documents of group versions, given as `apps/v1`. */
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
    const missing = entries.filter((entry) => !this.#asked.has(entry));
    for (const entry of missing) this.#asked.add(entry);
    const onRead = (): void => {
      this.#done += 1;
      this.#onProgress(this.#done, this.#asked.size);
    };
    for (const document of await readDocuments(this.#server, missing, onRead)) this.found.push(document);
  }
}

/** The one document of OpenAPI v2, of servers that have nothing else. */
class WholeDocument {
  readonly found: ReadDocument[] = [];
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  async readAll(): Promise<void> {
    if (this.found.length === 0) this.found.push({ document: await readWhole(this.#server) });
  }

  /** Reads it when there is any version that it is needed for. */
  async read(versions: ReadonlySet<string>): Promise<void> {
    if (versions.size > 0) await this.readAll();
  }

  /** They stand in the one document. */
  async readOfDiscovery(): Promise<void> {
    return Promise.resolve();
  }
}

interface Outages {
  /** Group versions that are left out, as `apps/v1`. */
  readonly lost: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

/** One warning for each group version that did not answer, whatever was asked. */
function outages(discovery: Discovery, documents: readonly ReadDocument[], selection: Selection): Outages {
  const groupOf = (name: string): string => (name.includes('/') ? name.slice(0, name.indexOf('/')) : '');
  const told = new Map([...discovery.silent].filter(([name]) => mayWantGroup(groupOf(name), selection)));
  const lost = new Set<string>();
  const others: Problem[] = [];
  for (const { groupVersion, problem } of documents) {
    if (problem === undefined) continue;
    if (groupVersion === undefined) others.push(problem);
    else {
      lost.add(apiVersionOf(groupVersion));
      told.set(apiVersionOf(groupVersion), problem);
    }
  }
  return { lost, problems: [...told.values(), ...others] };
}

function kindsOf({ group, version, resources }: DiscoveredGroupVersion): readonly GroupVersionKind[] {
  return resources.map(({ kind: { kind } }) => ({ group, version, kind }));
}

function isServed(one: DiscoveredGroupVersion, reading: Reading, lost: ReadonlySet<string>): boolean {
  if (lost.has(apiVersionOf(one)) || one.resources.length === 0) return false;
  return reading.needsDocuments || wantedResources(one, reading.selection).length > 0;
}
