import type {
  Awaitable,
  ContractLimits,
  ContractManager,
  ContractOptions,
  ContractReply,
  ContractRequest,
} from './contract-layer.ts';

type Caller = Awaited<ReturnType<NonNullable<ContractOptions['context']>>>;

/** The options of a layer whose functions are called with `Input`. */
export interface LayerOptions<Input extends readonly unknown[]> {
  readonly guard: ContractManager;
  readonly limits?: (...input: Input) => Awaitable<ContractLimits | false | undefined>;
  readonly context?: (...input: Input) => Awaitable<Caller>;
  readonly skip?: (...input: Input) => Awaitable<boolean>;
  readonly onRefused?: (
    refusal: { readonly status: number; readonly problem: object },
    ...input: Input
  ) => Awaitable<undefined>;
  /** What `HttpGuardOptions` of the layer have beside them. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the contract cannot name the options of the layers, which are tested with it
  readonly [option: string]: any;
}

/**
 * Options in the way of a layer: their functions are called with what its framework calls them with.
 *
 * @param requestOf What a function of the contract is to see of it.
 * @param reply Answers a refused request in the way of the framework, and gives what `onRefused` is to return.
 */
export function layerOptions<Input extends readonly unknown[]>(
  guard: ContractManager,
  options: ContractOptions,
  requestOf: (...input: Input) => ContractRequest,
  reply: (answer: ContractReply, ...input: Input) => unknown,
): LayerOptions<Input> {
  const { limits, context, skip, onRefused, ...rest } = options;
  return {
    guard,
    ...rest,
    ...(limits && { limits: (...input: Input) => limits(requestOf(...input)) }),
    ...(context && { context: (...input: Input) => context(requestOf(...input)) }),
    ...(skip && { skip: (...input: Input) => skip(requestOf(...input)) }),
    ...(onRefused && {
      onRefused: (refusal, ...input: Input) => {
        const answer = onRefused(refusal, requestOf(...input));
        return (
          answer instanceof Promise
            ? answer.then((later) => reply(later, ...input))
            : reply(answer, ...input)
        ) as undefined;
      },
    }),
  };
}
