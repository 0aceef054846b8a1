import { message } from './message.js';

/** The page at a path: the same on the server and in the browser. */
export const view = (path) =>
  `<h1>${message}</h1><p>You are at <code>${path.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code></p>
<button>clicked 0 times</button>`;
