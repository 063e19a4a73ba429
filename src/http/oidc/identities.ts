/** Which operator an identity of the provider is. */
import { noteAudit } from "../../audit/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { endSignIns, normalizeLogin } from "../operators/operators.ts";
import type { Identity } from "./provider.ts";

export type IdentityRefusal =
  /** The provider vouches for no address, and one is needed. */
  | "unverified"
  | "domain"
  /** No operator has this address as login. */
  | "unknown"
  /** The operator has another identity at this provider: the address was given to somebody else, or the account was made anew. */
  | "other_identity"
  | "disabled";

export type Recognised =
  | { readonly kind: "operator"; readonly operatorId: string }
  | { readonly kind: "refused"; readonly reason: IdentityRefusal };

interface Deps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly allowedDomains: readonly string[];
}

/**
 * An identity is its issuer and subject, nothing else. The first time, it is linked to the operator whose login is the address that
 * the provider has verified; whatever else opened this operator until then is taken away. Nobody is created: an administrator adds operators.
 */
export async function recognise(identity: Identity, address: string, deps: Deps): Promise<Recognised> {
  const { sql, clock, allowedDomains } = deps;
  const { verifiedEmail } = identity;
  if (allowedDomains.length > 0) {
    if (verifiedEmail === undefined) return refused("unverified");
    if (!allowedDomains.includes(domainOf(verifiedEmail))) return refused("domain");
  }
  return sql.begin(async (tx): Promise<Recognised> => {
    const known = await linkedOperator(tx, identity);
    if (known) return known.disabled ? refused("disabled") : { kind: "operator", operatorId: known.id };
    if (verifiedEmail === undefined) return refused("unverified");
    const [operator] = await tx<{ id: string; disabled: boolean }[]>`
      select id, disabled from molva.operators where login = ${normalizeLogin(verifiedEmail)}
    `;
    if (!operator) return refused("unknown");
    if (operator.disabled) return refused("disabled");
    const linked = await tx`
      insert into molva.oidc_identities (issuer, subject, operator_id, linked_at)
      values (${identity.issuer}, ${identity.subject}, ${operator.id}, ${clock.now()})
      on conflict do nothing
      returning operator_id
    `;
    // Two first sign-ins at once: the other one may have linked the same identity.
    if (linked.length === 0 && (await linkedOperator(tx, identity))?.id !== operator.id)
      return refused("other_identity");
    const who = { kind: "operator", id: operator.id } as const;
    if (linked.length > 0) {
      const had = await takeOtherWaysIn(tx, operator.id);
      await noteAudit(
        tx,
        {
          ...{ workspaceId: null, actor: who, subject: who, action: "oidc.linked", result: "ok", address },
          meta: { issuer: identity.issuer, subject: identity.subject, ...had },
        },
        clock.now(),
      );
    }
    return { kind: "operator", operatorId: operator.id };
  });
}

/** Whoever accepted an invitation of this address first may have set them up, and need not be its owner. */
async function takeOtherWaysIn(tx: Transaction, operatorId: string) {
  const passwords = await tx`
    update molva.operators set password_hash = null where id = ${operatorId} and password_hash is not null returning id
  `;
  const factors =
    await tx`delete from molva.second_factors where operator_id = ${operatorId} returning operator_id`;
  await endSignIns(tx, operatorId);
  return { had_password: passwords.length > 0, had_second_factor: factors.length > 0 };
}

async function linkedOperator(tx: Transaction, { issuer, subject }: Identity) {
  const [linked] = await tx<{ id: string; disabled: boolean }[]>`
    select o.id, o.disabled from molva.oidc_identities i join molva.operators o on o.id = i.operator_id
    where i.issuer = ${issuer} and i.subject = ${subject}
  `;
  return linked;
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

function refused(reason: IdentityRefusal): Recognised {
  return { kind: "refused", reason };
}
