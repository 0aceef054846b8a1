'use strict';

const PEOPLE = ['ada', 'grace', 'linus', 'margaret', 'edsger'];

/**
 * Sample issues: what is wrong, and the labels it was given.
 *
 * @type {[subject: string, labels: string[]][]}
 */
const SUBJECTS = [
  ['Search forgets the filter after a reload', ['bug']],
  ['Explain how to run behind a proxy', ['docs', 'question']],
  ['Keyboard shortcuts for the list', ['feature']],
  ['The list takes 400 ms with 10000 issues', ['performance']],
  ['Dates are shown in the wrong time zone', ['bug']],
  ['Upload of a file named "résumé.pdf" fails', ['bug']],
  ['Dark mode for the printed page', ['feature']],
  ['Is there a way to merge two issues?', ['question']],
  ['Login page reloads twice on Safari', ['bug']],
  ['Document the API tokens', ['docs']],
];

const PARTS = ['Mobile', 'API', 'Start page', 'Desktop', 'Accessibility'];

/**
 * Fills an empty database, so that there is something to look at. The same count and time give the same issues.
 *
 * @param {Awaited<ReturnType<import('./store').openStore>>} store
 * @param {number} count
 * @param {Date} now the newest issue is an hour old
 */
async function seedIssues(store, count, now) {
  if (count <= 0 || (await store.issues.list({ page: 1, perPage: 1 })).total > 0) return;
  for (let n = 0; n < count; n++) {
    const [subject, labels] = SUBJECTS[n % SUBJECTS.length];
    const part = PARTS[Math.floor(n / SUBJECTS.length) % PARTS.length];
    const author = PEOPLE[n % PEOPLE.length];
    const createdAt = new Date(now.getTime() - (count - n) * 3_600_000);
    const { id } = await store.issues.create({
      title: `${part}: ${subject}`,
      body: `Part: ${part}. Since version 1.${n % 7}.\n\nSteps:\n1. open the page\n2. wait a moment\n3. look again`,
      labels,
      author,
      createdAt,
    });
    await store.issues.update(id, (issue) => {
      if (n % 3 === 0)
        issue.comments.push({
          author: PEOPLE[(n + 2) % PEOPLE.length],
          body: 'I can confirm this.',
          at: issue.createdAt,
        });
      if (n % 4 === 3) issue.state = 'closed';
      issue.updatedAt = issue.createdAt;
    });
  }
}

module.exports = { seedIssues };
