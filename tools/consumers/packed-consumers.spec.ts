import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entryPoints, listPackages, withDependencies } from '../packages/list-packages.ts';
import { contentProblems } from './check-content.ts';
import { errorProblems } from './check-errors.ts';
import { readLanding } from './check-landing.ts';
import { loadProblems } from './check-load.ts';
import { missingClientProblems } from './check-missing-clients.ts';
import { nativeCompiler, typeProblems } from './check-types.ts';
import { installAlone, packAll } from './install.ts';
import { landings } from './landings.ts';

jest.setTimeout(120_000);

const packages = listPackages();
const temporary = mkdtempSync(join(tmpdir(), 'guard-consumers-'));
let tarballs: ReadonlyMap<string, string>;

beforeAll(() => {
  tarballs = packAll(packages, temporary);
});

afterAll(() => rmSync(temporary, { recursive: true }));

describe.each(packages.map((one) => [one.manifest.name, one] as const))(
  '%s, alone',
  (name, one) => {
    const entries = entryPoints(one.manifest);
    const folder = join(temporary, one.path);

    beforeAll(() => {
      mkdirSync(folder, { recursive: true });
      installAlone(one, packages, tarballs, folder);
    });

    it('puts on the disk what tools/consumers/landings.ts says', () => {
      expect(readLanding(folder, name)).toEqual(landings[name]);
    });

    it('holds its licence, its source and no tests', () => {
      expect(contentProblems(join(folder, 'node_modules', name))).toEqual([]);
    });

    it('loads with import and with require', () => {
      expect(loadProblems(folder, entries)).toEqual([]);
    });

    it('[ERR-02] throws errors that its other build recognizes', () => {
      expect(errorProblems(folder, entries)).toEqual([]);
    });

    if (withDependencies(name, packages).includes('@frontmcp/guard-storage-adapters')) {
      it('says which client library to install for a storage that needs one', () => {
        expect(missingClientProblems(folder)).toEqual([]);
      });
    }

    // The other compilers and resolutions are tried with all packages together.
    it('compiles, with nothing beside it', () => {
      expect(typeProblems(folder, entries, nativeCompiler, ['nodenext'])).toEqual([]);
    });
  },
);
