import { posix } from "node:path";
import type { House } from "../../../tools/house";
import type { Source } from "./imports";
import { apart, rings } from "./rings";

/** Each finding is one line that says what is wrong, where, and what to do. */
type Findings = readonly string[];

const table = "tools/house.ts";

/** Folders and rows that have not each other, and imports that lead nowhere. */
export function strangers(house: House, sources: readonly Source[]): Findings {
  const folders = new Set(sources.map(roomOf));
  const rows = Object.entries(house.rooms);
  return [
    ...[...folders]
      .filter((folder) => house.rooms[folder] === undefined)
      .map(
        (folder) =>
          `${folder}/ has no row in ${table}: add one with what it is for and which rooms it imports from, ` +
          "then run `npx ts-node docs/generate.ts` for the map",
      ),
    ...rows
      .filter(([name]) => !folders.has(name))
      .map(([name]) => `${name}/ has a row in ${table} but no code: take the row out, or give the new folder's name`),
    ...rows.flatMap(([name, room]) =>
      room.imports
        .filter((other) => house.rooms[other] === undefined)
        .map((other) => `${name}/ may import from ${other}, which is no room: mend the row in ${table}`),
    ),
    ...sources.flatMap(({ path, missing }) =>
      missing.map((name) => `${path} imports "${name}", and there is no such file: mend the import`),
    ),
  ];
}

/** Imports that no row allows, and what a row allows without need. */
export function forbidden(house: House, sources: readonly Source[]): Findings {
  const walked = new Set<string>();
  const found = sources.flatMap((source) => {
    const from = roomOf(source);
    const room = house.rooms[from];
    if (room === undefined) return [];
    const rooms = source.files.flatMap((file) => {
      const to = posix.dirname(file);
      walked.add(`${from} ${to}`);
      if (to === from || room.imports.includes(to)) return [];
      return [
        `${source.path} imports ${file}, but ${from}/ may import from ${listed(room.imports)}: move what both need ` +
          `into a room that both may import, or have it handed in; if the arrow is right, add "${to}" to the row in ` +
          table,
      ];
    });
    const packages = source.packages.flatMap((name) => {
      walked.add(`${from} npm:${name}`);
      if (room.packages?.includes(name) === true) return [];
      return [
        `${source.path} imports the package ${name}, but ${from}/ may import ${listed(room.packages ?? [])}: use what ` +
          `the room around the package offers; if the import is right, add "${name}" to the row in ${table}`,
      ];
    });
    return [...rooms, ...packages];
  });
  const idle = Object.entries(house.rooms).flatMap(([from, room]) =>
    [...room.imports, ...(room.packages ?? []).map((name) => `npm:${name}`)]
      .filter((to) => !walked.has(`${from} ${to}`))
      .map((to) => `${from}/ no longer imports from ${to.replace("npm:", "")}: take it out of the row in ${table}`),
  );
  return [...found, ...idle];
}

/** Circles: of files as they import each other, and of rooms as the rows allow it. */
export function circles(house: House, sources: readonly Source[]): Findings {
  const ofFiles = rings(new Map(sources.map(({ path, files }) => [path, files])));
  const ofRooms = rings(new Map(Object.entries(house.rooms).map(([name, room]) => [name, room.imports])));
  const known = new Set(house.knownCircles.map(keyOf));
  const there = new Set(ofFiles.map(keyOf));
  return [
    ...apart(ofFiles.filter((ring) => !known.has(keyOf(ring)))).map(
      (ring) =>
        `${closed(ring)} is a circle of imports: move what one needs of the other into a file that both import ` +
        "(a type is an import too)",
    ),
    ...house.knownCircles
      .filter((ring) => !there.has(keyOf(ring)))
      .map((ring) => `${ring.join(", ")} are no circle any more: take them out of knownCircles in ${table}`),
    ...apart(ofRooms).map(
      (ring) => `${closed(ring)} is a circle of rooms in ${table}: arrows go one way, decide which of them is to go`,
    ),
  ];
}

/** Files of one tree that have the same name. A folder's `index` is its door and may be in each. */
export function namesakes(house: House, sources: readonly Source[]): Findings {
  const named = new Map<string, readonly string[]>();
  for (const { path } of sources) {
    const name = posix.basename(path).replace(/\..*$/, "");
    if (name === "index") continue;
    const key = `${path.split("/")[0] ?? ""} ${name}`;
    named.set(key, [...(named.get(key) ?? []), path]);
  }
  const shared = [...named.values()].filter((paths) => paths.length > 1);
  const known = new Set(house.knownNamesakes.map(keyOf));
  const there = new Set(shared.map(keyOf));
  return [
    ...shared
      .filter((paths) => !known.has(keyOf(paths)))
      .map((paths) => `${paths.join(", ")} have one name: give each the name of what it alone does`),
    ...house.knownNamesakes
      .filter((paths) => !there.has(keyOf(paths)))
      .map(
        (paths) =>
          `${paths.join(", ")} are not all the files of that name any more: take the entry out of knownNamesakes in ` +
          `${table}, or leave the paths in it that still share the name`,
      ),
  ];
}

function roomOf({ path }: Source): string {
  return posix.dirname(path);
}

function keyOf(paths: readonly string[]): string {
  return [...paths].sort().join(" ");
}

function closed(ring: readonly string[]): string {
  return [...ring, ring[0] ?? ""].join(" -> ");
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "none" : `only ${names.join(", ")}`;
}
