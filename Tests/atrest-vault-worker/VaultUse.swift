import AtRest
import Foundation

/// Opens a vault, and stores or reads a value in a file: `use FOLDER store|read`. Errors have the
/// exit codes of `atrest`.
enum VaultUse {
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 2 else {
      throw AtRestError(.invalidArgument, "use FOLDER store|read", remedy: "Name both.")
    }
    let place = try FolderVault(URL(fileURLWithPath: arguments[0]))
    let account = try place.vault.logIn("eva")
    let record = VaultRecord<Data>(
      "attachment", DataKind("attachment", .consumerGrade, place: .file))
    if arguments[1] == "read" {
      _ = try account.value(in: record)
    } else {
      try account.store(RandomBytes.data(count: 20_000), in: record)
    }
  }

  static func status(_ error: any Error) -> Int32 {
    switch (error as? AtRestError)?.refusal {
    case .notFound: 3
    case .locked: 4
    case .notPermitted: 5
    case .damaged: 6
    case nil: 1
    }
  }
}
