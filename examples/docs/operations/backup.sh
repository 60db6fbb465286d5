#!/bin/sh
# Copies the database while the server runs and keeps the last fourteen copies.
# Called every night at 04:00, after the import.
set -eu

database=${LEDGER_DB:-./ledger.db}
folder=${BACKUP_FOLDER:-/var/backups/ledger}

sqlite3 "$database" ".backup '$folder/new.db'"
gzip -c "$folder/new.db" > "$folder/ledger-$(date +%F).db.gz"
rm "$folder/new.db"
find "$folder" -name 'ledger-*.db.gz' | sort -r | tail -n +15 | xargs -r rm --
