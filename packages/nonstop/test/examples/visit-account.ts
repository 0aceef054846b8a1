import { form, type Visitor } from './visitor.js';

const account = { username: 'Turing', password: 'correct horse battery' };

/** Sign up, log in and out, and attempts that must fail. */
export async function visitAccount(visitor: Visitor): Promise<void> {
  await visitor.ask('a page for members', 303, { path: '/issues/new' });
  await visitor.ask('the login page with its notice', 200, { path: '/account/login' });
  await visitor.ask('the login page again, without', 200, { path: '/account/login' });
  await visitor.ask('a sign-up with a short password', 422, {
    path: '/account/signup',
    ...form({ username: 'x"<', password: 'short' }),
  });
  await visitor.ask('a sign-up', 303, { path: '/account/signup', ...form(account) });
  await visitor.ask('the page that was wanted first', 200, { path: '/issues/new' });
  await visitor.ask('a name that is taken', 422, {
    path: '/account/signup',
    ...form({ ...account, username: 'TURING' }),
  });
  await visitor.ask('logging out', 303, { path: '/account/logout', ...form({}) });
  await visitor.ask('the notice after logging out', 200, { path: '/issues?q=nothing+at+all' });
  await logIn(visitor);
  await visitor.ask('the account', 200, { path: '/account' });
  await visitor.ask('a token', 303, { path: '/account/token', ...form({}) });
  await visitor.ask('the token, shown once', 200, { path: '/account' });
  await visitForeignForms(visitor);
  await visitThemes(visitor);
  await visitForms(visitor);
}

async function logIn(visitor: Visitor): Promise<void> {
  const path = '/account/login';
  await visitor.ask('a wrong password', 401, { path, ...form({ ...account, password: 'wrong' }) });
  await visitor.ask('an unknown name', 401, { path, ...form({ ...account, username: 'nobody' }) });
  await visitor.ask('a login without a password', 400, { path, ...form({ username: 'turing' }) });
  await visitor.ask('a login without a body', 400, { method: 'POST', path });
  for (const n of [1, 2, 3, 4, 5]) {
    await visitor.ask(`guessing, attempt ${n}`, 401, { path, ...form({ username: 'victim', password: `guess ${n}` }) });
  }
  await visitor.ask('guessing, stopped', 429, { path, ...form({ username: 'victim', password: 'guess 6' }) });
  await visitor.ask('the right password', 303, { path, ...form(account) });
  const session = visitor.cookie('tracker.sid');
  visitor.setCookie('tracker.sid', session.replace('session', 'Session'));
  await visitor.ask('a session cookie with a wrong signature', 303, { path: '/account' });
  visitor.setCookie('tracker.sid', session);
}

async function visitForeignForms(visitor: Visitor): Promise<void> {
  const post = form({ theme: 'dark' });
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const path = '/theme';
  await visitor.ask('a form of another site', 403, {
    ...post,
    path,
    fields: { ...type, 'Sec-Fetch-Site': 'cross-site' },
  });
  await visitor.ask('a form of another origin', 403, {
    ...post,
    path,
    fields: { ...type, Origin: 'http://evil.example' },
  });
  await visitor.ask('a form of no origin', 403, { ...post, path, fields: { ...type, Origin: 'null' } });
  await visitor.ask('a form of our origin', 303, { ...post, path, fields: { ...type, Origin: 'http://tracker.test' } });
}

async function visitThemes(visitor: Visitor): Promise<void> {
  const from = (referrer: string, theme: string) => {
    const post = form({ theme });
    return { ...post, path: '/theme', fields: { ...post.fields, Referer: referrer } };
  };
  await visitor.ask('dark, from a page', 303, from('http://tracker.test/issues/7?x=1', 'dark'));
  await visitor.ask('a dark page', 200, { path: '/issues/7' });
  await visitor.ask('light, from elsewhere', 303, from('http://evil.example/issues/7', 'light'));
  await visitor.ask('a theme that does not exist', 400, from('http://tracker.test/', 'pink'));
  await visitor.ask('auto, which clears the cookie', 303, from('http://tracker.test//evil.example/', 'auto'));
}

async function visitForms(visitor: Visitor): Promise<void> {
  const path = '/theme';
  const post = form({ theme: 'light' });
  const other = (fields: Record<string, string>) => ({ ...post, path, fields: { ...post.fields, ...fields } });
  await visitor.ask('a form that is too large', 413, { ...post, path, body: `theme=${'x'.repeat(70_000)}` });
  await visitor.ask('a form in an unknown encoding', 415, other({ 'Content-Encoding': 'lzma' }));
  await visitor.ask('a form that says gzip and is none', 400, other({ 'Content-Encoding': 'gzip' }));
  await visitor.ask(
    'a form in a charset',
    303,
    other({ 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' }),
  );
  await visitor.ask(
    'a form in an unknown charset',
    415,
    other({ 'Content-Type': 'application/x-www-form-urlencoded; charset=x' }),
  );
  await visitor.ask('a form of another type', 400, other({ 'Content-Type': 'text/plain' }));
  await visitor.ask('a form in chunks', 303, {
    ...post,
    path,
    fields: { ...post.fields, 'Transfer-Encoding': 'chunked' },
    body: '6\r\ntheme=\r\n4\r\ndark\r\n0\r\n\r\n',
  });
}
