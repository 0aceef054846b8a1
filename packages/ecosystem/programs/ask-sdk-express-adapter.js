module.exports = {
  wants: ['ask-sdk-express-adapter', 'ask-sdk-core', 'ask-sdk-model', 'express'],
  about: 'a skill: a launch, a request that it does not know, bodies that are no request, unsigned ones',
  start() {
    const { SkillBuilders, getRequestType } = require('ask-sdk-core');
    const { ExpressAdapter } = require('ask-sdk-express-adapter');
    const skill = SkillBuilders.custom()
      .addRequestHandlers({
        canHandle: ({ requestEnvelope }) => getRequestType(requestEnvelope) === 'LaunchRequest',
        handle: ({ responseBuilder }) => responseBuilder.speak('hello').getResponse(),
      })
      .create();
    const app = require('express')();
    app.post('/open', ...new ExpressAdapter(skill, false, false).getRequestHandlers());
    app.post('/signed', ...new ExpressAdapter(skill, true, true).getRequestHandlers());
    return app;
  },
  async play({ send }) {
    const who = { application: { applicationId: 'an-app' }, user: { userId: 'a-user' } };
    const body = (type) =>
      JSON.stringify({
        version: '1.0',
        session: who,
        context: { System: who },
        request: { type, requestId: '1', timestamp: '2020-01-01T00:00:00Z', locale: 'en-US' },
      });
    for (const path of ['/open', '/signed']) {
      await send(`POST ${path}\nContent-Type: application/json\n\n${body('LaunchRequest')}`);
      await send(`POST ${path}\nContent-Type: application/json\n\n${body('OtherRequest')}`);
      await send(`POST ${path}\nContent-Type: application/json\n\n{"version":`);
      await send(`POST ${path}\nContent-Type: application/json\nSignature-256: AA\n\n${body('LaunchRequest')}`);
    }
  },
};
