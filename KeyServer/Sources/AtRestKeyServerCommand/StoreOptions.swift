import ArgumentParser
import AtRestCrypto
import AtRestKeyServerStore
import Foundation

/// Where the database and the server key are.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The connection string of PostgreSQL. Default: ATREST_KEYSERVER_DATABASE.",
      valueName: "settings"))
  var database: String?

  @Option(
    help: ArgumentHelp(
      "A file of SQLite instead of PostgreSQL, to try the server out. Default: "
        + "ATREST_KEYSERVER_EMBEDDED.", valueName: "file"))
  var embedded: String?

  @Option(
    help: ArgumentHelp(
      "The file with the server key. Default: ATREST_KEYSERVER_KEY, or the credential server-key "
        + "of systemd.", valueName: "file"))
  var serverKey: String?

  static func environment(_ name: String) -> String? {
    ProcessInfo.processInfo.environment["ATREST_KEYSERVER_\(name)"]
  }

  func store() throws -> KeyServerStore {
    let place: Database.Place
    if let file = embedded ?? (database == nil ? Self.environment("EMBEDDED") : nil) {
      place = .embedded(path: file)
    } else if let settings = database ?? Self.environment("DATABASE") {
      place = .postgreSQL(settings)
    } else {
      throw ValidationError("Name a database with --database or --embedded.")
    }
    return try KeyServerStore(Database(place), serverKey: ServerKeyFile.read(serverKeyPath()))
  }

  private func serverKeyPath() throws -> String {
    if let path = serverKey ?? Self.environment("KEY") { return path }
    if let folder = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"] {
      return "\(folder)/server-key"
    }
    throw ValidationError("Name the server key with --server-key.")
  }
}
