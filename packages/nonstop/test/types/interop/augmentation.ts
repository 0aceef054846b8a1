// What applications and packages for Express add to the module of Express's types also applies to Nonstop's types.
import express = require('express');
import nonstop = require('nonstop');
import { holds, type Same } from '../programs/expect.js';

declare global {
  namespace Express {
    interface Request {
      account?: object;
      region?: string;
    }
    interface Response {
      sendAccount(): this;
    }
  }
}

declare module 'express-serve-static-core' {
  interface Request {
    tenant?: { name: string };
    /** Narrower than in the global namespace: this holds. */
    account: { id: number };
  }
  interface Response {
    sendTenant(): this;
  }
  interface Application {
    tenants: string[];
  }
  interface Express {
    region: string;
  }
  interface IRouter {
    ws(path: string): void;
  }
  interface Router {
    group(prefix: string): void;
  }
  interface CookieOptions {
    zone?: 'eu' | 'us';
  }
  interface Locals {
    nonceOfPage: string;
  }
}

nonstop().get('/:id', (req, res) => {
  holds<Same<typeof req.tenant, { name: string } | undefined>>();
  holds<Same<typeof req.params, { id: string }>>();
  holds<Same<typeof req.query, nonstop.Query>>();
  res.sendTenant().status(201).json({ tenant: req.tenant?.name });
  // @ts-expect-error -- a tenant may be missing
  req.tenant.name;
  // @ts-expect-error -- this is not declared
  req.owner;
});

nonstop().get('/', (req, res) => {
  holds<Same<typeof req.account, { id: number }>>();
  holds<Same<typeof req.region, string | undefined>>();
  res.sendAccount().status(201).json(req.account);
});

const app = nonstop();
holds<Same<typeof app.tenants, string[]>>();
holds<Same<typeof app.region, string>>();
app.ws('/chat');
const router = nonstop.Router();
router.ws('/chat');
router.group('/a');
export const added = (ours: nonstop.Application, routes: nonstop.IRouter): string[] => (routes.ws('/'), ours.tenants);
app.get('/', (req, res) => {
  holds<Same<typeof req.app.tenants, string[]>>();
  holds<Same<typeof res.locals.nonceOfPage, string>>();
  res.cookie('a', 'b', { zone: 'eu' });
  // @ts-expect-error -- this is not declared
  res.cookie('a', 'b', { zone: 1 });
  // @ts-expect-error -- this is not declared
  app.owner;
});
export const takesTheirs: nonstop.Application = express();
export const givesOurs: express.Express = app;
export const routerOfOurs: express.Router = router;

const byName: nonstop.RequestHandler = (req, res) => void res.send(req.tenant?.name);
const byTheirs: express.RequestHandler = byName;
const andBack: nonstop.RequestHandler = byTheirs;

interface WithTenant extends nonstop.Request {
  tenant: { name: string };
}
const asTheirs = (req: WithTenant): express.Request => req;
const asOurs = (req: express.Request): nonstop.Request => req;

export { andBack, asOurs, asTheirs };
