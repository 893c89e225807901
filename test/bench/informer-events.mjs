// Throughput of pod changes: kgen's watch and informer against a plain loop over the stream.
import * as programs from './informer-event-programs.mjs';
import { prepare } from './informer-programs.mjs';
import { line, median } from './measure.mjs';
import { byTurns, runProgram, startServer } from './servers.mjs';

const count = 100_000;
const objects = 1000;

const title = '100,000 events of 5 kB';
const ratesOf = (runs) => runs.map(({ perSecond }) => perSecond);

function print(name, runs) {
  console.log(line(`${title}, ${name}`, ratesOf(runs), 'events/s'));
  const processor = runs.map(({ processorUs }) => processorUs);
  console.log(line(`${title}, ${name}, processor for one`, processor, 'µs'));
}

/** Returns the median of the ratios within a round. */
function compared(name, runs, bare) {
  const rates = ratesOf(runs);
  const value = median(rates.map((rate, round) => rate / bare[round].perSecond));
  return [
    { what: `${title}: kgen's ${name} over a bare loop`, value, unit: '×' },
    { what: `${title}: kgen's ${name}`, value: median(rates), unit: 'events/s' },
  ];
}

/** Runs against a server that sends 100,000 changes of 1,000 pods on request. */
export async function benchEvents(bench) {
  const { node, project, rounds } = bench;
  const { child, server, ca } = await startServer({ ...bench, program: 'informer-server.mjs' });
  const common = { server, ca, count, objects, prefix: `/events/${objects}`, path: '/api/v1/pods' };
  try {
    runProgram(node, project, prepare, { server, ca, prefix: `/prepare/${count}?objects=${objects}` });
    const { bare, watching, informing } = programs;
    const raw = byTurns(
      rounds,
      [bare, watching, informing].map((program) => () => runProgram(node, project, program, common)),
    );
    print('split and JSON.parse', raw[0]);
    print("kgen's watch", raw[1]);
    print("kgen's informer", raw[2]);
    return ['watch', 'informer'].flatMap((name, index) => compared(name, raw[index + 1], raw[0]));
  } finally {
    child.kill();
  }
}
