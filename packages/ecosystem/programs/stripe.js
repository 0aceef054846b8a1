module.exports = {
  wants: ['stripe', 'express'],
  about: 'events of its webhook, verified by the raw body: signed, changed and unsigned ones',
  start() {
    const express = require('express');
    const Stripe = require('stripe');
    const stripe = new (Stripe.default ?? Stripe)('sk_test_none');
    const app = express();
    app.post('/hook', express.raw({ type: 'application/json' }), (req, res) => {
      try {
        const event = stripe.webhooks.constructEvent(req.body, req.get('stripe-signature'), 'a secret');
        res.json({ received: event.type });
      } catch (error) {
        res.status(400).send(`${error.type}: ${error.message}`);
      }
    });
    return app;
  },
  async play({ send }) {
    const body = JSON.stringify({
      id: 'event',
      object: 'event',
      type: 'charge.succeeded',
      data: { object: { name: '€' } },
    });
    const time = Math.floor(Date.now() / 1000);
    const hash = require('node:crypto').createHmac('sha256', 'a secret').update(`${time}.${body}`).digest('hex');
    const head = `POST /hook\nContent-Type: application/json\nStripe-Signature: t=${time},v1=${hash}`;
    await send(`${head}\n\n${body}`);
    await send(`${head}\n\n${body.replace('charge', 'refund')}`);
    await send(`POST /hook\nContent-Type: application/json\n\n${body}`);
    await send(`POST /hook\nContent-Type: text/plain\nStripe-Signature: t=${time},v1=${hash}\n\n${body}`);
  },
};
