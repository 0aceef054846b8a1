/** Rows about features that HTTP/2 lacks or has in another form. */
const OWN: readonly { readonly program: RegExp; readonly rows?: RegExp; readonly reason: string }[] = [
  {
    program: /^what requests and responses hold/,
    rows: /^prototypes$/,
    reason: 'asks whether the prototypes are app.request and app.response, which are those of HTTP/1',
  },
  {
    program: /^the store of a middleware$/,
    rows: /^(?:listeners for a body|the callback of end\(\) alone|callbacks of write\(\) and end\(\))$/,
    reason:
      "node:http2 reads a body in its own context, and calls the callback of end() after the listeners for 'finish'",
  },
  {
    program: /^an accessor (?:socket|httpVersion|statusCode|shouldKeepAlive|chunkedEncoding) of app\./,
    reason: 'messages of HTTP/2 do not have these members themselves, so the application’s is in front of them',
  },
  { program: /^req\.header$/, reason: 'lists the names of the fields, Connection among them' },
  {
    program: /./,
    // oxlint-disable-next-line no-control-regex
    rows: /[^\x00-\x7e]/,
    reason:
      'a field outside ASCII is sent in UTF-8 beside a short text, and in Latin-1 otherwise; over HTTP/2 always in Latin-1',
  },
  {
    program: /./,
    rows: /(?:^|\.)sendStatus\([6-9]\d\d\)|an unknown statusCode|^status number [6-9]\d\d/,
    reason: 'HTTP/2 has no status above 599',
  },
  {
    program: /./,
    rows: /^status number 205/,
    reason: 'node:http2 sends no body with 205, which has none (RFC 9110 §15.3.6)',
  },
];

/** Whether a row is not sent over HTTP/2. */
export function isOwnOfHttp1(program: string, row: string): boolean {
  return OWN.some((each) => each.program.test(program) && (each.rows === undefined || each.rows.test(row)));
}
