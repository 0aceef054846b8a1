module.exports = {
  wants: ['@slack/bolt', 'express'],
  about:
    'ExpressReceiver: signed events, commands, buttons and views, forged and old signatures, its installation pages',
  start() {
    const { App, ExpressReceiver } = require('@slack/bolt');
    const store = {
      fetchInstallation: async () => ({
        team: { id: 'T' },
        bot: { token: 'xoxb', id: 'B', userId: 'U', scopes: [] },
        user: { id: 'U' },
      }),
      storeInstallation: async () => {},
    };
    const receiver = new ExpressReceiver({
      signingSecret: 'a secret',
      clientId: 'a-client',
      clientSecret: 'another secret',
      stateSecret: 'a state',
      scopes: ['chat:write'],
      installationStore: store,
      installerOptions: { directInstall: true },
      logLevel: 'error',
    });
    const app = new App({ receiver, tokenVerificationEnabled: false, logLevel: 'error' });
    app.command('/hello', async ({ ack, command }) => ack({ text: `hello ${command.text}` }));
    app.event('app_mention', async () => {});
    app.action('press', async ({ ack }) => ack());
    app.view('form', async ({ ack }) => ack({ response_action: 'errors', errors: { name: 'missing' } }));
    receiver.router.get('/own', (req, res) => res.send('a route of its own'));
    return receiver.app;
  },
  async play({ send }) {
    const form = 'application/x-www-form-urlencoded';
    const action = { type: 'block_actions', team: { id: 'T' }, user: { id: 'U' }, actions: [{ action_id: 'press' }] };
    const view = { type: 'view_submission', team: { id: 'T' }, user: { id: 'U' }, view: { callback_id: 'form' } };
    const mention = { type: 'event_callback', team_id: 'T', event: { type: 'app_mention', user: 'V', channel: 'C' } };
    const payload = (value) => `payload=${encodeURIComponent(JSON.stringify(value))}`;
    await send(signed('application/json', JSON.stringify({ type: 'url_verification', challenge: 'a challenge' })));
    await send(signed('application/json', JSON.stringify(mention)));
    await send(signed('application/json', '{"type":'));
    await send(signed(form, 'command=%2Fhello&text=w%C3%B6rld&team_id=T&user_id=U&channel_id=C'));
    await send(signed(form, 'command=%2Fhello&text=world', { secret: 'forged' }));
    await send(signed(form, 'command=%2Fhello&text=world', { age: 4000 }));
    await send(signed(form, payload(action)));
    await send(signed(form, payload(view)));
    await send('POST /slack/events\nContent-Type: application/json\n\n{}');
    await send('GET /slack/events');
    await send('GET /slack/install');
    await send('GET /slack/oauth_redirect?code=1&state=forged');
    await send('GET /own');
  },
};

function signed(type, body, { secret = 'a secret', age = 0 } = {}) {
  const time = Math.floor(Date.now() / 1000) - age;
  const hash = require('node:crypto').createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex');
  const fields = [`Content-Type: ${type}`, `X-Slack-Request-Timestamp: ${time}`, `X-Slack-Signature: v0=${hash}`];
  return `POST /slack/events\n${fields.join('\n')}\n\n${body}`;
}
