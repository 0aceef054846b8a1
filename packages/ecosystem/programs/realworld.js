// An application in the shape of RealWorld: users with tokens, articles, comments, tags, favourites.
module.exports = {
  wants: ['jsonwebtoken', 'express-jwt', 'slugify', 'cors', 'express-validator', 'express'],
  about: 'an application like RealWorld: users with tokens, articles, comments, tags, favourites, errors',
  start() {
    const express = require('express');
    const jwt = require('jsonwebtoken');
    const cors = require('cors');
    const slugify = require('slugify');
    const { expressjwt } = require('express-jwt');
    const { body, validationResult } = require('express-validator');
    const users = new Map();
    const articles = new Map();
    const secret = 'secret';
    const told = (user) => ({
      user: {
        email: user.email,
        username: user.username,
        bio: user.bio ?? null,
        token: jwt.sign({ name: user.username }, secret),
      },
    });
    const getToken = (req) => /^Token (.*)$/.exec(req.get('authorization') ?? '')?.[1];
    const required = expressjwt({ secret, algorithms: ['HS256'], getToken });
    const optional = expressjwt({ secret, algorithms: ['HS256'], getToken, credentialsRequired: false });
    const shown = (article, name) => ({
      ...article,
      comments: undefined,
      favorited: article.favorites.includes(name),
      favorites: undefined,
      favoritesCount: article.favorites.length,
    });
    const valid = (req, res, next) => {
      const errors = validationResult(req);
      if (errors.isEmpty()) return next();
      res.status(422).json({ errors: Object.fromEntries(errors.array().map(({ path, msg }) => [path, [msg]])) });
    };
    const app = express();
    app.use(cors());
    app.use(express.json());
    const api = express.Router();
    api.post('/users', body('user.email').isEmail(), body('user.username').notEmpty(), valid, (req, res) => {
      users.set(req.body.user.username, req.body.user);
      res.status(201).json(told(req.body.user));
    });
    api.post('/users/login', (req, res) => {
      const user = [...users.values()].find(
        ({ email, password }) => email === req.body.user.email && password === req.body.user.password,
      );
      if (!user) return res.status(403).json({ errors: { 'email or password': ['is invalid'] } });
      res.json(told(user));
    });
    api
      .route('/user')
      .all(required)
      .get((req, res) => res.json(told(users.get(req.auth.name))))
      .put((req, res) => res.json(told(Object.assign(users.get(req.auth.name), req.body.user))));
    api.param('slug', (req, res, next, slug) => {
      req.article = articles.get(slug);
      if (!req.article) return res.status(404).json({ errors: { article: ['not found'] } });
      next();
    });
    api.get('/articles', optional, (req, res) => {
      const { tag, author, limit = 20, offset = 0 } = req.query;
      const found = [...articles.values()].filter(
        (each) => (!tag || each.tagList.includes(tag)) && (!author || each.author === author),
      );
      res.json({
        articles: found
          .slice(Number(offset), Number(offset) + Number(limit))
          .map((each) => shown(each, req.auth?.name)),
        articlesCount: found.length,
      });
    });
    api.post('/articles', required, async (req, res) => {
      const { title, description, body: text, tagList = [] } = req.body.article;
      const article = {
        slug: slugify(title, { lower: true }),
        title,
        description,
        body: text,
        tagList,
        createdAt: new Date(),
        author: req.auth.name,
        favorites: [],
        comments: [],
      };
      articles.set(article.slug, article);
      res.status(201).json({ article: shown(article, req.auth.name) });
    });
    api.get('/articles/:slug', optional, (req, res) => res.json({ article: shown(req.article, req.auth?.name) }));
    api.delete('/articles/:slug', required, (req, res) => {
      if (req.article.author !== req.auth.name) return res.sendStatus(403);
      articles.delete(req.article.slug);
      res.sendStatus(204);
    });
    api.post('/articles/:slug/favorite', required, (req, res) => {
      req.article.favorites.push(req.auth.name);
      res.json({ article: shown(req.article, req.auth.name) });
    });
    const comments = express.Router({ mergeParams: true });
    comments.post('/', required, (req, res) => {
      const comment = {
        id: req.article.comments.length + 1,
        body: req.body.comment.body,
        author: req.auth.name,
        of: req.params.slug,
      };
      req.article.comments.push(comment);
      res.status(201).json({ comment });
    });
    comments.get('/', (req, res) => res.json({ comments: req.article.comments }));
    api.use('/articles/:slug/comments', comments);
    api.get('/tags', (req, res) =>
      res.json({ tags: [...new Set([...articles.values()].flatMap(({ tagList }) => tagList))] }),
    );
    app.use('/api', api);
    app.use((error, req, res, next) => res.status(error.status ?? 500).json({ errors: { message: error.message } }));
    return app;
  },
  async play({ send }) {
    const json = (method, path, body, token) =>
      send(
        `${method} /api${path}\nContent-Type: application/json${token ? `\nAuthorization: Token ${token}` : ''}\n\n${JSON.stringify(body)}`,
      );
    const get = (path, token) => send(`GET /api${path}${token ? `\nAuthorization: Token ${token}` : ''}`);
    await json('POST', '/users', { user: { email: 'no', username: '' } });
    await json('POST', '/users', { user: { email: 'ben@a.example', username: 'ben', password: 'p' } });
    const { user } = JSON.parse(
      (await json('POST', '/users', { user: { email: 'ann@a.example', username: 'ann', password: 'p' } })).text,
    );
    await json('POST', '/users/login', { user: { email: 'ann@a.example', password: 'no' } });
    const other = JSON.parse(
      (await json('POST', '/users/login', { user: { email: 'ben@a.example', password: 'p' } })).text,
    ).user.token;
    await get('/user', user.token);
    await get('/user');
    await json('PUT', '/user', { user: { bio: 'writes' } }, user.token);
    await json(
      'POST',
      '/articles',
      { article: { title: 'How to train', description: 'd', body: 'b', tagList: ['x', 'y'] } },
      user.token,
    );
    await json('POST', '/articles', { article: { title: 'Another', description: 'd', body: 'b' } }, other);
    await get('/articles?limit=1');
    await get('/articles?tag=x', user.token);
    await json('POST', '/articles/how-to-train/favorite', {}, other);
    await get('/articles/how-to-train', other);
    await json('POST', '/articles/how-to-train/comments', { comment: { body: 'fine' } }, other);
    await get('/articles/how-to-train/comments');
    await send(`DELETE /api/articles/how-to-train\nAuthorization: Token ${other}`);
    await send(`DELETE /api/articles/how-to-train\nAuthorization: Token ${user.token}`);
    await get('/articles/how-to-train');
    await get('/tags');
    await send('OPTIONS /api/articles\nOrigin: https://a.example\nAccess-Control-Request-Method: POST');
    await send('POST /api/users\nContent-Type: application/json\n\n{');
  },
};
