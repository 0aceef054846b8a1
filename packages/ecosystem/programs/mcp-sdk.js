module.exports = {
  wants: ['@modelcontextprotocol/sdk', 'zod', 'express'],
  about:
    'a server over streamable HTTP with sessions, and its client: tools, resources, notifications, the end of a session',
  chunks: false,
  polls: true,
  start({ note }) {
    const express = require('express');
    const { randomUUID } = require('node:crypto');
    const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js');
    const { StreamableHTTPServerTransport } = require('@modelcontextprotocol/sdk/server/streamableHttp.js');
    const { z } = require('zod');
    const app = express();
    app.use(express.json());
    const transports = new Map();
    const make = async () => {
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => void transports.set(id, transport),
      });
      const server = new McpServer({ name: 'a server', version: '1.0.0' }, { capabilities: { logging: {} } });
      server.registerTool(
        'add',
        { description: 'adds', inputSchema: { a: z.number(), b: z.number() } },
        async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
      );
      server.registerTool('count', { inputSchema: {} }, async (_, extra) => {
        for (const n of [1, 2])
          await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: n } });
        return { content: [{ type: 'text', text: 'counted' }] };
      });
      server.registerResource('greeting', 'text://greeting', {}, async (uri) => ({
        contents: [{ uri: uri.href, text: 'hello' }],
      }));
      await server.connect(transport);
      return transport;
    };
    app.all('/mcp', async (req, res) => {
      const id = req.get('mcp-session-id');
      if (id && !transports.has(id)) return res.status(404).json({ error: 'no session' });
      const transport = transports.get(id) ?? (await make());
      await transport.handleRequest(req, res, req.body);
      if (req.method === 'DELETE') note('ended', true);
    });
    return app;
  },
  requests: [
    'GET /mcp',
    'POST /mcp\nContent-Type: application/json\n\n{}',
    'POST /mcp\nContent-Type: application/json\nAccept: application/json, text/event-stream\n\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    'GET /mcp\nMcp-Session-Id: none',
  ],
  async play({ note, origin }) {
    const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const { LoggingMessageNotificationSchema } = require('@modelcontextprotocol/sdk/types.js');
    const client = new Client({ name: 'a client', version: '1.0.0' });
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => note('told', params));
    const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`));
    await client.connect(transport);
    note('server', client.getServerVersion());
    note('tools', await client.listTools());
    note('add', await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }));
    note('count', await client.callTool({ name: 'count', arguments: {} }));
    note('wrong', await client.callTool({ name: 'add', arguments: { a: 'x' } }).catch((error) => error.message));
    note('resource', await client.readResource({ uri: 'text://greeting' }));
    await transport.terminateSession();
    await client.close();
  },
};
