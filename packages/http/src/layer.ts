export { holdExchange } from './fetch/hold-exchange.js';
export { refusalResponse } from './fetch/refusal-response.js';
export { withHeaders } from './fetch/with-headers.js';
export { assertRouteLimits } from './guard/assert-http-limits.js';
export {
  HttpGuard,
  type Admitted,
  type HttpCall,
  type HttpOutcome,
  type Skipped,
} from './guard/http-guard.js';
export type { Awaitable, HttpGuardOptions, HttpLimits } from './guard/http-guard-options.js';
export { HttpPermit, type RequestGuard } from './guard/http-permit.js';
export { isTimeout } from './guard/is-timeout.js';
export type { Refusal } from './guard/refusal.js';
export { answerNode } from './node/answer-node.js';
export { dropContentFields } from './node/drop-content-fields.js';
export { enterNode, type NodeCall } from './node/enter-node.js';
export type { NodeRequest, NodeResponse } from './node/node-exchange.js';
export { setFields, type FieldSink } from './node/set-fields.js';
export type { NodeSocket } from './node/watch-socket.js';
export { currentRequest, runInRequest, type CurrentRequest } from './request/current-request.js';
