// What a client starts in the place of a server: its stdin and stdout are those of a server in `stdio-server.ts`, whose socket
// and options are the arguments.
import { connect } from 'node:net';

const [path = '', options = '{}'] = process.argv.slice(2);
const socket = connect(path);
socket.write(`${options}\n`);
process.stdin.pipe(socket).pipe(process.stdout);
socket.on('close', () => process.exit());
