// Throughput of pod changes over protobuf and over JSON.
import * as programs from './protobuf-event-programs.mjs';
import { measured, ratioUpwards } from './protobuf-figures.mjs';
import { runProgram } from './servers.mjs';

const changes = 100_000;
const title = '100,000 events of 6.4 kB';

/** Runs against a server that sends changes on request. */
export function benchProtobufEvents({ node, project, rounds }, settings) {
  const run = (program, encoding) => () =>
    runProgram(node, project, program, { ...settings, changes, encoding });
  const raw = measured(title, rounds, {
    'split and JSON.parse': run(programs.bare),
    "kgen's watch over JSON": run(programs.watching, 'json'),
    "kgen's watch over protobuf": run(programs.watching, 'protobuf'),
    "kgen's informer over JSON": run(programs.informing, 'json'),
    "kgen's informer over protobuf": run(programs.informing, 'protobuf'),
  });
  // An informer parses JSON without managedFields: its gain has no budget.
  return ['watch', 'informer'].map((name) =>
    ratioUpwards(
      `${title}, kgen's ${name}: those a second of the processor is worth, over those of JSON`,
      raw[`kgen's ${name} over protobuf`],
      raw[`kgen's ${name} over JSON`],
      'perCpuSecond',
    ),
  );
}
