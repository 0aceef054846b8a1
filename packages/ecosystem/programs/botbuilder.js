module.exports = {
  wants: ['botbuilder', 'express'],
  about:
    'CloudAdapter: messages answered in the response and by the channel, invoke activities, a wrong token, a body that is no activity',
  start() {
    const express = require('express');
    const builder = require('botbuilder');
    const noApp = { MicrosoftAppId: '', MicrosoftAppPassword: '' };
    const adapter = new builder.CloudAdapter(
      new builder.ConfigurationBotFrameworkAuthentication(
        {},
        new builder.ConfigurationServiceClientCredentialFactory(noApp),
      ),
    );
    const bot = new builder.ActivityHandler();
    bot.onMessage(async (context, next) => {
      await context.sendActivity(`you said ${context.activity.text}`);
      await next();
    });
    const app = express();
    app.use(express.json());
    app.post('/api/messages', (req, res) => adapter.process(req, res, (context) => bot.run(context)));
    const heard = [];
    app.post('/channel/v3/conversations/:id/activities/:activity', (req, res) => {
      heard.push([req.params, req.body.text]);
      res.json({ id: `${heard.length}` });
    });
    app.get('/heard', (req, res) => res.json(heard));
    return app;
  },
  async play({ send, origin }) {
    const message = {
      type: 'message',
      id: '1',
      text: 'hello €',
      channelId: 'test',
      serviceUrl: `${origin}/channel`,
      from: { id: 'user' },
      recipient: { id: 'bot' },
      conversation: { id: 'talk' },
    };
    const post = (activity, field = 'X-None: 1') =>
      send(`POST /api/messages\nContent-Type: application/json\n${field}\n\n${JSON.stringify(activity)}`);
    await post(message);
    await send('GET /heard');
    await post({ ...message, deliveryMode: 'expectReplies' });
    await post({ ...message, type: 'invoke', name: 'none' });
    await post({ ...message, type: 'conversationUpdate', membersAdded: [{ id: 'user' }] });
    await post(message, 'Authorization: Bearer x.y.z');
    await post({});
    await send('POST /api/messages\nContent-Type: application/json\n\n{"type":');
  },
  masks: [
    [/127\.0\.0\.1:\d+/g, 'HOST'],
    [/ETag: .*/g, 'ETag'],
  ],
};
