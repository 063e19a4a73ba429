import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Platforms } from "../../platforms/index.ts";
import { compileFor, type Profile, type Rendering, withText } from "./compile-for-channel.ts";

/** A post on its way in, from any kind of sender: the input of `delivery.enqueue_post`. */
export interface PreparedPost {
  /** Its normal form, made by `delivery.normal_post`: passed on without being read or changed. */
  readonly post: NormalPost;
  /** The exact preflight: what each kind of channel that it would reach gets, by profile. */
  readonly compiled: Readonly<Record<string, Rendering>>;
}

/** The errors of a post, one per line, each in a sentence that names the field. */
export interface Unpreparable {
  readonly fault: string;
}

interface NormalPost {
  readonly payload: unknown;
  readonly rendered_text?: string;
}

type Preparation =
  | { readonly fault: string }
  | { readonly fault: null; readonly post: NormalPost; readonly profiles: readonly Profile[] };

/**
 * Normalises a post (in SQL, and only here) and compiles it once for each kind of channel that it would reach. Writes nothing.
 */
export async function prepareAndCompile(
  sql: Sql | Transaction,
  workspaceId: string,
  raw: unknown,
  platforms: Platforms,
  /** A product that publishes to connections of one of its users. */
  owner?: { readonly product: string; readonly user: string },
): Promise<PreparedPost | Unpreparable> {
  const [prepared] = await sql<[Preparation]>`
    select fault, post, profiles from delivery.prepare_post(
      ${workspaceId}, ${JSON.stringify(raw)}::text::jsonb, ${owner?.product ?? null}, ${owner?.user ?? null})`;
  if (prepared.fault !== null) return prepared;
  const { post, profiles } = prepared;
  const payload = withText(post.payload, post.rendered_text);
  return {
    post,
    compiled: Object.fromEntries(
      profiles.map((profile) => [profile.key, compileFor(payload, profile, platforms)]),
    ),
  };
}
