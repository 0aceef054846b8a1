module.exports = {
  wants: ['@react-router/express', 'react-router', '@react-router/node', 'react', 'react-dom', 'express'],
  about: 'createRequestHandler: a page with a loader, an action, a resource, a redirect, a thrown response',
  folder: 'react-router',
  chunks: false,
  async start() {
    const express = require('express');
    const React = require('react');
    const { renderToString } = require('react-dom/server');
    const { createRequestHandler } = await import('@react-router/express');
    const { Outlet, RouterContextProvider, ServerRouter, createContext, redirect, useLoaderData } =
      await import('react-router');
    const who = createContext('nobody');
    const module_ = (id, path, parentId, module) => ({
      id,
      path,
      parentId,
      module,
      index: path === undefined && parentId !== undefined,
    });
    const routes = {
      root: module_('root', '', undefined, {
        default: () =>
          React.createElement('html', null, React.createElement('body', null, React.createElement(Outlet))),
      }),
      index: module_('index', undefined, 'root', {
        loader: ({ context }) => ({ who: context.get(who) }),
        default: () => React.createElement('p', null, useLoaderData().who),
      }),
      form: module_('form', 'form', 'root', {
        action: async ({ request }) => redirect(`/?name=${(await request.formData()).get('name')}`),
        default: () => null,
      }),
      data: module_('data', 'data', 'root', { loader: () => Response.json({ a: 1 }, { headers: { 'X-Data': '1' } }) }),
      gone: module_('gone', 'gone', 'root', {
        loader: () => {
          throw new Response('gone', { status: 410 });
        },
      }),
    };
    const manifest = {
      version: '1',
      url: '',
      entry: { module: '', imports: [] },
      routes: Object.fromEntries(
        Object.values(routes).map(({ id, path, parentId, index, module }) => [
          id,
          {
            id,
            path,
            parentId,
            index,
            hasLoader: !!module.loader,
            hasAction: !!module.action,
            hasErrorBoundary: false,
            module: '',
          },
        ]),
      ),
    };
    const entry = {
      module: {
        default: (request, status, headers, context) =>
          new Response(
            `<!doctype html>${renderToString(React.createElement(ServerRouter, { context, url: request.url }))}`,
            { status, headers: { 'Content-Type': 'text/html' } },
          ),
      },
    };
    const build = {
      entry,
      routes,
      assets: manifest,
      publicPath: '/',
      assetsBuildDirectory: '',
      future: {},
      ssr: true,
      isSpaMode: false,
      prerender: [],
      routeDiscovery: { mode: 'initial' },
    };
    const app = express();
    app.get('/plain', (req, res) => res.send('plain'));
    app.use(
      createRequestHandler({
        build,
        getLoadContext: (req) => new RouterContextProvider(new Map([[who, req.get('x-who') ?? 'nobody']])),
        mode: 'production',
      }),
    );
    return app;
  },
  requests: [
    'GET /plain',
    'GET /\nX-Who: ann',
    'POST /form\nContent-Type: application/x-www-form-urlencoded\n\nname=ann',
    'GET /data',
    'GET /gone',
    'GET /nowhere',
    'HEAD /data',
  ],
};
