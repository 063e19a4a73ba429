import type { Compiled, CorrectionRefusal, Platform, Posted } from "../../platforms/index.ts";

/** Why a post cannot be changed, as far as that is known without asking the provider. */
export function editRefusal(
  platform: Platform,
  posted: Posted | undefined,
  next: Compiled,
  now: Date,
): CorrectionRefusal | undefined {
  if (!platform.edit) return notSupported(platform, "changed");
  if (!posted) return postUnknown;
  return platform.corrections?.editRefusal(posted, next, now);
}

export function removeRefusal(
  platform: Platform,
  posted: Posted | undefined,
  now: Date,
): CorrectionRefusal | undefined {
  if (!platform.remove) return notSupported(platform, "taken back");
  if (!posted) return postUnknown;
  return platform.corrections?.removeRefusal(posted, now);
}

const notSupported = ({ name }: Platform, done: string): CorrectionRefusal => ({
  code: "not_supported",
  message: `posts on ${name} cannot be ${done}`,
});

const postUnknown: CorrectionRefusal = {
  code: "post_unknown",
  message: "it was sent by somebody else, who did not say what stands there",
};
