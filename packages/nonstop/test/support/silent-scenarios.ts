/**
 * Scenarios without events, through node:http too: no octet is sent, no listener is called, the connection ends. Only that end is
 * compared. In all other scenarios a door without any event is an error, because two doors that do nothing are equal.
 */
const SILENT: readonly RegExp[] = [
  / on a handler without listeners$/,
  /^the next connection works after an abort$/,
  /^a client that connects and (half-closes is closed|hangs up causes no error)$/,
  /^a request whose body came with it is destroyed before its answer, after a (promise|tick)$/,
  /^a server without a listener leaves the request unanswered$/,
  /^endings: (a single carriage return|nothing but newlines), at the end of the connection$/,
  /^CONNECT without a listener closes the connection$/,
  /^closeIdleConnections\(\) and a connection that has sent nothing but empty lines$/,
  /^CONNECT with a path and no listener is judged as node judges it$/,
  // node reports no timeout to a request that is complete.
  /^req\.setTimeout emits 'timeout' on the request$/,
  /^req\.setTimeout\(\) gets 'timeout' while the answer is awaited$/,
  /^shouldUpgradeCallback: a yes without a listener$/,
  /^server\.timeout destroys a connection without a request$/,
];

/** Whether the scenario of this name may have no events. */
export function isSilent(name: string): boolean {
  return SILENT.some((pattern) => pattern.test(name));
}
