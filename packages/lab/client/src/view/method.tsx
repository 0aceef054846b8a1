import type { Setup } from '../logic/contract.js';

/** What stands where the pictures will be, before there is anything to draw. */
export function Method({ setup }: { readonly setup: Setup }) {
  return (
    <section className="card method" aria-labelledby="method">
      <h2 id="method">How it is measured</h2>
      <ol>
        <li>
          <strong>One request at a time.</strong> This page asks from a hidden frame on the contestant’s own origin, so
          that no preflight gets in. It draws only between two requests.
        </li>
        <li>
          <strong>All in turn.</strong> All contestants answer a verb right after one another, in another order each
          repetition: a machine that slows down does so for all.
        </li>
        <li>
          <strong>Checked, then counted.</strong> A wrong status, or a record that is not the one that was sent, is a
          failure and no sample. Warm-up rounds do not count.
        </li>
        <li>
          <strong>Two clocks.</strong> The server’s: from the request coming in to the answer going out. The client’s:
          around <code>fetch</code>, with the body read.
        </li>
      </ol>
      <p>
        Records are created for GET, PUT and DELETE where POST is not chosen, and removed where DELETE is not: neither
        is timed. The database, {setup.database.label}, takes most of the time.
      </p>
    </section>
  );
}
