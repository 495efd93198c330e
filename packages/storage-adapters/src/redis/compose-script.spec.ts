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
      'd66c1b9e5258fd86720460a7118e7f511d2327ca',
      '21bfedb7be0c07bcaa1a02dda5c66e6674508b69',
    ],
    [
      '532869299631dfeea8a070c722f1b19c478c3ac9',
      'ef8da91a1bf35d11c29a9f7ebaf62fcf26a289cb',
      '7078478cc6afd0294d157bcac4217ec9734084a1',
    ],
    [
      '7cb9c0319bdfd0546f0988c7e42739b619ff4bbc',
      '2246839e66871cee26b666c689c7305c84217bc0',
      '8d913950aece4c4ce9b132aee05dee5df31811bf',
    ],
  ]);
});

test('a script that publishes nothing has no function for it', () => {
  for (const setting of settings) {
    expect(composeStep('return 1, true', setting)).not.toContain('PUBLISH');
    expect(composeStep('publish("c", "m")', setting)).toContain('PUBLISH');
    expect(composeEach(['return 1, true', 'publish("c", "m")'], setting)).toContain('PUBLISH');
  }
});
