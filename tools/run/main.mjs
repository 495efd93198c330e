// The workspace's tools are TypeScript that Node itself runs, which an older Node would refuse with
// a message about a file extension. On Linux x64, `npm ci` brings the right Node along.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Cannot run the tools on Node ${process.versions.node}: Node 24 or later is needed`,
  );
  console.log('0 passed, 1 failed');
  process.exit(1);
}
await import('./run.ts');
