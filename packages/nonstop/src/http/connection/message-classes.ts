import type { requestClass } from '../request/class.js';
import type { responseClass } from '../response/class.js';

/** The classes of the messages that an engine makes. */
export interface MessageClasses {
  readonly Request: ReturnType<typeof requestClass>;
  readonly Response: ReturnType<typeof responseClass>;
}
