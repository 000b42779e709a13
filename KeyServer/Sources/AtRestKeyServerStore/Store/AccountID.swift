import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

extension KeyServerStore {
  /// Returns the identifier of the account with a name.
  func accountID(_ account: String) -> Data { keys.identifier(.accounts, Data(account.utf8)) }
}

extension Transaction {
  /// Returns an account, or throws *not found*.
  func account(_ name: String, locked: Bool = false) throws -> Row {
    guard let row = try row(.accounts, store.accountID(name), locked: locked) else {
      throw AtRestError(
        .notFound, "There is no account with this name.",
        remedy: "List the accounts with: atrest-keyserver account list.")
    }
    return row
  }
}
