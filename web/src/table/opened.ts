/** What lies over the table. */
export type Opened = "menu" | "invite" | "leave" | "rules" | "chips" | "waive";
