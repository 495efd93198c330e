/** The page around its parts. */
export const intro = {
  head: `# Benchmarks

<!-- Made by \`npm run bench\` from docs/benchmarks/*.json and tools/bench/src/page. Change those, not this file. -->

How fast is guard, beside the libraries that are used for the same today, and beside the least code that could do the job? Every
figure comes from one run on one machine and has its spread. A goal that is missed says so, and why.`,
  reading: `## How to read it

Absolute times depend on the machine; **ratios** are what counts. The contenders of a table take turns. Most do in one process, in short
slices in a random order that is new in every rotation, and each is compared with the floor of the same rotation
([ADR 003](adr/003-benchmarks.md)): a figure is the median of 25 rotations. Where each needs processes of its own (servers, callers in
line, fleets, imports, the heap), it is the median of 3 to 40 rounds. Behind it stand its 10th and 90th percentile. Answers are checked before anything is
timed. The code under test is the built packages with their defaults; peers are at the exact versions in
\`tools/bench/package.json\`. Ratios move by some 10 % from run to run, times on a server by 15 %: treat less as equal.

\`\`\`sh
npm run bench                      # everything, then this page
npm run bench -- memory ip         # some parts, then this page
npm run bench -- --quick memory    # short slices, printed only
npm run bench -- --page            # only this page, from the figures that are there
\`\`\`

What moves with the code and not with the machine is held by \`npm run perf-guard\`: bytes, commands and sizes
([performance](performance.md) says where the time goes).`,
} as const;
