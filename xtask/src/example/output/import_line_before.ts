  try {
    const entry = book(
      db,
      {
        bookedOn: line.bookedOn,
        text: line.text,
        postings: [
          { account, amount: line.amount },
          { account: suspense, amount: negate(line.amount) },
        ],
      },
      options.now(),
    );
    db.prepare("INSERT INTO statement_line (bank, reference, entry_id, imported_at) VALUES (?, ?, ?, ?)").run(
      statement.bank,
      line.reference,
      entry,
      options.now(),
    );
    return "booked";
  } catch (error) {
    if (isUniqueViolation(error)) {
      return "known";
    }
    throw error;
  }
}
