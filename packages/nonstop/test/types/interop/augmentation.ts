// What applications and packages for Express add to the module of Express's types also applies to Nonstop's types.
import express = require('express');
import nonstop = require('nonstop');
import { holds, type Same } from '../programs/expect.js';

declare module 'express-serve-static-core' {
  interface Request {
    tenant?: { name: string };
  }
  interface Response {
    sendTenant(): this;
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

const byName: nonstop.RequestHandler = (req, res) => void res.send(req.tenant?.name);
const byTheirs: express.RequestHandler = byName;
const andBack: nonstop.RequestHandler = byTheirs;

interface WithTenant extends nonstop.Request {
  tenant: { name: string };
}
const asTheirs = (req: WithTenant): express.Request => req;
const asOurs = (req: express.Request): nonstop.Request => req;

export { andBack, asOurs, asTheirs };
