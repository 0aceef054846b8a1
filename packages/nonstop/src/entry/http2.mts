import nonstopHttp2 from './http2.js';

/* The same instance for `require` and `import`. The named exports are those that node's `http2` has in every supported version. */
export const {
  connect,
  constants,
  createSecureServer,
  createServer,
  getDefaultSettings,
  getPackedSettings,
  getUnpackedSettings,
  Http2ServerRequest,
  Http2ServerResponse,
  performServerHandshake,
  sensitiveHeaders,
} = nonstopHttp2;
export { nonstopHttp2 as default };

export type {
  Http2SecureServer,
  Http2Server,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
  SecureServerOptions,
  ServerHttp2Session,
  ServerHttp2Stream,
  ServerOptions,
  Settings,
} from './http2.js';
// Types that share a name with a value are declared here, because the value would hide a re-export.
export type Http2ServerRequest = nonstopHttp2.Http2ServerRequest;
export type Http2ServerResponse = nonstopHttp2.Http2ServerResponse;
