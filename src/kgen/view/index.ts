/** Documents of the page of `kgen view`, and the page with a document. */

export type {
  ViewCause,
  ViewChange,
  ViewDocument,
  ViewEvent,
  ViewFailure,
  ViewNote,
  ViewRead,
  ViewReconcile,
  ViewRequest,
  ViewRun,
  ViewTable,
  ViewTarget,
} from './format.ts';
export { pageOf } from './page.ts';
export { viewOfRecording } from './recording.ts';
export { viewSchema } from './schema.ts';
export { isSecret, shownContent } from './secrets.ts';
