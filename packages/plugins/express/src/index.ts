export {
  guardExpress,
  type ExpressGuard,
  type ExpressGuardOptions,
  type ExpressMiddleware,
  type ExpressNext,
  type ExpressRequest,
} from './guard-express.js';
