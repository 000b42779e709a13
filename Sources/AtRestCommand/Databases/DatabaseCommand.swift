import ArgumentParser

struct DatabaseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "database",
    abstract: "Work with encrypted SQLite databases.",
    discussion: """
      The files are those of SQLCipher. The key is in an item of the keychain (--item), derived from \
      a passphrase, in a key file that a passphrase opens (--key-file), or a raw key in a file. An item or \
      a key file has a key of its own for each database.

      EXAMPLES
        atrest database import --item notes plain.db notes.db
        atrest database shell --item notes --new new.db 'CREATE TABLE note(text)'
        atrest database shell --item notes notes.db 'SELECT count(*) FROM note'
        atrest database verify --item notes notes.db
        atrest database rekey --item notes notes.db
        atrest database rekey --format sqlcipher3 --new-format sqlcipher4 --passphrase old.db
        atrest database export --item notes notes.db plain.db
      """,
    subcommands: [
      DatabaseShellCommand.self, DatabaseOpenCommand.self, DatabaseImportCommand.self,
      DatabaseExportCommand.self,
      DatabaseRekeyCommand.self, DatabasePassphraseCommand.self, DatabaseKeysCommand.self,
      DatabaseVerifyCommand.self,
    ])
}
