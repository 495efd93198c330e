import type { GuardPermit } from '@frontmcp/guard-manager';

import type { HeaderField } from '../headers/header-field.js';
import type { CurrentRequest } from '../request/request-storage.js';
import type { Admitted } from './http-outcome.js';
import type { HttpPermit } from './http-permit.js';
import type { PreparedRoute } from './prepared-route.js';
import { refusalOf, type Refusal } from './refusal.js';

/** See {@link Admitted}. */
export class AdmittedRequest implements Admitted {
  readonly kind = 'admitted';
  readonly current: CurrentRequest & { readonly permit: GuardPermit };
  readonly permit: HttpPermit;
  readonly headers: readonly HeaderField[];
  readonly #route: PreparedRoute;

  constructor(current: Admitted['current'], permit: HttpPermit, route: PreparedRoute) {
    this.current = current;
    this.permit = permit;
    this.headers = route.policies.admitted(permit.rateLimits);
    this.#route = route;
  }

  get isTimed(): boolean {
    return this.#route.isTimed;
  }

  get isHeld(): boolean {
    return this.#route.isHeld;
  }

  get maxOverrunMs(): number {
    return this.#route.maxOverrunMs;
  }

  refuse(error: unknown): Refusal {
    return refusalOf(error, this.#route.policies);
  }
}
