module.exports = {
  wants: ['maildev@2', 'nodemailer'],
  about: 'its page and API with a mail received by SMTP: the list, the mail, its source, deletion',
  folder: 'maildev',
  heavy: true,
  seconds: 120,
  clock: 'runs',
  first: 'GET /the-first',
  chunks: false,
  masks: [
    [/"(id|time|date|receivedDate|messageId|message-id|remoteAddress|lastModified|stamp)":"[^"]*"/g, '"$1":"X"'],
    [/\/email\/[\w-]{8,}/g, '/email/X'],
    [/"smtpPort":\d+/g, '"smtpPort":N'],
    [/Content-Length: .*|ETag: .*|Last-Modified: .*/gi, ''],
    [/(Message-ID|Date): .*|boundary=.*|----_NmP.*/g, ''],
  ],
  async start() {
    const net = require('node:net');
    const free = () =>
      new Promise((resolve) => {
        const server = net.createServer().listen(0, '127.0.0.1', () => {
          const { port } = server.address();
          server.close(() => resolve(port));
        });
      });
    const MailDev = require('maildev');
    const [smtp, web] = [await free(), await free()];
    const maildev = new MailDev({
      smtp,
      web,
      ip: '127.0.0.1',
      webIp: '127.0.0.1',
      silent: true,
      disableWeb: false,
      log: false,
    });
    await new Promise((resolve, reject) => maildev.listen((error) => (error ? reject(error) : resolve())));
    module.exports.smtp = smtp;
    module.exports.maildev = maildev;
    return { port: web };
  },
  async play({ send, note }) {
    const nodemailer = require('nodemailer');
    const came = new Promise((resolve) => module.exports.maildev.on('new', (mail) => resolve(mail.subject)));
    const transport = nodemailer.createTransport({ host: '127.0.0.1', port: module.exports.smtp, ignoreTLS: true });
    await transport.sendMail({
      from: 'a@a.example',
      to: 'b@b.example',
      subject: 'hello',
      text: 'a text',
      html: '<p>a text</p>',
    });
    note('came', await came);
    const list = JSON.parse((await send('GET /email')).text);
    await send(`GET /email/${list[0].id}`);
    await send(`GET /email/${list[0].id}/html`);
    await send(`GET /email/${list[0].id}/source`);
    await send('GET /config');
    await send('GET /healthz');
    await send(`DELETE /email/${list[0].id}`);
    await send('GET /email');
    await send('GET /email/none');
    await send('GET /');
  },
};
