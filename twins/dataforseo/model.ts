export interface Account {
  login: string;
  /** The API password, which differs from that of the cabinet. */
  password: string;
  /** In dollars. */
  balance: number;
}

export interface World {
  account: Account;
  /** Numbers the tasks. */
  tasks: number;
}

export const freshWorld = (): World => ({
  account: { login: "demo@molva.example", password: "molva-demo-dataforseo", balance: 50 },
  tasks: 0,
});
