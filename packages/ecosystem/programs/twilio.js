module.exports = {
  wants: ['twilio', 'express'],
  about: 'its webhook middleware: signed, forged and unsigned requests, an answer in TwiML',
  start() {
    const express = require('express');
    const twilio = require('twilio');
    const app = express();
    app.use(express.urlencoded({ extended: false }));
    app.post('/sms', twilio.webhook('a-token', { protocol: 'https', host: 'a.example' }), (req, res) => {
      const answer = new twilio.twiml.MessagingResponse();
      answer.message(`you said ${req.body.Body}`);
      res.type('text/xml').send(answer.toString());
    });
    return app;
  },
  async play({ send }) {
    const signature = require('node:crypto')
      .createHmac('sha1', 'a-token')
      .update('https://a.example/smsBodyhello €From+1')
      .digest('base64');
    const head = 'POST /sms\nContent-Type: application/x-www-form-urlencoded';
    const body = 'Body=hello+%E2%82%AC&From=%2B1';
    await send(`${head}\nX-Twilio-Signature: ${signature}\n\n${body}`);
    await send(`${head}\nX-Twilio-Signature: forged\n\n${body}`);
    await send(`${head}\n\n${body}`);
  },
};
