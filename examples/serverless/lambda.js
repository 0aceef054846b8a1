import serverless from 'serverless-http';
import { app } from './app.js';

// The function for AWS Lambda: set its handler to `lambda.handler`.
export const handler = serverless(app, { binary: ['image/*'] });
