function importLines(
  db: Db,
  statement: Statement,
  file: string,
  options: ImportOptions,
  log: Logger,
): { booked: number; known: number } {
  const counts = { booked: 0, known: 0 };
  for (const line of statement.lines) {
    const outcome = importLine(db, statement, line, options);
    counts[outcome] += 1;
    log.debug({ file, reference: line.reference, outcome }, "statement line");
  }
  return counts;
}

function importLine(
