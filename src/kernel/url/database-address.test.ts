import { expect, it } from "vitest";
import { databaseAddress } from "./index.ts";

it("reads one host or several, with the standard port where none is named", () => {
  const several = databaseAddress(
    "postgres://mo:p%40ss@db1:6432,[::1],db3/molva?target_session_attrs=read-write&ssl=require",
  );
  expect(several).toMatchObject({
    hosts: [
      { host: "db1", port: 6432 },
      { host: "::1", port: 5432 },
      { host: "db3", port: 5432 },
    ],
    ...{ user: "mo", password: "p@ss", database: "molva", primaryOnly: true, shown: "db1:6432,[::1],db3" },
  });
  expect(several?.at({ host: "::1", port: 5432 })).toBe("postgres://mo:p%40ss@[::1]:5432/molva?ssl=require");
  expect(several?.named("other")).toBe(
    "postgres://mo:p%40ss@db1:6432,[::1],db3/other?target_session_attrs=read-write&ssl=require",
  );
  expect(databaseAddress("postgresql://localhost/m")).toMatchObject({
    ...{ hosts: [{ host: "localhost", port: 5432 }], user: "", password: "", primaryOnly: false },
  });
  expect(databaseAddress("postgres:///m")?.hosts).toEqual([{ host: "localhost", port: 5432 }]);
  expect(databaseAddress("postgres://db/m?target_session_attrs=primary")?.primaryOnly).toBe(true);
});

it.each([
  "mysql://db/m",
  "db1,db2",
  "postgres://db1,/m",
  "postgres://db1:0,db2/m",
  "postgres://db1:65536,db2/m",
  "postgres://db1:one,db2/m",
  "postgres://u:%zz@db1/m",
  "postgres://db1,db2/m?target_session_attrs=standby",
  "postgres://db1,db2/m?target_session_attrs=any",
])("refuses %s", (text) => {
  expect(databaseAddress(text)).toBeUndefined();
});
