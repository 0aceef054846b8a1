module.exports = {
  wants: ['@vendure/core', '@vendure/asset-server-plugin', 'sql.js'],
  about:
    'a shop in memory: both APIs, a login, a product and its variant, an order, middleware of its own, an upload, its files',
  folder: 'vendure',
  heavy: true,
  seconds: 240,
  clock: 'runs',
  chunks: false,
  first: 'GET /health',
  masks: [
    // The lines of a stack name Express's files; with them the length and the ETag differ.
    [/"stacktrace":\[.*?\](?=[,}])/g, 'STACK'],
    [/Content-Length: .*|ETag: .*/gi, ''],
    [/vendure-auth-token: .*|session(\.sig)?=[^;]*/gi, 'SESSION'],
    [/20\d\d-\d\d-\d\dT[\d:.]+Z|expires=[^;]*/g, 'TIME'],
    [/"(createdAt|updatedAt|code|token)":"[^"]*"/g, '"$1"'],
  ],
  files: { 'assets/put.txt': 'an asset of some length' },
  async start({ folder }) {
    const fs = require('node:fs');
    fs.utimesSync(`${folder}/assets/put.txt`, 1e9, 1e9);
    const { bootstrap, DefaultLogger, DefaultSearchPlugin, LogLevel } = require('@vendure/core');
    const { AssetServerPlugin } = require('@vendure/asset-server-plugin');
    const early = (req, res, next) => {
      res.setHeader('X-Early', '1');
      next();
    };
    const app = await bootstrap({
      apiOptions: {
        port: 0,
        hostname: '127.0.0.1',
        adminApiPath: 'admin-api',
        shopApiPath: 'shop-api',
        middleware: [
          { route: 'own', handler: (req, res) => res.json({ url: req.url, original: req.originalUrl }) },
          { route: 'early', beforeListen: true, handler: early },
        ],
      },
      authOptions: {
        tokenMethod: ['cookie', 'bearer'],
        superadminCredentials: { identifier: 'ann', password: 'secret-secret' },
        cookieOptions: { secret: 'a secret' },
      },
      dbConnectionOptions: { type: 'sqljs', synchronize: true, logging: false, autoSave: false },
      paymentOptions: { paymentMethodHandlers: [] },
      logger: new DefaultLogger({ level: LogLevel.Error }),
      plugins: [
        AssetServerPlugin.init({ route: 'assets', assetUploadDir: `${folder}/assets` }),
        DefaultSearchPlugin.init({}),
      ],
    });
    return app.getHttpServer();
  },
  async play({ send }) {
    const ask = (api, query) => send(`POST /${api}\nContent-Type: application/json\n\n${JSON.stringify({ query })}`);
    const shop = (query) => ask('shop-api', query);
    const admin = (query) => ask('admin-api', query);
    await send('GET /health');
    await send('GET /none');
    await send('GET /own/a?b=c');
    await send('GET /early');
    await send('GET /assets/put.txt');
    await send('GET /assets/put.txt\nRange: bytes=3-7');
    await send('GET /assets/none.png');
    await send('OPTIONS /shop-api\nOrigin: https://a.example\nAccess-Control-Request-Method: POST');
    await send('GET /shop-api?query={__typename}');
    await send('POST /shop-api\nContent-Type: application/json\n\n{"query":');
    await send('POST /shop-api\nContent-Type: application/json\n\n[]');
    await shop('{ none }');
    await shop('{ products { totalItems } activeChannel { code } activeOrder { id } }');
    await admin('{ products { totalItems } }');
    await admin('mutation { login(username: "ann", password: "wrong") { __typename } }');
    await admin('mutation { login(username: "ann", password: "secret-secret") { __typename } }');
    await admin('{ me { identifier channels { code } } roles { items { code } } }');
    const named = 'translations: [{ languageCode: en, name: "Thing"';
    await admin(
      `mutation { createTaxCategory(input: { name: "all" }) { id } createZone(input: { name: "all" }) { id } }`,
    );
    await admin(
      'mutation { updateChannel(input: { id: 1, defaultTaxZoneId: 1, defaultShippingZoneId: 1 }) { __typename } }',
    );
    await admin(
      'mutation { createTaxRate(input: { name: "all", enabled: true, value: 20, categoryId: 1, zoneId: 1 }) { id } }',
    );
    await admin(`mutation { createProduct(input: { ${named}, slug: "thing", description: "it" }] }) { id name } }`);
    await admin(
      `mutation { createProductVariants(input: [{ productId: 1, sku: "s1", price: 1000, taxCategoryId: 1, stockOnHand: 10, ${named} }] }]) { sku } }`,
    );
    await shop('{ products { items { name slug } } product(slug: "thing") { variants { sku price } } }');
    await shop('mutation { addItemToOrder(productVariantId: 1, quantity: 2) { __typename ... on Order { total } } }');
    await shop('{ activeOrder { total lines { quantity } } }');
    await send(
      `POST /admin-api\nApollo-Require-Preflight: 1\nContent-Type: multipart/form-data; boundary=b\n\n${upload('b')}`,
    );
    await admin('mutation { logout { success } }');
    await admin('{ me { identifier } }');
  },
};

/** @returns a form of GraphQL's multipart requests, with a file that is refused for its type */
function upload(boundary) {
  const query = 'mutation ($input: [CreateAssetInput!]!) { createAssets(input: $input) { __typename } }';
  const operations = JSON.stringify({ query, variables: { input: [{ file: null }] } });
  const part = (head, value) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
  const map = '{"1":["variables.input.0.file"]}';
  const file = part('name="1"; filename="a.exe"', 'an upload');
  return `${part('name="operations"', operations)}${part('name="map"', map)}${file}--${boundary}--\r\n`;
}
