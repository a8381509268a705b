import assert from "node:assert/strict";
import type { House, Room } from "../../tools/house";
import { circles, forbidden, namesakes, strangers } from "./support/findings";
import type { Source } from "./support/imports";

const house = (rooms: Readonly<Record<string, Omit<Room, "purpose">>>, more: Partial<House> = {}): House => ({
  trees: ["top"],
  rooms: Object.fromEntries(Object.entries(rooms).map(([name, room]) => [name, { purpose: "a room", ...room }])),
  alongside: {},
  knownCircles: [],
  knownNamesakes: [],
  ...more,
});

const source = (path: string, files: readonly string[] = [], more: Partial<Source> = {}): Source => ({
  path,
  files,
  packages: [],
  missing: [],
  ...more,
});

/** Exactly these findings, each known by what it has to say. */
function finds(findings: readonly string[], ...wanted: readonly RegExp[]): void {
  assert.equal(findings.length, wanted.length, findings.join("\n"));
  wanted.forEach((pattern, index) => {
    assert.match(findings[index]!, pattern);
  });
}

describe("findings about the house", () => {
  const two = house({ "top/high": { imports: ["top/low"], packages: ["axios"] }, "top/low": { imports: [] } });
  const high = source("top/high/a.ts", ["top/low/b.ts"], { packages: ["axios"] });
  const low = source("top/low/b.ts");

  it("are none where rows and code agree", () => {
    for (const look of [strangers, forbidden, circles, namesakes]) finds(look(two, [high, low]));
  });

  it("name a folder without a row and a row without a folder", () => {
    finds(
      strangers(two, [high, source("top/low/new/c.ts")]),
      /^top\/low\/new\/ has no row in tools\/house\.ts: add one/,
      /^top\/low\/ has a row in tools\/house\.ts but no code/,
    );
  });

  it("name a row that allows what is no room, and an import that leads nowhere", () => {
    finds(
      strangers(house({ "top/low": { imports: ["top/lost"] } }), [source("top/low/b.ts", [], { missing: ["./gone"] })]),
      /^top\/low\/ may import from top\/lost, which is no room/,
      /^top\/low\/b\.ts imports "\.\/gone", and there is no such file/,
    );
  });

  it("name an arrow that runs the wrong way, and what to do", () => {
    finds(
      forbidden(two, [high, source("top/low/b.ts", ["top/high/a.ts"])]),
      /^top\/low\/b\.ts imports top\/high\/a\.ts, but top\/low\/ may import from none: move .* add "top\/high" to the row/,
    );
  });

  it("hold a room's sub-folders to the same rule", () => {
    const nested = house({ top: { imports: [] }, "top/low": { imports: [] } });
    finds(
      forbidden(nested, [source("top/a.ts", ["top/low/b.ts"]), source("top/low/b.ts", ["top/a.ts"])]),
      /^top\/a\.ts imports top\/low\/b\.ts/,
      /^top\/low\/b\.ts imports top\/a\.ts/,
    );
  });

  it("name a package that a room may not import", () => {
    finds(
      forbidden(two, [high, source("top/low/b.ts", [], { packages: ["axios"] })]),
      /^top\/low\/b\.ts imports the package axios, but top\/low\/ may import none/,
    );
  });

  it("name what a row allows without need", () => {
    finds(
      forbidden(two, [source("top/high/a.ts"), low]),
      /^top\/high\/ no longer imports from top\/low: take it out/,
      /^top\/high\/ no longer imports from axios: take it out/,
    );
  });

  describe("circles", () => {
    const one = house({ top: { imports: [] } });
    const ring = [source("top/a.ts", ["top/b.ts"]), source("top/b.ts", ["top/c.ts"]), source("top/c.ts", ["top/a.ts"])];

    it("are told once, with the way round", () => {
      finds(circles(one, ring), /^top\/a\.ts -> top\/b\.ts -> top\/c\.ts -> top\/a\.ts is a circle of imports/);
    });

    it("may be known, in any order, until they are gone", () => {
      const known = house({ top: { imports: [] } }, { knownCircles: [["top/c.ts", "top/a.ts", "top/b.ts"]] });
      finds(circles(known, ring));
      finds(circles(known, ring.slice(1)), /are no circle any more: take them out of knownCircles/);
    });

    it("of which one is known do not hide another through the same file", () => {
      const known = house({ top: { imports: [] } }, { knownCircles: [["top/a.ts", "top/b.ts"]] });
      const both = [
        source("top/a.ts", ["top/b.ts"]),
        source("top/b.ts", ["top/a.ts", "top/c.ts"]),
        source("top/c.ts", ["top/a.ts"]),
      ];
      finds(circles(known, both), /^top\/c\.ts -> top\/a\.ts -> top\/b\.ts -> top\/c\.ts/);
    });

    it("that share an arrow are told as the shortest of them", () => {
      const tangle = [
        source("top/a.ts", ["top/b.ts", "top/c.ts"]),
        source("top/b.ts", ["top/d.ts"]),
        source("top/c.ts", ["top/d.ts"]),
        source("top/d.ts", ["top/e.ts", "top/b.ts"]),
        source("top/e.ts", ["top/a.ts"]),
      ];
      finds(
        circles(one, tangle),
        /^top\/b\.ts -> top\/d\.ts -> top\/b\.ts is/,
        /^top\/c\.ts -> top\/d\.ts -> top\/e\.ts -> top\/a\.ts -> top\/c\.ts is/,
      );
    });

    it("include a file that imports itself", () => {
      finds(circles(one, [source("top/a.ts", ["top/a.ts"])]), /^top\/a\.ts -> top\/a\.ts/);
    });

    it("of rooms are found where no file closes them", () => {
      const round = house({ "top/x": { imports: ["top/y"] }, "top/y": { imports: ["top/x"] } });
      const files = [
        source("top/x/1.ts", ["top/y/2.ts"]),
        source("top/y/2.ts"),
        source("top/y/3.ts", ["top/x/4.ts"]),
        source("top/x/4.ts"),
      ];
      finds(circles(round, files), /^top\/x -> top\/y -> top\/x is a circle of rooms/);
    });
  });

  describe("namesakes", () => {
    const files = [source("top/x/walk.ts"), source("top/y/walk.mts"), source("top/x/index.ts"), source("top/index.ts")];

    it("are named, but not the doors of folders", () => {
      finds(namesakes(house({}), files), /^top\/x\/walk\.ts, top\/y\/walk\.mts have one name/);
    });

    it("may be known until they are gone, or more", () => {
      const known = house({}, { knownNamesakes: [["top/y/walk.mts", "top/x/walk.ts"]] });
      finds(namesakes(known, files));
      finds(namesakes(known, files.slice(1)), /take the entry out of knownNamesakes/);
      finds(
        namesakes(known, [...files, source("top/z/walk.ts")]),
        /have one name/,
        /are not all the files of that name/,
      );
    });

    it("are no matter between two trees", () => {
      finds(namesakes(house({}), [source("top/walk.ts"), source("other/walk.ts")]));
    });
  });
});
