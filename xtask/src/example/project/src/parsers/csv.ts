import { currency, parseMoney } from "../money.js";
import { StatementError, type Statement, type StatementLine } from "./statement.js";

const COLUMNS = ["booking date", "reference", "text", "amount", "currency"] as const;

/**
 * Reads the CSV export that most banks agree on: a header, a comma between fields, quotes doubled inside
 * quotes. The account stands in the file name, `<account>_<date>.csv`.
 */
export function parseCsv(text: string, fileName: string): Statement {
  const rows = splitRows(text);
  const header = rows.shift();
  if (header === undefined) {
    throw new StatementError("the file is empty", 1);
  }
  const positions = COLUMNS.map((name) => {
    const position = header.findIndex((cell) => cell.trim().toLowerCase() === name);
    if (position < 0) {
      throw new StatementError(`column ${name} is missing`, 1);
    }
    return position;
  });
  const lines = rows
    .filter((row) => row.some((cell) => cell !== ""))
    .map((row, index) => toLine(positions.map((position) => row[position] ?? ""), index + 2));
  const account = fileName.split("_")[0] ?? "";
  return { bank: "csv", account, lines };
}

function toLine(cells: string[], row: number): StatementLine {
  const [bookedOn = "", reference = "", text = "", amount = "", code = ""] = cells;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(bookedOn)) {
    throw new StatementError(`not a date: ${bookedOn}`, row);
  }
  if (reference === "") {
    throw new StatementError("the reference is missing", row);
  }
  return { bookedOn, reference, text, amount: parseMoney(amount, currency(code)) };
}

function splitRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (quoted) {
      if (char === '"' && text[index + 1] === '"') {
        cell += '"';
        index += 1;
      } else if (char === '"') {
        quoted = false;
      } else {
        cell += char;
      }
    } else if (char === '"') {
      quoted = true;
    } else if (char === ",") {
      row.push(cell);
      cell = "";
    } else if (char === "\n") {
      row.push(cell.replace(/\r$/, ""));
      rows.push(row);
      row = [];
      cell = "";
    } else {
      cell += char;
    }
  }
  if (cell !== "" || row.length > 0) {
    row.push(cell);
    rows.push(row);
  }
  return rows;
}
