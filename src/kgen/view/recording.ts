/** Documents from recordings of the flight recorder, whose format `docs/replay.md` describes. */
import type { ViewDocument } from './format.ts';
import { type Line, linesOf, textOf } from './recording-lines.ts';
import { RecordingReader, recordingType } from './recording-reader.ts';
import { RunBuilder } from './run-builder.ts';
import { maskedRun, maskOf } from './secret-values.ts';
import type { Record } from './secrets.ts';

/** Reason of a recording that an operator serves while it runs. */
const liveReason = 'live';

/**
 * Returns the document of a recording. A recording whose end is missing is shown as far as it reaches.
 * @throws {Error} if it is not a recording of a supported version; `line N: …`
 */
export function viewOfRecording(text: string): ViewDocument {
  const lines = linesOf(text);
  const [head, ...rest] = lines;
  const header = head?.entry ?? {};
  if (head === undefined || header['type'] !== recordingType)
    throw new Error('line 1: this is not a recording of the flight recorder');
  if (header['version'] !== 1)
    throw new Error(`line 1: version ${String(header['version'])} of recordings needs a newer kgen`);
  const builder = new RunBuilder();
  const reader = new RecordingReader(builder);
  reader.add(head, rest);
  const { events, reconciles, states } = builder;
  const complete = {
    ...({ name: 'recording', clock: 'utc', from: reader.from, to: reader.to, events, reconciles } as const),
    ...(states.length > 0 && { states }),
  };
  // The recorder has masked other recordings.
  const run = header['secrets'] === false ? complete : maskedRun(complete, maskOf(rest, reader.informers));
  return {
    ...{ type: 'kgen view', version: 1, title: titleOf(header), facts: factsOf(header, rest) },
    ...{ runs: [run], failures: [], tables: [] },
  };
}

/** Returns the title of a recording. */
export function titleOf(header: Record): string {
  return `${textOf(header['program'])}${header['reason'] === liveReason ? '' : ': recording'}`;
}

function factsOf(header: Record, lines: readonly Line[]): readonly string[] {
  const isComplete = lines.at(-1)?.type === 'end of recording';
  const counts = [
    ['dropped', 'older entries were dropped: the recorder keeps the last ones'],
    ['omittedObjects', 'objects were too large for the recording'],
  ] as const;
  const reason = textOf(header['reason']);
  return [
    ...(reason === liveReason ? [] : [`Written because of: ${reason}`]),
    ...counts.flatMap(([name, fact]) =>
      Number(header[name]) > 0 ? [`${Number(header[name])} ${fact}`] : [],
    ),
    ...(isComplete ? [] : ['The end of the recording is missing']),
  ];
}
