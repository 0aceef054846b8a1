import { MISSING_JOINS } from './incoming-fields.js';
import { MISSING_STATE, UNKNOWN_STATE } from './message-state.js';
import { MISSING_SLICES } from './octets.js';
import { MISSING_STREAM_STATE } from './stream-state.js';

/**
 * Why the engine cannot serve in this Node: state of node's messages that is not known here, and missing undocumented parts that cannot be
 * replaced. Empty in every supported Node. Otherwise node serves all servers.
 */
export const REASONS_TO_LEAVE: readonly string[] = [
  ...UNKNOWN_STATE,
  ...MISSING_STATE,
  ...MISSING_JOINS,
  ...MISSING_STREAM_STATE,
  ...MISSING_SLICES,
];
