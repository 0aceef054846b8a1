'use strict';

// Shows what others do while the page is open. Without scripts, the pages work all the same.
const SHOWN_MS = 6000;
const notice = document.querySelector('#live');
const stream = new EventSource('/events');
let hide;

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

for (const [type, verb] of Object.entries({
  created: 'opened',
  commented: 'commented on',
  closed: 'closed',
  reopened: 'reopened',
  deleted: 'deleted',
})) {
  stream.addEventListener(type, (event) => show(verb, JSON.parse(event.data)));
}
addEventListener('pagehide', () => stream.close());
