'use strict';

const { httpError } = require('../lib/errors');
const { requireLogin } = require('../lib/login');
const { LABELS, issueFrom, issueIdFrom, listQueryFrom, STATES } = require('../lib/validate');

const PER_PAGE = 50;

function issues({ express, store, hub, upload }) {
  const router = express.Router();

  router.param('id', async (req, res, next, id) => {
    req.issue = await store.issues.find(issueIdFrom(id));
    next(req.issue === undefined ? httpError(404, 'There is no such issue.') : undefined);
  });

  router.get('/', async (req, res) => {
    const query = listQueryFrom(req.query, PER_PAGE);
    res.render('issues/list', { title: 'Issues', list: await store.issues.list(query), query, labels: LABELS });
  });

  router.get('/new', requireLogin, (req, res) => {
    res.render('issues/new', { title: 'New issue', labels: LABELS, values: {}, fields: {} });
  });

  router.post('/', requireLogin, upload.receive, async (req, res) => {
    let issue;
    try {
      issue = await store.issues.create({ ...issueFrom(req.body ?? {}), author: req.user.name });
    } catch (error) {
      await upload.discard((req.files ?? []).map((file) => ({ file: file.filename })));
      if (error.fields === undefined) throw error;
      const values = { ...req.body, labels: [req.body?.labels ?? []].flat() };
      return res
        .status(error.status)
        .render('issues/new', { title: 'New issue', labels: LABELS, values, fields: error.fields });
    }
    await attach(req, issue);
    hub.publish('created', { id: issue.id, title: issue.title, by: issue.author });
    req.flash('success', `Issue #${issue.id} was created.`);
    res.redirect(303, `/issues/${issue.id}`);
  });

  router.get('/:id', (req, res) => {
    const { issue } = req;
    res.format({
      html: () => res.render('issues/show', { title: `#${issue.id} ${issue.title}`, issue }),
      json: () => res.json(issue),
      text: () => res.send(`#${issue.id} ${issue.title} (${issue.state})\n\n${issue.body}\n`),
    });
  });

  router.post('/:id/comments', requireLogin, async (req, res) => {
    const text = typeof req.body?.body === 'string' ? req.body.body.replaceAll('\r\n', '\n').trim() : '';
    if (text === '' || text.length > 5000) throw httpError(422, 'A comment has 1 to 5000 characters.');
    await store.issues.update(req.issue.id, (issue, at) =>
      issue.comments.push({ author: req.user.name, body: text, at }),
    );
    hub.publish('commented', { id: req.issue.id, title: req.issue.title, by: req.user.name });
    res.redirect(303, `/issues/${req.issue.id}#comment-${req.issue.comments.length + 1}`);
  });

  router.post('/:id/state', requireLogin, async (req, res) => {
    const state = req.body?.state;
    if (!STATES.includes(state)) throw httpError(422, 'A state is open or closed.');
    await store.issues.update(req.issue.id, (issue) => {
      issue.state = state;
    });
    hub.publish(state === 'open' ? 'reopened' : 'closed', {
      id: req.issue.id,
      title: req.issue.title,
      by: req.user.name,
    });
    req.flash('success', `Issue #${req.issue.id} is ${state} now.`);
    res.redirect(303, `/issues/${req.issue.id}`);
  });

  router.post('/:id/attachments', requireLogin, upload.receive, async (req, res) => {
    if ((req.files ?? []).length === 0) throw httpError(422, 'Choose a file first.');
    await attach(req, req.issue);
    req.flash('success', `${req.files.length === 1 ? 'The file was' : `${req.files.length} files were`} attached.`);
    res.redirect(303, `/issues/${req.issue.id}`);
  });

  router.get('/:id/attachments/:number', (req, res, next) => {
    const attachment = /^\d{1,3}$/.test(req.params.number)
      ? req.issue.attachments[Number(req.params.number) - 1]
      : undefined;
    if (attachment === undefined) throw httpError(404, 'There is no such attachment.');
    res.download(
      upload.pathOf(attachment),
      attachment.name,
      { headers: { 'Cache-Control': 'private, max-age=600' } },
      (error) => {
        // A visitor who cancels a download is not an error of ours.
        if (error && error.code !== 'ECONNABORTED') next(error);
      },
    );
  });

  async function attach(req, { id }) {
    const files = req.files ?? [];
    if (files.length === 0) return;
    const described = await upload.describe(files, req.user.name);
    await store.issues.update(id, (issue) => issue.attachments.push(...described));
  }

  return router;
}

module.exports = { issues };
