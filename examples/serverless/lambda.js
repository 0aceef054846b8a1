import serverless from 'serverless-http';
import { app } from './app.js';

// What AWS Lambda calls: name `lambda.handler` as the function's handler.
export const handler = serverless(app, { binary: ['image/*'] });
