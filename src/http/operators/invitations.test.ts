import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import type { Role } from "../auth/roles.ts";
import { cookieOf, startTestHttpServer, type TestHttpServer } from "../testing/http-server.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import { invite } from "./invitations.ts";
import { setMemberRole } from "./members.ts";
import { addOperator, findOperator, setOperator } from "./operators.ts";
import { createPasswordWork } from "./password-work.ts";

const ours = "0198c0de-0000-7000-8000-000000000001";
const theirs = "0198c0de-0000-7000-8000-000000000002";
const password = "verbal-marmalade-42";
const clock = manualClock();
let database: TestDatabase;
let server: TestHttpServer;

beforeAll(async () => {
  database = await testDatabase();
  server = await startTestHttpServer({ sql: database.sql, clock });
});
beforeEach(async () => {
  await database.sql`truncate molva.signin_attempts, molva.memberships`;
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

async function anInvitation(
  login: string,
  { workspaceId = ours, invitedBy = null }: { workspaceId?: string; invitedBy?: string | null } = {},
): Promise<string> {
  const made = await invite(database.sql, { workspaceId, login, role: "viewer", invitedBy, clock });
  if (made.kind === "refused") throw new Error(made.reason);
  return made.token;
}
const accept = (invitation: string, headers?: Record<string, string>) =>
  server.call("/api/v1/invitation/accept", {
    body: { invitation, name: "Анна", password },
    ...(headers && { headers }),
  });
const read = (invitation: string) => server.call("/api/v1/invitation", { body: { invitation } });
async function refusalOf(answer: Response) {
  const { code, detail } = z
    .object({ code: z.string(), detail: z.string().optional() })
    .parse(await answer.json());
  return [answer.status, code, detail];
}
async function rolesOf(login: string): Promise<Readonly<Record<string, Role>> | undefined> {
  return (await findOperator(database.sql, login))?.roles;
}

describe("an invitation of a login that exists", () => {
  it("is accepted by that operator, signed in", async () => {
    const { login, headers } = await server.signedInAs({ [theirs]: "operator" });
    const answer = await accept(await anInvitation(login), headers);
    expect(await answer.json()).toEqual({ login, signed_in: false });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await rolesOf(login)).toEqual({ [ours]: "viewer", [theirs]: "operator" });
    expect(await findOperator(database.sql, login)).toMatchObject({ has_password: false });
  });

  it("opens the workspace neither to nobody nor to somebody else, and is not used up by the try", async () => {
    const { login, headers } = await server.signedInAs({});
    const other = await server.signedInAs({});
    const token = await anInvitation(login);
    for (const wrong of [undefined, other.headers, { cookie: "molva_session=unknown" }])
      expect(await refusalOf(await accept(token, wrong))).toEqual([
        401,
        "not_signed_in",
        `The login ${login} exists already: sign in as ${login}, then open the link again.`,
      ]);
    expect([await rolesOf(login), await rolesOf(other.login)]).toEqual([{}, {}]);
    expect((await read(token)).status).toBe(200);
    expect((await accept(token, headers)).status).toBe(200);
  });

  it("gives nothing to who claimed the login first, in another workspace", async () => {
    const login = "cto@corp.example";
    const claimed = cookieOf(await accept(await anInvitation(login, { workspaceId: theirs })));
    const token = await anInvitation(login);
    expect((await accept(token)).status).toBe(401);
    expect(claimed).toContain("molva_session=");
    expect(await rolesOf(login)).toEqual({ [theirs]: "viewer" });
  });

  it("is not accepted either if the login appears while the password is hashed", async () => {
    const login = "race@corp.example";
    const token = await anInvitation(login);
    const work = createPasswordWork();
    const visitor = { address: "198.51.100.7", userAgent: undefined };
    const acceptance = await acceptInvitation(
      database.sql,
      { invitation: token, name: "Анна", password },
      visitor,
      {
        clock,
        passwordWork: (hash) =>
          work(async () => {
            await addOperator(database.sql, { login, name: "Другая", clock });
            return hash();
          }),
      },
    );
    expect(acceptance).toEqual({ kind: "sign_in_first", login });
    expect(await rolesOf(login)).toEqual({});
    expect((await read(token)).status).toBe(200);
  });
});

describe("an invitation stored after its inviter lost the right to invite", () => {
  const refusal = [401, "invitation_refused", expect.any(String)];
  const dead = async (token: string) => {
    expect(await refusalOf(await read(token))).toEqual(refusal);
    expect(await refusalOf(await accept(token))).toEqual(refusal);
  };

  it("does not work: they were removed, demoted, or are admin elsewhere", async () => {
    await server.signedInAs({ [ours]: "admin" });
    const removed = await server.signedInAs({ [ours]: "admin", [theirs]: "admin" });
    await setMemberRole(database.sql, { workspaceId: ours, operatorId: removed.id, role: null });
    await dead(await anInvitation("back@corp.example", { invitedBy: removed.id }));
    const demoted = await server.signedInAs({ [ours]: "operator" });
    await dead(await anInvitation("back@corp.example", { invitedBy: demoted.id }));
  });

  it("does not work: they were disabled", async () => {
    const { id } = await server.signedInAs({ [ours]: "admin" });
    await setOperator(database.sql, id, { disabled: true });
    await dead(await anInvitation("back@corp.example", { invitedBy: id }));
  });

  it("is refused also when the right is lost while the password is hashed", async () => {
    const admin = await server.signedInAs({ [ours]: "admin" });
    const token = await anInvitation("slow@corp.example", { invitedBy: admin.id });
    const work = createPasswordWork();
    const acceptance = await acceptInvitation(
      database.sql,
      { invitation: token, name: "Анна", password },
      { address: "198.51.100.7", userAgent: undefined },
      {
        clock,
        passwordWork: (hash) =>
          work(async () => {
            // Past the function that would delete the invitation as well.
            await database.sql`delete from molva.memberships where operator_id = ${admin.id}`;
            return hash();
          }),
      },
    );
    expect(acceptance).toEqual({ kind: "refused" });
    expect(await findOperator(database.sql, "slow@corp.example")).toBeUndefined();
  });

  it("works from an admin of the workspace, an administrator and the command line", async () => {
    const admin = await server.signedInAs({ [ours]: "admin" });
    const administrator = await server.signedInAs({});
    await setOperator(database.sql, administrator.id, { administrator: true });
    for (const [n, invitedBy] of [admin.id, administrator.id, null].entries())
      expect((await accept(await anInvitation(`new${n}@corp.example`, { invitedBy }))).status).toBe(200);
  });
});
