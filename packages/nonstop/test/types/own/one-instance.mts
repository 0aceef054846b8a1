// `import` and `require` give the same types, not copies.
import imported, { Router, type Request, type Response } from 'nonstop';
import * as everything from 'nonstop';
import required = require('nonstop');
import { holds, type Same } from '../programs/expect.js';

holds<Same<typeof imported, typeof required>>();
holds<Same<typeof everything.default, typeof required>>();
holds<Same<typeof Router, typeof required.Router>>();
holds<Same<typeof everything.static, typeof required.static>>();
holds<Same<Router, required.Router>>();

// Interfaces of their own, as programs add members to those of the module; each fits the other.
type Fits<A, B> = A extends B ? (B extends A ? true : false) : false;
holds<Fits<Request<{ a: string }, 1>, required.Request<{ a: string }, 1>>>();
holds<Fits<Response<1>, imported.Response<1>>>();
// Both have the same members, besides those that `programs/in-module.ts` adds.
holds<Same<keyof Request | 'tenantOfModule', keyof required.Request>>();
holds<Same<keyof Response | 'sendTenantOfModule', keyof imported.Response>>();
