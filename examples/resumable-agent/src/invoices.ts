/** Tools that send invoices. Sending one twice would be bad, and a mail server takes its time. */
import { setTimeout as sleep } from "node:timers/promises";
import { tool, toolRegistry } from "@tsukumo/tool";
import type { Database } from "./database.js";

const MAIL_MS = Number(process.env.MAIL_MS ?? 1_000);

@toolRegistry
export class Invoices {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Lists the customers and what they owe, in yen.
   * @effect read_only
   */
  @tool listCustomers(): unknown[] {
    return this.#db.prepare("SELECT name, owes_yen FROM customers ORDER BY name").all();
  }

  /**
   * Lists the invoices that were sent.
   * @effect read_only
   */
  @tool listSent(): unknown[] {
    return this.#db.prepare("SELECT customer, yen FROM sent ORDER BY id").all();
  }

  /**
   * Sends an invoice. It cannot be taken back.
   * @effect mutating
   * @param customer The customer's name
   * @param yen The amount
   */
  @tool async sendInvoice(customer: string, yen: number): Promise<string> {
    await sleep(MAIL_MS / 2); // the mail server takes the letter …
    this.#db.prepare("INSERT INTO sent (customer, yen) VALUES (?, ?)").run(customer, yen);
    await sleep(MAIL_MS / 2); // … and says that it did
    return `Sent ${customer} an invoice of ${yen} yen.`;
  }
}
