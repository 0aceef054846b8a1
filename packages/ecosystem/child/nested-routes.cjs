'use strict';

/** A router with a route of two methods and a router of its own: for programs that list the routes of an application. */
exports.nestedRoutes = (express) => {
  const router = express.Router();
  router
    .route('/:id')
    .get((req, res) => res.end())
    .put((req, res) => res.end());
  router.use(
    '/deep',
    express.Router().post('/er', function named(req, res) {
      res.end();
    }),
  );
  return router;
};
