import ArgumentParser
import AtRestCrypto
import AtRestKeyServerStore
import Foundation

/// Where the database and the server key are.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The settings file. Default: ATREST_KEYSERVER_CONFIG.", valueName: "file"))
  var config: String?

  @Option(
    help: ArgumentHelp("The connection string of PostgreSQL.", valueName: "settings"))
  var database: String?

  @Option(
    help: ArgumentHelp(
      "The time in which PostgreSQL has to answer (15).", valueName: "seconds"))
  var databaseTimeout: String?

  @Option(
    help: ArgumentHelp(
      "A file of SQLite instead of PostgreSQL, to try the server out.", valueName: "file"))
  var embedded: String?

  @Option(
    help: ArgumentHelp(
      "The file with the server key. Default: the credential server-key of systemd.",
      valueName: "file"))
  var serverKey: String?

  /// Resolves the settings, with further flags.
  func settings(_ flags: [Setting: String] = [:]) throws -> Settings {
    var all = flags
    all[.database] = database
    all[.databaseTimeout] = databaseTimeout
    all[.embedded] = embedded
    all[.serverKey] = serverKey
    return try Settings(flags: all, path: config)
  }

  func store() throws -> KeyServerStore { try Self.store(settings()) }

  /// Opens the store that the settings name.
  ///
  /// - Parameters:
  ///   - nextKey: The file of the server key to which the root key is rotated.
  ///   - isServer: True for a server, which refuses rows that were put back.
  static func store(
    _ settings: Settings, nextKey: String? = nil, isServer: Bool = false
  ) throws -> KeyServerStore {
    let place = try place(settings)
    let key = try settings.required(.serverKey, "The server key")
    let next = nextKey ?? settings.value(.nextServerKey)?.text
    let answerTime = try settings.number(
      .databaseTimeout, default: Database.answerTime / .seconds(1))
    return try KeyServerStore(
      Database(place, answerTime: .seconds(min(answerTime, 3600))),
      serverKey: ServerKeyFile.read(key),
      nextServerKey: try next.map { try SecretHolder(ServerKeyFile.read($0)) },
      keepsLedger: isServer)
  }

  /// A flag for one kind of database hides the other kind in the environment or the file.
  private static func place(_ settings: Settings) throws -> Database.Place {
    switch (settings.value(.database), settings.value(.embedded)) {
    case (let server?, let file?):
      guard server.rank != file.rank else {
        throw AtRestError(
          .invalidArgument, "\(server.origin) and \(file.origin) name two databases.",
          remedy: "Set only one of them.")
      }
      return server.rank < file.rank ? .postgreSQL(server.text) : .embedded(path: file.text)
    case (_, let file?): return .embedded(path: file.text)
    case (_, nil):
      return .postgreSQL(try settings.required(.database, "The database"))
    }
  }
}
