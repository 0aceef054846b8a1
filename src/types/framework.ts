import type { Application, Express } from './application.js';
import type { JsonParser, RawParser, StaticServer, TextParser, UrlencodedParser } from './middleware.js';
import type { Request } from './request.js';
import type { Response } from './response.js';
import type { RouteConstructor } from './route.js';
import type { RouterConstructor } from './router.js';

/**
 * What `require('nonstop')` gives, and `import express from 'nonstop'`.
 *
 * @see https://expressjs.com/en/5x/api.html#express
 */
export interface Framework {
  /** Makes an application. */
  (): Express;

  /** What all applications are made of; a method added to it, those made afterwards have. */
  application: Application;

  /** What all requests inherit; what is added to it, every application's requests have. */
  request: Request;

  /** What all responses inherit; what is added to it, every application's responses have. */
  response: Response;

  Route: RouteConstructor;
  Router: RouterConstructor;

  json: JsonParser;
  raw: RawParser;
  static: StaticServer;
  text: TextParser;
  urlencoded: UrlencodedParser;
}
