/**
 * Loaded before a snippet whose clients stay connected: ends the process once the snippet is loaded and the promises that it
 * exports are kept. JavaScript, since it is a module of the snippet's process.
 */
import { pathToFileURL } from 'node:url';

const exported = await import(pathToFileURL(process.argv[1]));
await Promise.all(Object.values(exported));
process.exit();
