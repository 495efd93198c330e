export { currentRequest, runInRequest, type CurrentRequest } from './request/current-request.js';
