//! Versions of the schema: numbered migrations, append-only, counted by `user_version`.

use rusqlite::{Connection, TransactionBehavior};

/// Marks the file as a store of this program: `epit`.
pub(super) const APPLICATION_ID: i32 = 0x6570_6974;

/// All migrations; the schema has as many versions.
const MIGRATIONS: [&str; 2] = [
    include_str!("../../migrations/0001_store.sql"),
    include_str!("../../migrations/0002_documents.sql"),
];

/// Newest version that this program knows.
pub(super) const KNOWN: u32 = MIGRATIONS.len() as u32;

/// Version of the schema in the file, 0 in a new one.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// The mark of the program that made the file, 0 without one.
pub(super) fn application_id(connection: &Connection) -> rusqlite::Result<i32> {
    connection.query_row("PRAGMA application_id", [], |row| row.get(0))
}

/// Brings the schema to the newest version. Two processes may try at once: the second one finds
/// nothing left to do.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = version(&transaction)? as usize;
    for migration in MIGRATIONS.iter().skip(done) {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    if done < MIGRATIONS.len() {
        transaction.pragma_update(None, "user_version", KNOWN)?;
    }
    transaction.commit()
}
