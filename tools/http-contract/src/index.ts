export type {
  ContractApp,
  ContractExchange,
  ContractGuard,
  ContractLimits,
  ContractManager,
  ContractOptions,
  ContractRefusal,
  ContractReply,
  ContractRequest,
  ContractRoute,
  HttpLayer,
  Served,
} from './contract-layer.ts';
export { describeHttpContract } from './describe-http-contract.ts';
export { layerOptions, type LayerOptions } from './layer-options.ts';
export { serveFetch, serveNode, type NodeBindings } from './serve.ts';
