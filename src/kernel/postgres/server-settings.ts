/** Server settings by their PostgreSQL names. */
export type ServerSettings = Readonly<Record<string, string | number | boolean>>;

/** For one small machine: with every connection in use, about half a gigabyte. */
export const smallMachine: ServerSettings = {
  max_connections: 100,
  shared_buffers: "128MB",
  effective_cache_size: "512MB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  max_wal_size: "512MB",
  min_wal_size: "64MB",
  checkpoint_completion_target: 0.9,
  // Solid-state disks are the rule, and the default of 4 makes the planner avoid indexes on them.
  random_page_cost: 1.1,
  jit: false,
  log_checkpoints: false,
  log_line_prefix: "%m [%p] %q%a ",
  timezone: "UTC",
  log_timezone: "UTC",
};

/** Loopback TCP only: a Unix socket would need a folder that both users can enter. */
export const loopbackOnly: ServerSettings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
};

export const superuser = "molva";
export const database = "molva";

/** Milliseconds. The three steps of stopping together stay under the ten seconds that Ctrl-C may take. */
export const patience = {
  ready: 60_000,
  answer: 3_000,
  stopFast: 6_000,
  stopImmediate: 2_000,
  stopKilled: 1_000,
  poll: 15,
  watch: 1_000,
} as const;

/** The remembered port may be taken by now; each attempt asks the system for another one. */
export const portTries = 5;

/** A server log larger than this is rotated at the start. */
export const logBytes = 10 * 1024 * 1024;
