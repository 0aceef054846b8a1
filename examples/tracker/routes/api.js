'use strict';

const cors = require('cors');
const { errorJson, httpError } = require('../lib/errors');
const { issueFrom, issueIdFrom, listQueryFrom } = require('../lib/validate');

const PER_PAGE = 20;

/**
 * The REST API. Any site may read; writing needs a bearer token. Cookies are ignored here,
 * so a foreign page cannot act in a visitor's name although CORS allows its requests.
 */
function api({ express, store, hub, upload }) {
  const router = express.Router();

  router.use(
    cors({ methods: ['GET', 'POST', 'PATCH', 'DELETE'], exposedHeaders: ['Link', 'X-Total-Count'], maxAge: 600 }),
  );
  router.use(express.json({ limit: '100kb' }));

  router.param('id', async (req, res, next, id) => {
    req.issue = await store.issues.find(issueIdFrom(id));
    next(req.issue === undefined ? httpError(404, 'There is no such issue.') : undefined);
  });

  router
    .route('/issues')
    .get(async (req, res) => {
      const query = listQueryFrom(req.query, PER_PAGE);
      const { items, page, pages, perPage, total } = await store.issues.list(query);
      res.links(linksFor(req, { page, pages }));
      res.set('X-Total-Count', String(total)).json({ items, page, pages, perPage, total });
    })
    .post(requireToken, async (req, res) => {
      const issue = await store.issues.create({ ...issueFrom(req.body), author: req.user.name });
      hub.publish('created', { id: issue.id, title: issue.title, by: issue.author });
      res.status(201).location(`${req.baseUrl}/issues/${issue.id}`).json(issue);
    })
    .all(notAllowed('GET, HEAD, POST'));

  router
    .route('/issues/:id')
    .get((req, res) => res.json(req.issue))
    .patch(requireToken, async (req, res) => {
      const changes = issueFrom(req.body, { partial: true });
      res.json(await store.issues.update(req.issue.id, (issue) => Object.assign(issue, changes)));
    })
    .delete(requireToken, async (req, res) => {
      if (req.issue.author !== req.user.name) throw httpError(403, 'Only its author can delete an issue.');
      await store.issues.remove(req.issue.id);
      await upload.discard(req.issue.attachments);
      hub.publish('deleted', { id: req.issue.id, title: req.issue.title, by: req.user.name });
      res.status(204).end();
    })
    .all(notAllowed('GET, HEAD, PATCH, DELETE'));

  router.use((req, res, next) => next(httpError(404, 'There is nothing at this address.')));
  router.use(errorJson);

  async function requireToken(req, res, next) {
    const [, token] = /^Bearer ([\w-]{1,100})$/.exec(req.get('Authorization') ?? '') ?? [];
    req.user = token === undefined ? undefined : await store.users.findByToken(token);
    if (req.user) return next();
    res.set('WWW-Authenticate', 'Bearer realm="tracker"');
    next(httpError(401, 'A valid API token is needed.'));
  }

  return router;
}

/** RFC 8288 links to the neighbouring pages. */
function linksFor(req, { page, pages }) {
  const to = (number) => {
    const query = new URLSearchParams(req.query);
    query.set('page', number);
    return `${req.baseUrl}${req.path}?${query}`;
  };
  return {
    ...(page > 1 && { first: to(1), prev: to(Math.min(page - 1, pages)) }),
    ...(page < pages && { next: to(page + 1), last: to(pages) }),
  };
}

function notAllowed(allow) {
  return (req, res, next) => {
    res.set('Allow', allow);
    next(httpError(405));
  };
}

module.exports = { api };
