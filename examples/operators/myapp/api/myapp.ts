/** The smallest useful resource: two strings in, conditions out. */
import { api, type Condition, type CustomResource, type Int32, type Int64, version } from 'kgen/api';

/** Desired application. */
interface MyAppSpec {
  /** Name of the application, as its users know it. @minLength 1 */
  appName: string;
  /** Release to run, such as `1.4.2`. */
  version: string;
}

/** Last observation. */
interface MyAppStatus {
  /** The generation that the conditions describe. */
  observedGeneration?: Int64;
  /** Number of Pods that are ready. */
  readyReplicas?: Int32;
  /** The aspects of the application, one entry each. @listMap type */
  conditions?: Condition[];
}

/** An application, by name and version. */
interface MyApp extends CustomResource<MyAppSpec, MyAppStatus> {}

export default api({
  group: 'my.domain',
  kind: 'MyApp',
  shortNames: ['ma'],
  versions: {
    v1: version<MyApp>()({
      columns: [
        { name: 'App', path: 'spec.appName' },
        { name: 'Version', path: 'spec.version' },
        { name: 'Ready', path: 'status.conditions[Ready].status' },
      ],
    }),
  },
});
