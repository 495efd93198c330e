/** `npm start`: the main job. `npm start -- --mcp` runs the MCP server instead; other arguments are the main job's. */
await import(process.argv.includes('--mcp') ? './mcp-server/main.ts' : './guarded-server/main.ts');
