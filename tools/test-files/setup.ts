import { earlyInAMinute } from './early-in-a-minute.ts';

beforeEach(earlyInAMinute);
