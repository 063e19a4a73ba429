import type { Environment, Setting } from "../kernel/config/index.ts";
import type { Platform, PlatformName } from "./contract.ts";
import type { PlatformDefinition, PlatformTuning } from "./definition.ts";
import { max } from "./max/index.ts";
import { pinterest } from "./pinterest/index.ts";
import { telegram } from "./telegram/index.ts";
import { vk } from "./vk/index.ts";
import { withoutSecrets } from "./without-secrets.ts";
import { wordpress } from "./wordpress/index.ts";

/** All platforms. To add one, add its folder and a line here. */
export const platformDefinitions: readonly PlatformDefinition[] = [telegram, max, vk, wordpress, pinterest];

export const platformNames: readonly PlatformName[] = platformDefinitions.map(({ name }) => name);

/** Throws if there is none: names are validated on input. */
export function definitionOf(name: PlatformName): PlatformDefinition {
  const found = platformDefinitions.find((definition) => definition.name === name);
  if (!found) throw new Error(`there is no platform named ${name}`);
  return found;
}

/** The environment variables of all platforms. */
export const platformSettings: Readonly<Record<string, Setting>> = Object.assign(
  {},
  ...platformDefinitions.map(({ settings }) => settings),
);

export interface Platforms {
  readonly all: readonly Platform[];
  has(name: string): boolean;
  /** Throws if there is none: names are validated on input. */
  platformOf(name: PlatformName): Platform;
  definitionOf(name: PlatformName): PlatformDefinition;
}

export function createPlatforms(
  environment: Environment,
  tuning: PlatformTuning = {},
  definitions = platformDefinitions,
): Platforms {
  const known = new Map(
    definitions.map((definition) => [
      definition.name,
      { definition, platform: withoutSecrets(definition.create(environment, tuning), definition.credential) },
    ]),
  );
  const named = (name: string) => {
    const found = known.get(name);
    if (!found) throw new Error(`there is no platform named ${name}`);
    return found;
  };
  return {
    all: [...known.values()].map(({ platform }) => platform),
    has: (name) => known.has(name),
    platformOf: (name) => named(name).platform,
    definitionOf: (name) => named(name).definition,
  };
}

/** With twins running, a provider whose address was not set explicitly is replaced by its twin. */
export function withTwins(
  environment: Environment,
  twinsUrl: string | undefined,
  definitions = platformDefinitions,
): Environment {
  if (!twinsUrl) return environment;
  const taken = definitions.flatMap(({ twin }) => Object.entries(twin));
  const isSet = (name: string) => environment[name]?.trim() || environment[`${name}_FILE`]?.trim();
  const unset = taken.filter(([name]) => !isSet(name));
  const inTwin = (value: string) => (value.startsWith("/") ? `${twinsUrl}${value}` : value);
  return { ...environment, ...Object.fromEntries(unset.map(([name, value]) => [name, inTwin(value)])) };
}
