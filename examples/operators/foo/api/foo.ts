/** A controller's first resource: an image and a number of copies. */
import { api, type CustomResource, type Int32, version } from 'kgen/api';

interface FooSpec {
  /** Image to run, with its tag. */
  image: string;
  /** Wanted number of copies. @minimum 0 */
  replicas?: Int32;
}

interface FooStatus {
  /** Copies that are ready to serve. */
  availableReplicas?: Int32;
}

/** Runs copies of one image. */
interface Foo extends Partial<CustomResource<FooSpec, FooStatus>> {}

export default api({
  group: 'samplecontroller.c9g.io',
  kind: 'Foo',
  versions: { v1alpha1: version<Foo>()() },
});
