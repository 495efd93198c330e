import { addOperation } from '@frontmcp/guard-storage-conformance';

import { composeEach, composeStep, composeTogether } from './compose-script.js';
import { sha1 } from './sha1.js';

const source = addOperation.script!.source;
const settings = [
  { serverClock: true, knowsReceivers: true },
  { serverClock: true, knowsReceivers: false },
  { serverClock: false, knowsReceivers: false },
] as const;

test('the composed scripts are what they were: a change is a decision', () => {
  const shas = settings.map((setting) => [
    sha1(composeStep(source, setting)),
    sha1(composeTogether([source], setting)),
    sha1(composeEach([source], setting)),
  ]);
  expect(shas).toEqual([
    [
      '7048f808fcc95dc1e918f542d96dcd1d87df172f',
      '558b574b569313f50a3677821f21f33ff14a2a88',
      '4be2974988eede41090a2a116a00c0c85c32efa2',
    ],
    [
      '532869299631dfeea8a070c722f1b19c478c3ac9',
      'e7d63caea5978af0286383f5a33bd2476d317522',
      '37e93f23d695ae9462976c0137652c555c650367',
    ],
    [
      '7cb9c0319bdfd0546f0988c7e42739b619ff4bbc',
      '9991ff3e6c4fba2780382b18a7de6ab156a6d3d4',
      'ff10bd3f7fbf03c4a2dc26168c3d49b6e2f28220',
    ],
  ]);
});

test('a source that makes its change by itself is the whole script of a step, with no function around it', () => {
  for (const setting of settings) {
    expect(composeStep('return 1, true', setting)).toContain('function');
    expect(composeStep('if alone then return 1, true end', setting)).not.toContain('function');
  }
});

test('a script that publishes nothing has no function for it', () => {
  for (const setting of settings) {
    expect(composeStep('return 1, true', setting)).not.toContain('PUBLISH');
    expect(composeStep('publish("c", "m")', setting)).toContain('PUBLISH');
    expect(composeEach(['return 1, true', 'publish("c", "m")'], setting)).toContain('PUBLISH');
  }
});
