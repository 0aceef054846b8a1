'use strict';

// Shows what others do while the page is open. Without scripts, the pages work all the same.
const SHOWN_MS = 6000;
const notice = document.querySelector('#live');
const stream = new EventSource('/events');
let hide;

/** The list of issues, on the page that has one. */
const list = document.querySelector('#list');
/** Several events within this time cause one request for the list. */
const GATHER_MS = 200;
let refreshing;

function show(verb, { id, title, by }) {
  const link = document.createElement('a');
  link.href = `/issues/${id}`;
  link.textContent = title;
  notice.replaceChildren(`${by} ${verb} `, link);
  notice.hidden = false;
  clearTimeout(hide);
  hide = setTimeout(() => {
    notice.hidden = true;
  }, SHOWN_MS);
}

/** Takes the list from a page that the server renders, so that the browser needs no code to draw it. */
async function refresh() {
  refreshing = undefined;
  const response = await fetch(location.href);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const fresh = page.querySelector('#list');
  if (fresh !== null) list.replaceChildren(...fresh.childNodes);
}

for (const [type, verb] of Object.entries({
  created: 'opened',
  commented: 'commented on',
  closed: 'closed',
  reopened: 'reopened',
  deleted: 'deleted',
})) {
  stream.addEventListener(type, (event) => {
    show(verb, JSON.parse(event.data));
    if (list !== null) refreshing ??= setTimeout(refresh, GATHER_MS);
  });
}
addEventListener('pagehide', () => stream.close());
