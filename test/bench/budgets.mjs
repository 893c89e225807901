// Budgets of the figures of `npm run bench`, by the names of their rows. A name with `*` is that of several
// rows. The first budget that matches applies; a row without one is printed, not judged.
import { budgetOf } from './verdicts.mjs';

/** @type {(most: number) => { readonly most: number }} */
const atMost = (most) => ({ most });
/** @type {(least: number) => { readonly least: number }} */
const atLeast = (least) => ({ least });

/** Goals of operators beside controller-runtime, by number of objects. */
const operators = [
  ['operator, * Foos, *, requests, × controller-runtime', atMost(1)],
  ['operator, 3000 Foos, *, s until converged, × controller-runtime', atMost(1)],
  ['operator, 3000 Foos, *, s of processor time, × controller-runtime', atMost(1)],
  ['operator, 3000 Foos, *, MB of live heap, × controller-runtime', atMost(1.4)],
  ['operator, 3000 Foos, *, MB of resident memory, × controller-runtime', atMost(1.4)],
  ['operator, 10000 Foos, *, s until converged, × controller-runtime', atMost(0.85)],
  ['operator, 10000 Foos, *, s of processor time, × controller-runtime', atMost(0.58)],
  ['operator, 10000 Foos, *, MB of live heap, × controller-runtime', atMost(0.85)],
  ['operator, 10000 Foos, *, MB of resident memory, × controller-runtime', atMost(0.6)],
  ['operator, 100000 Foos, *, s until converged, × controller-runtime', atMost(0.8)],
  ['operator, 100000 Foos, *, s of processor time, × controller-runtime', atMost(0.55)],
  ['operator, 100000 Foos, *, MB of live heap, × controller-runtime', atMost(0.75)],
  ['operator, 100000 Foos, *, MB of resident memory, × controller-runtime', atMost(0.7)],
  ['operator, * Foos, *, ms from an edit to its repair, median, × controller-runtime', atMost(1.2)],
  // The floor of Node.js, and operators in JavaScript by hand.
  ['operator, * Foos, *, requests, × bare undici', atMost(1.05)],
  ['operator, * Foos, *, s until converged, × bare undici', atMost(1.6)],
  ['operator, * Foos, *, s of processor time, × bare undici', atMost(2.5)],
  ['operator, * Foos, *, MB of live heap, × bare undici', atMost(2)],
  ['operator, * Foos, *, MB of resident memory, × bare undici', atMost(1.5)],
  ['operator, * Foos, *, ms from an edit to its repair, median, × bare undici', atMost(1.6)],
  ['operator, * Foos, *, requests, × kube-rs', atMost(1)],
  ['operator, * Foos, *, s until converged, × kube-rs', atMost(1.2)],
  ['operator, * Foos, *, s of processor time, × kube-rs', atMost(2)],
  ['operator, * Foos, *, MB of resident memory, × kube-rs', atMost(2)],
  ['operator, * Foos, *, ms from an edit to its repair, median, × kube-rs', atMost(1.2)],
  ['operator, * Foos, *, × client-node', atMost(1)],
  ['operator, * Foos, *, × kubernetes-fluent-client', atMost(1)],
  ['operator at rest, * Foos, *', atMost(0.5)],
];

const generator = [
  ['the whole API from the live server, * cache: processor time over that from saved documents', atMost(1.3)],
  ['the whole API from saved * documents: processor time of kgen over that of parsing them', atMost(18)],
  ['the whole API from saved * documents, peak memory', atMost(300)],
  ['all CRDs of the corpus*: processor time of kgen over that of parsing them', atMost(6.5)],
  ['all CRDs of the corpus, peak memory', atMost(250)],
  ['kgen --version: processor time over that of an empty program', atMost(3.5)],
  ['type-check of a program with argoproj.io/v1alpha1: processor time over that of an empty one', atMost(2)],
  ['definitions of workflows, processor time of kgen over that of parsing them', atMost(4)],
  [
    'type-check of a program with the client of workflows over that of the kinds without schemas',
    atMost(2.5),
  ],
  ['type-check of one call of the Clientset over an empty program', atMost(150)],
  ["cert-manager's definitions: processor time of kgen over that of parsing the YAML", atMost(6)],
  ["cert-manager's definitions: processor time of kgen over that of *", atMost(1)],
  ['the API of Kubernetes: processor time of kgen over that of *', atMost(1)],
  ['empty folder to first reconcile in memory, 3 commands', atMost(60)],
  ['reload after a change of a *, p50 of *', atMost(1)],
];

const packages = [
  ['bundle of a program that imports one group version', atMost(55)],
  ["import('@kgen/kubernetes') over import('undici')", atMost(30)],
  ["import('@kgen/runtime') over import('undici')", atMost(15)],
  ['@kgen/runtime installed, with its dependencies', atMost(4)],
];

const requests = [
  ['small, GET*: rate of kgen over bare undici', atLeast(0.9)],
  ['small, GET: rate of kgen over client-node with one agent', atLeast(2)],
  ['small, GET, 50 at a time: rate of kgen over client-node with one agent', atLeast(2.4)],
  ['small, GET: rate of kgen over client-node', atLeast(14)],
  ['small, GET, 50 at a time: rate of kgen over client-node', atLeast(20)],
  ['small, GET: rate of kgen over kubernetes-fluent-client', atLeast(14)],
  ['small, GET, 50 at a time: rate of kgen over kubernetes-fluent-client', atLeast(20)],
  ['real server, GET*: rate of kgen over bare undici', atLeast(0.95)],
  ['*, GET*: processor time of kgen over bare undici', atMost(1.04)],
  ['*, PATCH*: processor time of kgen over bare undici', atMost(1.1)],
  ['connections of 20,000 requests, 50 at a time', atMost(50)],
  ['heap that 24,000 requests leave', atMost(1)],
  ['handles that they leave', atMost(0)],
  ['streams: handles left by 1,000 execs', atMost(0)],
  ['streams: throughput of *', atLeast(0.9)],
  ['streams: memory of *', atMost(64)],
];

const lists = [
  ['*: time of kgen, undici and JSON.parse being 100', atMost(105)],
  ['10,000 pods of a fixed server: event-loop delay', atMost(50)],
  ['10,000 pods of kube-apiserver: event-loop delay', atMost(50)],
  ['100,000 pods of a fixed server: longest stretch without collections', atMost(20)],
  ['100,000 pods of a fixed server: event-loop delay', atMost(250)],
  ['10,000 pods of kube-apiserver, *: event-loop delay', atMost(50)],
  ['10,000 pods of kube-apiserver, listed: time over that of undici and JSON.parse', atMost(0.6)],
  ['10,000 pods of kube-apiserver, listed: processor over that of undici and JSON.parse', atMost(0.65)],
  ["10,000 pods of kube-apiserver, listed: processor over client-go's", atMost(1.5)],
];

const informers = [
  ["50,000 pods of a fixed server, *: memory over client-node's", atMost(0.5)],
  ["50,000 pods of a fixed server, *: time to sync over client-node's", atMost(0.5)],
  ['50,000 pods of a fixed server, *: event-loop delay', atMost(250)],
  ['50,000 pods of a fixed server, *: longest stretch without collections', atMost(25)],
  ["10,000 pods of kube-apiserver: memory over client-go's", atMost(0.6)],
  ["10,000 pods of kube-apiserver: time to sync over client-node's", atMost(0.6)],
  ['10,000 pods of kube-apiserver, informer: memory over that over JSON', atMost(1)],
  ['10,000 pods of kube-apiserver, informer: time to sync over that over JSON', atMost(1)],
  ["100,000 events of 5 kB: kgen's * over a bare loop", atLeast(0.95)],
  [
    "100,000 events of 6.4 kB, kgen's watch: those a second of the processor is worth, over those of JSON",
    atLeast(1.2),
  ],
  ['lister.get of 50,000 pods', atLeast(5_000_000)],
  ['addIndex(…).get, 100 of 50,000 pods', atLeast(100_000)],
  ['lister.list by an indexed label, 100 of 50,000 pods', atLeast(100_000)],
  ["10,000 pods of kube-apiserver, informer: memory over client-go's", atMost(0.6)],
  ["10,000 pods of kube-apiserver, informer: time to sync over client-go's", atMost(1.3)],
  [
    "100,000 events of 6.4 kB, kgen's informer: those a second of the processor is worth, over those of JSON",
    atLeast(0.9),
  ],
  ['a day of watching: memory at its end, that after an hour being 100', atMost(105)],
];

const selections = [
  ["* pods of kube-apiserver*, selected: memory over client-go's", atMost(0.12)],
  ["* pods of kube-apiserver*, selected: memory over client-go's with a transform", atMost(0.5)],
  ["* pods of kube-apiserver*, selected: processor over client-go's", atMost(0.6)],
  ["* pods of kube-apiserver*, selected: processor over client-go's with a transform", atMost(1)],
  ["* pods of kube-apiserver*, selected: memory over kgen's whole", atMost(0.5)],
  ["* pods of kube-apiserver*, selected: processor over kgen's whole", atMost(1.1)],
  ['* pods of kube-apiserver*, selected: event-loop delay', atMost(20)],
  ['100000 pods of a fixed server, *: memory', atMost(120)],
  ['* pods of a fixed server, *: processor over that of a tenth', atMost(10)],
  ['* changes of unselected fields, *', atLeast(2)],
];

const large = [
  ['*, largest over smallest number', atMost(1.3)],
  ['100000 objects: longest stretch without collections', atMost(20)],
  ['* selected objects: longest stretch without collections', atMost(20)],
];

const codecs = [
  ['5,000 pods, Node 20: decode over JSON.parse, *', atMost(0.35)],
  ['5,000 pods, Node 24: decode over JSON.parse, *', atMost(0.55)],
  ['5,000 pods, Node *: encode over JSON.stringify, *', atMost(1.5)],
  ["5,000 pods, Node *: decode over protobufjs'", atMost(0.6)],
  ['*: a pass and a parse over a parse without managedFields', atMost(1.05)],
  ["first import of core/v1's protobuf.js", atMost(25)],
  ['modules of protobuf that a program loads where encoding is json', atMost(0)],
];

const controllers = [
  ['queue operations, *', atLeast(500_000)],
  ['time of a loop over a Map and an array, × for *', atMost(6)],
  ['* keys *: longest stretch without collections', atMost(10)],
  ['* keys *: renewals, × those of an idle process', atLeast(0.8)],
  ['* keys *: from SIGTERM to the end', atMost(1000)],
  ['webhooks, start to first response', atMost(800)],
  ['webhooks, cpuUs * at once, to controller-runtime', atMost(1)],
  ['webhooks, * at once, to controller-runtime', atMost(1.2)],
];

const tests = [
  ['simulate: seeds of MyApp with 20 objects', atLeast(30)],
  ['simulate: heap after *', atMost(1.1)],
  ['findings in * seeds of correct operators', atMost(0)],
  ['test server: first response after the import', atMost(100)],
  ['test server: first response of the second server', atMost(25)],
  ['test server: creates within the process', atLeast(20_000)],
  ['test server: creates over HTTP', atLeast(5000)],
  ['test server: 1,000 watches see 1,000 changes *', atMost(2000)],
  ['kgen-testserver: ready, of the start of Node.js', atMost(16)],
  ['test server: heap per stored pod, of its JSON', atMost(2)],
  ['ten tests: kgen, *', atMost(1000)],
];

/** Goals by the names of rows. */
const goals = [
  ...operators,
  ...generator,
  ...packages,
  ...requests,
  ...lists,
  ...informers,
  ...selections,
  ...large,
  ...codecs,
  ...controllers,
  ...tests,
];

/**
 * Limits of rows that miss their goal, at most a quarter beyond their figures on a quiet machine. `--check`
 * fails beyond them, so that no change loses what was reached. All other rows must reach their goal.
 *
 * @type {readonly (readonly [row: string, limit: number])[]}
 */
export const limits = [
  ['small, GET: rate of kgen over client-node with one agent', 1.6],
  ['small, GET: processor time of kgen over bare undici', 1.34],
  ['small, PATCH: processor time of kgen over bare undici', 1.4],
  ['real server, GET: processor time of kgen over bare undici', 1.4],
  ['real server, PATCH: processor time of kgen over bare undici', 1.4],
  ['real server, PATCH, 50 at a time: processor time of kgen over bare undici', 1.4],
  ['100,000 pods of a fixed server: longest stretch without collections', 45],
  ["100,000 events of 5 kB: kgen's informer over a bare loop", 0.8],
  ['webhooks, p50 20 at once, to controller-runtime', 1.6],
  // Go responds to some of 200 callers at once, and lets others wait: the 99th percentile shows that.
  ['webhooks, p50 200 at once, to controller-runtime', 18.8],
  ['operator, 3000 Foos, apply, MB of live heap, × controller-runtime', 2.35],
  ['operator, 3000 Foos, apply, MB of resident memory, × controller-runtime', 3.2],
  ['operator, 3000 Foos, apply, MB of resident memory, × bare undici', 1.72],
  ['operator, 3000 Foos, apply, ms from an edit to its repair, median, × bare undici', 2.2],
  ['operator, 3000 Foos, apply, s of processor time, × kube-rs', 2.59],
  ['operator, 3000 Foos, apply, MB of resident memory, × kube-rs', 2.98],
  ['operator, 3000 Foos, update, s until converged, × controller-runtime', 1.2],
  ['operator, 3000 Foos, update, s of processor time, × controller-runtime', 1.4],
  ['operator, 3000 Foos, update, MB of live heap, × controller-runtime', 2.15],
  ['operator, 3000 Foos, update, MB of resident memory, × controller-runtime', 3.05],
  ['operator, 3000 Foos, update, ms from an edit to its repair, median, × controller-runtime', 1.91],
  ['operator, 3000 Foos, update, ms from an edit to its repair, median, × client-node', 1.3],
  ['operator, 10000 Foos, apply, MB of live heap, × controller-runtime', 1.28],
  ['operator, 10000 Foos, apply, MB of resident memory, × controller-runtime', 1.72],
  ['operator, 10000 Foos, apply, ms from an edit to its repair, median, × controller-runtime', 1.54],
  ['operator, 10000 Foos, apply, s of processor time, × bare undici', 3.3],
  ['operator, 10000 Foos, update, s of processor time, × controller-runtime', 0.85],
  ['operator, 10000 Foos, update, MB of live heap, × controller-runtime', 1.1],
  ['operator, 10000 Foos, update, MB of resident memory, × controller-runtime', 1.52],
  ['operator, 10000 Foos, update, s until converged, × client-node', 1.3],
  ['operator, 100000 Foos, apply, s of processor time, × controller-runtime', 0.68],
  ['5,000 pods, Node 20: decode over JSON.parse, first turn', 0.9],
  ['5,000 pods, Node 20: decode over JSON.parse, later turns', 0.45],
  ['5,000 pods, Node 20: encode over JSON.stringify, first turn', 2.48],
  ['5,000 pods, Node 24: decode over JSON.parse, first turn', 1],
  ['5,000 pods, Node 24: encode over JSON.stringify, first turn', 3.5],
  ['5,000 pods, Node 24: encode over JSON.stringify, later turns', 1.91],
  ['10,000 pods of kube-apiserver, informer: memory over that over JSON', 1.1],
  ["10000 pods of kube-apiserver, selected: processor over client-go's", 1.2],
  ['10000 pods of kube-apiserver, JSON, selected: event-loop delay', 27.2],
  [
    '100000 changes of unselected fields, protobuf: those a second of the processor is worth, over those of whole pods',
    1.22,
  ],
  [
    '100000 changes of unselected fields, json: those a second of the processor is worth, over those of whole pods',
    0.85,
  ],
  ['100000 keys at rest, of two controllers: longest stretch without collections', 14.9],
  ['the whole API from the live server, cold cache: processor time over that from saved documents', 1.5],
  ['simulate: seeds of MyApp with 20 objects', 1.51],
];

const limited = new Set(limits.map(([row]) => row));

/**
 * Budgets by the names of rows: the goal, and the limit of a row that misses it.
 *
 * @type {readonly (readonly [name: string, budget: { readonly most?: number, readonly least?: number, readonly limit?: number }])[]}
 */
export const budgets = [
  ...limits.map(([row, limit]) => [row, { ...budgetOf(row, goals), limit }]),
  ...goals.filter(([name]) => !limited.has(name)),
];
